// Adds up the sums of several selections by stack.
import { StackMerger } from '../../model/merge.ts';
import { JoinedDictionaries } from '../../model/dictionaries/joined-dictionary.ts';
import type {
  ReadContext,
  SampleLine,
  SampleQuestion,
  SamplesOverTime,
  Selection,
  StackGroupSum,
  StackSums,
} from '../../storage/interface.ts';

/** Tools for adding up stacks of several selections, shared by all queries. */
export class JoiningTools {
  readonly dictionaries = new JoinedDictionaries();
  readonly merger = new StackMerger();
}

/** Adds up groups that have the same labels and time, in one dictionary. */
export async function addStackSums(
  all: readonly StackSums[],
  { dictionaries, merger }: JoiningTools,
  context: ReadContext,
): Promise<StackSums> {
  const [first, ...others] = new Set(all.flatMap(({ dictionary }) => dictionary ?? []));
  if (first === undefined) return { dictionary: undefined, groups: [] };
  const joined = others.length === 0 ? undefined : dictionaries.current(first);
  const dictionary = joined?.dictionary ?? first;
  const byKey = new Map<string, StackGroupSum[]>();
  for (const { dictionary: from, groups } of all) {
    for (const group of groups) {
      const { labelValues, span } = group;
      const merged =
        joined === undefined || from === undefined || from === dictionary
          ? group.merged
          : await joined.translatePausing(from, group.merged, context);
      const key = JSON.stringify([labelValues, `${span?.timeNanos} ${span?.durationNanos}`]);
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [{ ...group, merged }]);
      else same.push({ ...group, merged });
    }
  }
  const groups = Array.from(byKey.values(), ([group, ...same]): StackGroupSum => {
    const rows = [group, ...same].map(({ merged }) => merged);
    const isSum = joined === undefined && same.length === 0;
    const rowCount = rows.reduce((sum, { stacks }) => sum + stacks.length, 0);
    const merged = isSum ? group.merged : merger.collapse(rows, rowCount, dictionary.stacks.length);
    return { ...group, merged };
  });
  return { dictionary, groups: groups.filter(({ merged }) => merged.stacks.length > 0) };
}

/** Queries selections of several ranges or types one after another, and adds up their lines. */
export async function addSamplesOverTime(
  parts: readonly Pick<Selection, 'samplesOverTime'>[],
  question: SampleQuestion,
  context: ReadContext,
): Promise<SamplesOverTime> {
  const lines = new Map<string, SampleLine>();
  let untimed = 0n;
  for (const part of parts) {
    const answer = await part.samplesOverTime(question, context);
    untimed += answer.untimed;
    for (const line of answer.lines) {
      const key = JSON.stringify(line.labelValues);
      const sum = lines.get(key)?.values;
      if (sum === undefined) lines.set(key, { ...line, values: line.values.slice() });
      else for (let i = 0; i < sum.length; i += 1) sum[i] += line.values[i];
    }
  }
  return { lines: [...lines.values()], untimed: BigInt.asIntN(64, untimed) };
}
