// A store whose parts are damaged, or behave in another way that a test needs.
import type { Querier } from '../../storage/interface.ts';
import type { SelectedPart, SeriesSlice, SeriesStore } from '../../storage/selection.ts';
import { createMergePool } from '../../storage/sum/merge-pool.ts';
import { SumQuerier } from '../../storage/sum/sum-querier.ts';
import { realSeries, type PartKind } from './real-parts.ts';
import type { TestStore } from './test-store.ts';

/** Damage of one part of a store. */
export interface Damage {
  /** Function that returns replacements for methods of a slice. */
  readonly slice?: (slice: SeriesSlice) => Partial<SeriesSlice>;
  readonly part?: Partial<SelectedPart>;
}

export interface DamagedStore {
  readonly querier: Querier;
  /** Number of disposed selections. */
  readonly disposed: { count: number };
}

/** Returns a store with one part for each of `stores`; `damages` has the damage of each part. */
export function damagedStore(
  stores: readonly TestStore[],
  damages: Readonly<Record<number, Damage>>,
  kind: PartKind = 'head',
): DamagedStore {
  const disposed = { count: 0 };
  const whole = realSeries(stores.map((store) => ({ store, kind })));
  const select: SeriesStore['select'] = async (query) => {
    const selection = await (await whole).select(query);
    const { missing } = selection;
    return {
      missing,
      profileCount: 0,
      rowCount: 0,
      parts: selection.parts.map((part, i) => {
        return { id: part.id, dictionary: () => part.dictionary(), ...damages[i]?.part };
      }),
      series: selection.series.map((one) => ({
        labels: one.labels,
        profileType: one.profileType,
        slices: one.slices.map((slice) => ({
          ...plainSlice(slice),
          ...damages[slice.part]?.slice?.(slice),
        })),
      })),
      [Symbol.dispose]: () => {
        disposed.count += 1;
        selection[Symbol.dispose]();
      },
    };
  };
  const series: SeriesStore = {
    select,
    labelNames: async (query) => (await whole).labelNames(query),
    labelValues: async (name, query) => (await whole).labelValues(name, query),
    profileTypes: async (range, matchers) => (await whole).profileTypes(range, matchers),
    hasData: async () => (await whole).hasData(),
    state: () => 'unchanged',
  };
  return { querier: new SumQuerier(series, createMergePool()), disposed };
}

/** Copies a slice into a plain object, so that damage can replace single methods. */
function plainSlice(slice: SeriesSlice): SeriesSlice {
  const { part, profileCount, rowFilter, isLabelled } = slice;
  return {
    part,
    profileCount,
    rowFilter,
    isLabelled,
    digest: () => slice.digest(),
    profiles: () => slice.profiles(),
    profileRuns: () => slice.profileRuns(),
    magnitudeMax: () => slice.magnitudeMax(),
    rows: (isWhole) => slice.rows(isWhole),
    sampleTimes: () => slice.sampleTimes(),
  };
}
