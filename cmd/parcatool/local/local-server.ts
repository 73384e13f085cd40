// Acts as a server for profile files inside this process, without a port. It gives the same
// responses as the real server.
import { methodTable } from '../../../src/api/transport/call/method.ts';
import { answerAsJson, errorAnswer, wholeJson } from '../../../src/api/transport/json/gateway.ts';
import { loadSchema } from '../../../src/api/transport/json/load-schema.ts';
import { jsonToMessage } from '../../../src/api/transport/json/to-message.ts';
import { JsonTurns } from '../../../src/api/transport/json/json-turns.ts';
import { parseQuery } from '../../../src/api/transport/json/query-parameters.ts';
import { queryMethods } from '../../../src/api/query/query-service.ts';
import { readExportRequest } from '../../../src/api/routes/export-request.ts';
import { exportProfile } from '../../../src/api/routes/export.ts';
import { insightCalls } from '../../../src/api/routes/insight-calls.ts';
import { AppError } from '../../../src/base/errors.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { createQueryEngine } from '../../../src/query/engine/engine.ts';
import type { AnswerSharing, QueryEngine } from '../../../src/query/interface.ts';
import { noSources } from '../../../src/sources/interface.ts';
import type { TimeRange } from '../../../src/storage/interface.ts';
import { createReportMaker } from '../../../src/api/reports/report-maker.ts';
import { loadFiles, type LocalFile } from './load-files.ts';

export interface LocalServer {
  /** Range of all profiles. */
  readonly range: TimeRange;
  /** Default query. */
  readonly profileType: string;
  /** Responds like `fetch` to a server. */
  fetch(url: URL): Promise<Response>;
  close(): Promise<void>;
}

const queryMethod = '/parca.query.v1alpha1.QueryService/Query';
const caller = { signal: new AbortController().signal, peer: '', caller: '', limits: {}, tags: [] };

/** Sharing of results between callers. It does nothing here, because there is only one caller. */
const unshared: AnswerSharing = {
  once: async (_question, asker, answer) => (await answer(asker)).bytes,
};

type Answer = string | Uint8Array<ArrayBuffer>;
type Handler = (url: string, engine: QueryEngine) => Promise<Answer>;

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['/api/profiles/query', answerQuery],
  ['/api/v1/export', async (url, engine) => answerExport(url, engine)],
  ['/api/v1/pgo', async (url, engine) => answerExport(url, engine, 'pgo')],
  ...insightCalls.map(({ path, answer }): [string, Handler] => [
    path,
    async (url, engine) => {
      const call = { url, path: {}, nowMillis: Date.now(), engine, caller };
      const answered = await answer(call);
      return answered instanceof Uint8Array ? new Uint8Array(answered) : JSON.stringify(answered);
    },
  ]),
]);

/** Opens a server for `files`. Errors: as in loadFiles. */
export async function openLocalServer(files: readonly LocalFile[]): Promise<LocalServer> {
  const { querier, range, profileType, close } = await loadFiles(files);
  const reportThread = { make: createReportMaker() };
  const parts = { metrics: noMetrics, clock: createClock(), reportThread };
  const engine = createQueryEngine({ querier, keepsCounts: true, ...parts });
  return {
    range,
    profileType,
    async fetch(url) {
      try {
        const answer = handlers.get(url.pathname);
        if (answer === undefined) throw new AppError('not-found', `no path ${url.pathname}`);
        return new Response(await answer(url.href, engine));
      } catch (error) {
        const { status, body } = errorAnswer(error);
        return new Response(body, { status });
      }
    },
    close,
  };
}

async function answerQuery(url: string, engine: QueryEngine): Promise<string> {
  const schema = await loadSchema();
  const clock = createClock();
  const methods = queryMethods({
    engine,
    answers: unshared,
    sources: noSources,
    clock,
    sharing: undefined,
  });
  const method = methodTable(methods).get(queryMethod);
  if (method?.kind !== 'unary') throw new AppError('internal', `there is no ${queryMethod}`);
  const { request: type } = schema.method(queryMethod);
  const message = jsonToMessage(schema, type, parseQuery(schema, type, url));
  const json = await answerAsJson(schema, method, message, caller, new JsonTurns(clock));
  return wholeJson(json);
}

async function answerExport(url: string, engine: QueryEngine, format?: 'pgo'): Promise<Answer> {
  const request = readExportRequest(url, Date.now(), format);
  return Uint8Array.from((await exportProfile(engine, request, caller)).bytes);
}
