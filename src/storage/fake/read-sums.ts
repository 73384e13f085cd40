// Reads everything that a store has, using only queries of the storage seam.
import { labelValue } from '../../model/labels.ts';
import { freeContext } from '../free-context.ts';
import type { Selection, SeriesQuery, StackSums, Storage } from '../interface.ts';
import { stackText, type ReadProfile, type ReadSeries } from './read-selection.ts';

/**
 * Returns series with their profiles and the nonzero rows of each profile. Profiles with the same
 * time and duration are merged: each has all of their rows. A sample label is shown if the series
 * has no label with that name.
 */
export async function readSums(storage: Storage, query: SeriesQuery): Promise<ReadSeries[]> {
  const names = await storage.querier.labelNames(query);
  using selection = await storage.querier.select(query);
  const found: ReadSeries[] = [];
  for await (const { series, columns } of selection.profiles(freeContext)) {
    const { labels, profileType } = series;
    using alone = await storage.querier.select({ ...query, profileType });
    const own = names.map((name) => labelValue(labels, name));
    const sums = await mergeByTime(alone, names);
    const profiles = Array.from(columns.timeNanos, (timeNanos, i): ReadProfile => {
      const durationNanos = columns.durationNanos[i];
      const [period, total, count] = [columns.period[i], columns.total[i], columns.count[i]];
      const rows = rowsAt(sums, { timeNanos, durationNanos }, names, own);
      return { timeNanos, durationNanos, period, total, count, rows };
    });
    found.push({ labels, profileType, profiles });
  }
  return found;
}

function mergeByTime(selection: Selection, groupBy: readonly string[]): Promise<StackSums> {
  const question = { groupBy, byTime: true, timesPeriod: false, steps: undefined };
  return selection.merge(question, freeContext);
}

/**
 * Returns the rows of a series at one time. `own` has the values of the labels `names` of the
 * series.
 */
function rowsAt(
  { dictionary, groups }: StackSums,
  { timeNanos, durationNanos }: Pick<ReadProfile, 'timeNanos' | 'durationNanos'>,
  names: readonly string[],
  own: readonly string[],
): ReadProfile['rows'] {
  if (dictionary === undefined) return [];
  return groups
    .filter(({ span }) => span?.timeNanos === timeNanos && span.durationNanos === durationNanos)
    .filter(({ labelValues }) => own.every((value, i) => value === '' || value === labelValues[i]))
    .flatMap(({ labelValues, merged }) => {
      const labels = names
        .map((name, i) =>
          own[i] === '' && labelValues[i] !== '' ? `{${name}=${labelValues[i]}}` : '',
        )
        .join('');
      return Array.from(merged.stacks, (stack, i) => {
        return { stack: stackText(dictionary, stack), labels, value: merged.values[i], times: '' };
      });
    });
}
