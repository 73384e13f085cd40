// Reference for comparing the server's answers: the same API, with profiles in plain memory.
//
// The reference's store, src/storage/fake/memory-storage.ts, has plain loops, and no log, blocks or
// threads. The answers of its engine are also compared with the naive evaluation in
// src/query/testing.
import { createReportMaker } from '../../src/api/reports/report-maker.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import type { QueryEngine } from '../../src/query/interface.ts';
import {
  type TestLocation,
  type TestProfile,
  TestStore,
} from '../../src/query/testing/test-store.ts';
import type { Querier } from '../../src/storage/interface.ts';
import { type Names, NamingQuerier } from '../../src/symbolize/naming-querier.ts';
import { startApi, type TestApi } from '../support/api.ts';

/** The API, with profiles that can be replaced. */
export interface Reference {
  readonly url: string;
  readonly address: string;
  readonly engine: QueryEngine;
  /** Replaces all profiles. */
  setProfiles(profiles: readonly TestProfile[]): void;
  close(): Promise<void>;
}

/** Names without any content, because these tests never upload debug information. */
const noNames: Names = {
  findFrames: () => undefined,
  findBias: () => 0,
  changedAt: () => 0,
  hasNames: () => false,
  hasNotes: false,
  whyUnnamed: () => 'no debug information was uploaded',
  readNotes: () => new Set(),
  generation: 0,
  settle: async () => undefined,
  promise: () => undefined,
};

export async function startReference(
  describe: (frame: string) => TestLocation,
): Promise<Reference> {
  let store = new TestStore(describe);
  const querier: Querier = {
    select: (query) => store.select(query),
    labelNames: (query) => store.labelNames(query),
    labelValues: (name, query) => store.labelValues(name, query),
    profileTypes: (range, matchers) => store.profileTypes(range, matchers),
    hasData: () => store.hasData(),
  };
  const engine = createQueryEngine({
    querier: new NamingQuerier(querier, noNames),
    metrics: noMetrics,
    clock: createClock(),
    reportThread: { make: createReportMaker() },
  });
  const api: TestApi = await startApi({ services: { engine } });
  return {
    url: api.url,
    address: api.address,
    engine,
    setProfiles: (profiles) => {
      store = new TestStore(describe);
      for (const profile of profiles) store.add(profile);
    },
    close: async () => {
      await api.close();
    },
  };
}
