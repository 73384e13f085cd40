// Copies the profiles of blocks to another store, and compares what arrived.
import { DictionaryTranslator } from '../../model/dictionary-translator.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { labelSetKey } from '../../model/labels.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { SampleLabelsIndex, StackIndex } from '../../model/rows.ts';
import type { Block } from '../block/block.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import type { IncomingProfile, ReadContext, Storage } from '../interface.ts';
import { profileTypesOf, type StreamKey } from '../series/stream-key.ts';

/** Rows of one commit. */
const commitRowsMax = 100_000;

/** Store that is copied to. */
type Target = Pick<Storage, 'appender' | 'querier'>;

/** Outcome of the copy of a block. */
export interface CopiedBlock {
  readonly profileCount: number;
  readonly rowCount: number;
  /** Sentences about what could not be read, or did not arrive. */
  readonly missing: readonly string[];
}

/** Times and totals of the profiles of a series, in order of time. */
interface SeriesTotals {
  readonly times: bigint[];
  readonly totals: bigint[];
}

/**
 * Copies all profiles but deleted ones. A copy that was broken off can be begun again: the target
 * knows a profile by series, time and content. Afterwards each profile must be in the target with
 * the same total for each of its types.
 *
 * Errors: those of the target; AppError 'data-loss' when symbols cannot be read.
 */
export async function copyBlock(block: Block, target: Target): Promise<CopiedBlock> {
  const missing: string[] = [];
  const source = await block.dictionary();
  const expected = new Map<string, SeriesTotals>();
  const writer = new BatchWriter(target, source);
  let profileCount = 0;
  for await (const stream of block.streams((sentence) => missing.push(sentence))) {
    const keys = seriesKeys(stream.key);
    for await (const chunk of stream.chunks()) {
      profileCount += chunk.profileCount;
      for (let i = 0; i < chunk.profileCount; i += 1) {
        noteTotals(expected, keys, chunk, i);
        await writer.add(stream.key, chunk, i);
      }
    }
  }
  await writer.flush();
  missing.push(...(await compareTotals(block, target, expected)));
  return { profileCount, rowCount: writer.rowCount, missing };
}

/** Writes profiles in commits of a bounded number of rows. */
class BatchWriter {
  rowCount = 0;
  readonly #target: Target;
  readonly #source: Dictionary;
  readonly #translators = new WeakMap<Dictionary, DictionaryTranslator>();
  #appender: ReturnType<Storage['appender']> | undefined;
  #rows = 0;

  constructor(target: Target, source: Dictionary) {
    this.#target = target;
    this.#source = source;
  }

  async add(key: StreamKey, chunk: ChunkInput, i: number): Promise<void> {
    this.#appender ??= this.#target.appender();
    const { dictionary } = this.#appender;
    const translator =
      this.#translators.get(dictionary) ?? new DictionaryTranslator(this.#source, dictionary);
    this.#translators.set(dictionary, translator);
    const profile = profileOf(key, chunk, i, translator);
    this.#appender.append(profile);
    this.rowCount += profile.rowCount;
    this.#rows += profile.rowCount + 1;
    if (this.#rows >= commitRowsMax) await this.flush();
  }

  async flush(): Promise<void> {
    const appender = this.#appender;
    this.#appender = undefined;
    this.#rows = 0;
    await appender?.commit();
  }
}

function profileOf(
  { labels, name, sampleTypes, periodType }: StreamKey,
  chunk: ChunkInput,
  i: number,
  translator: DictionaryTranslator,
): IncomingProfile {
  const [first, end] = [chunk.rowStart[i], chunk.rowStart[i + 1]];
  const values = chunk.values.map((column) => column.slice(first, end));
  return {
    ...{ labels, name, sampleTypes, periodType },
    period: chunk.period[i],
    timeNanos: chunk.timeNanos[i],
    durationNanos: chunk.durationNanos[i],
    rowCount: end - first,
    stacks: chunk.stacks.slice(first, end).map((row) => translator.stack(row as StackIndex)),
    values,
    sampleLabels: chunk.sampleLabels
      ?.slice(first, end)
      .map((row) => translator.sampleLabels(row as SampleLabelsIndex)),
    // Old blocks have forgotten it; a copy of the same profile must have the same one.
    contentHash: BigInt(chunk.contentHash?.[i] ?? 0) || sumOf(values[0]),
  };
}

function sumOf(values: BigInt64Array): bigint {
  return BigInt.asIntN(
    64,
    values.reduce((sum, value) => sum + value, 0n),
  );
}

/** Keys of the series of a stream, one for each sample type. */
function seriesKeys(key: StreamKey): string[] {
  return profileTypesOf(key).map((type) => seriesKey(formatProfileType(type), key.labels));
}

function seriesKey(type: string, labels: StreamKey['labels']): string {
  return `${type}\u0000${labelSetKey(labels)}`;
}

function noteTotals(
  expected: Map<string, SeriesTotals>,
  keys: readonly string[],
  { timeNanos, values, rowStart }: ChunkInput,
  i: number,
): void {
  for (const [plane, key] of keys.entries()) {
    const series = expected.get(key) ?? { times: [], totals: [] };
    expected.set(key, series);
    series.times.push(timeNanos[i]);
    series.totals.push(sumOf(values[plane].subarray(rowStart[i], rowStart[i + 1])));
  }
}

/** Returns a sentence for each series of which a profile is not in the target as it was. */
async function compareTotals(
  block: Block,
  { querier }: Target,
  expected: ReadonlyMap<string, SeriesTotals>,
): Promise<string[]> {
  const { range } = block;
  if (range === undefined) return [];
  using selection = await querier.select({ matchers: [], profileType: undefined, range });
  const left = new Map(expected);
  const missing = [...selection.missing];
  for await (const { series, columns } of selection.profiles(freeContext)) {
    const key = seriesKey(formatProfileType(series.profileType), series.labels);
    const wanted = left.get(key);
    if (wanted === undefined) continue;
    const found = new Set(
      Array.from(columns.timeNanos, (time, i) => `${time} ${columns.total[i]}`),
    );
    const isThere = (time: bigint, i: number): boolean => found.has(`${time} ${wanted.totals[i]}`);
    if (wanted.times.every(isThere)) left.delete(key);
  }
  for (const key of left.keys()) {
    const [type] = key.split('\u0000');
    missing.push(`block ${block.id}: a series of ${type} did not arrive whole`);
  }
  return missing;
}

/** A context without limits. */
const freeContext: ReadContext = {
  signal: new AbortController().signal,
  budget: {
    rowsDone: 0,
    selectRows: () => undefined,
    hold: () => undefined,
    release: () => undefined,
  },
  pause: () => undefined,
  throwIfAborted: () => undefined,
};
