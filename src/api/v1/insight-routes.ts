// HTTP paths of answers without a message in Parca; they are JSON.
import type { FastifyInstance } from 'fastify';
import type { QueryEngine } from '../../query/interface.ts';
import type { TransportContext } from '../call/call.ts';
import { answerChanges } from './changes.ts';
import {
  answerFunctions,
  answerLabels,
  answerLabelValues,
  answerNearest,
  type InsightCall,
} from './insight-answers.ts';
import { pathFields, serveCall } from './serve-call.ts';

interface InsightRoute {
  readonly path: string;
  /** Name in counters. */
  readonly name: string;
  /** Returns an object, or JSON that another thread has made. */
  answer(call: InsightCall): Promise<object | Uint8Array>;
}

/** All paths, below the prefix. */
export const insightRoutes: readonly InsightRoute[] = [
  { path: '/api/v1/changes', name: 'Changes', answer: answerChanges },
  { path: '/api/v1/functions', name: 'Functions', answer: answerFunctions },
  { path: '/api/v1/labels', name: 'Labels', answer: answerLabels },
  { path: '/api/v1/labels/:name/values', name: 'LabelValues', answer: answerLabelValues },
  { path: '/api/v1/nearest', name: 'Nearest', answer: answerNearest },
];

/** Adds the paths. `engine` throws AppError 'unavailable' while the server starts. */
export function addInsightRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  engine: () => QueryEngine,
): void {
  for (const { path, name, answer } of insightRoutes) {
    const method = { path: `/parca.http.v1.Insight/${name}`, endsWithCaller: true };
    app.get(path, (request, reply) =>
      serveCall(
        transport,
        method,
        request,
        reply,
        async (caller) => {
          const { url, params } = request;
          const nowMillis = transport.runner.clock.nowMillis();
          return answer({ url, path: pathFields(params), nowMillis, engine: engine(), caller });
        },
        (answer) =>
          reply
            .header('cache-control', 'no-store')
            .type('application/json; charset=utf-8')
            .send(answer),
      ),
    );
  }
}
