// The HTTP paths of questions that Parca's messages have no form for; answers are JSON.
import type { FastifyInstance } from 'fastify';
import { AppError } from '../base/errors.ts';

import type { QueryEngine } from '../query/interface.ts';
import { readChangesRequest } from './changes-request.ts';
import { encodeChanges } from './encode-changes.ts';
import { serveCall } from './http-call.ts';
import type { CallContext } from './method.ts';
import type { TransportContext } from './transport.ts';

/** What an answer is made from. */
export interface InsightCall {
  /** With its parameters. */
  readonly url: string;
  readonly nowMillis: number;
  readonly engine: QueryEngine;
  readonly caller: CallContext;
}

interface InsightRoute {
  readonly path: string;
  /** In counters. */
  readonly name: string;
  answer(call: InsightCall): Promise<object>;
}

const routes: readonly InsightRoute[] = [
  { path: '/api/v1/changes', name: 'Changes', answer: answerChanges },
];

/** `engine` throws AppError 'unavailable' while the server starts. */
export function addInsightRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  engine: () => QueryEngine,
): void {
  for (const { path, name, answer } of routes) {
    const method = { path: `/parca.http.v1.Insight/${name}`, endsWithCaller: true };
    app.get(path, (request, reply) =>
      serveCall(
        transport,
        method,
        request,
        reply,
        async (caller) => {
          const nowMillis = transport.runner.clock.nowMillis();
          return answer({ url: request.url, nowMillis, engine: engine(), caller });
        },
        (json) => reply.header('cache-control', 'no-store').send(json),
      ),
    );
  }
}

/** The functions that changed the most between two selections. */
export async function answerChanges(call: InsightCall): Promise<object> {
  const { select, measure, limit } = readChangesRequest(call.url, call.nowMillis);
  const report = await call.engine.report(
    {
      ...{ select, measure, report: 'changes' },
      ...{ nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] },
    },
    call.caller,
  );
  if (report.kind !== 'changes') throw new AppError('internal', `got a ${report.kind} report`);
  return encodeChanges(report, limit);
}
