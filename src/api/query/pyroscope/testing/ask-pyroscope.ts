// Calls methods of Pyroscope's services in tests, as a transport does.
import { createReportMaker } from '../../../reports/report-maker.ts';
import { noMetrics } from '../../../../base/metrics.ts';
import { createClock } from '../../../../base/node/clock.ts';
import { createQueryEngine } from '../../../../query/engine/engine.ts';
import { PyroscopeQuerier } from '../../../../query/pyroscope/pyroscope-querier.ts';
import type { QueryEngine } from '../../../../query/interface.ts';
import type { Querier } from '../../../../storage/interface.ts';
import type { UnaryMethod } from '../../../transport/call/method.ts';

/** Returns an engine like the one that a server uses for Pyroscope's clients. */
export function pyroscopeEngine(store: Querier): QueryEngine {
  return createQueryEngine({
    querier: new PyroscopeQuerier(store),
    metrics: noMetrics,
    clock: createClock(),
    reportThread: { make: createReportMaker() },
    keepsCounts: true,
  });
}

/** Calls a method, and decodes its answer. */
export async function call<Q, A>(
  methods: readonly UnaryMethod[],
  name: string,
  types: {
    readonly request: { encode(message: Q): { finish(): Uint8Array } };
    readonly response: { decode(bytes: Uint8Array): A };
  },
  request: Q,
): Promise<A> {
  const method = methods.find(({ path }) => path.endsWith(`/${name}`));
  if (method === undefined) throw new Error(`there is no ${name}`);
  const context = {
    signal: new AbortController().signal,
    peer: '',
    caller: '',
    tags: [],
    limits: {},
  };
  const bytes = await method.handle(types.request.encode(request).finish(), context);
  return types.response.decode(bytes);
}
