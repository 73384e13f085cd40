// Loads the values of a run through the HTTP API of a server or of local files.
import {
  type ClientOptions,
  field,
  get,
  getJson,
  readInt64,
  readString,
} from '../shared/client.ts';
import { readRunValues } from './run-values.ts';
import type { Run } from './runs.ts';

/** A query and its range in RFC 3339. */
export interface RangedQuery {
  readonly query: string;
  readonly from: string;
  readonly to: string;
}

/** A run, and the meaning of its values. */
export interface LoadedRun {
  readonly run: Run;
  readonly profileType: string;
  readonly unit: string;
  /** True for a part of a program's running time, false for a complete run. */
  readonly isPart: boolean;
}

/** Loads a run; undefined if the query selects no profiles. */
export async function loadRun(
  client: ClientOptions,
  { query, from, to }: RangedQuery,
  name: string,
  isPart: boolean,
): Promise<LoadedRun | undefined> {
  // This request returns the number of samples, which the exported profile does not contain.
  const head = await getJson(client, '/api/v1/changes', {
    query,
    start: from,
    end: to,
    limit: '1',
  });
  const side = field(head, 'compared');
  if (Number(field(side, 'profiles')) === 0) return undefined;
  const unit = readString(field(head, 'unit'));
  const quiet = { ...client, warn: () => undefined };
  const what = { query, start: from, end: to, format: 'pprof' };
  const values = await readRunValues(await get(quiet, '/api/v1/export', what), unit);
  const isState = Number(field(side, 'snapshots') ?? 0) > 0;
  const snapshots = Math.max(1, Number(field(side, 'snapshots') ?? 1));
  return {
    profileType: readString(field(head, 'profileType')),
    unit,
    isPart,
    run: {
      ...values,
      name,
      samples: Math.round(Number(readInt64(field(side, 'samples'))) / snapshots),
      // Averages of snapshots do not depend on time.
      coveredNanos: isState ? 0 : Number(readInt64(field(side, 'coveredNanos'))),
    },
  };
}
