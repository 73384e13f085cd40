// Reads the contents of blocks and the answers from them, as strings and sums that do not depend on
// how blocks are cut.
import type { Dictionary } from '../../../model/dictionary.ts';
import type { StringIndex } from '../../../model/rows.ts';
import { ChunkReader } from '../../chunk/chunk-reader.ts';
import { decodeRows } from '../../chunk/decode-rows.ts';
import type { Recipe } from '../../fake/recipes.ts';
import type { SeriesQuery, TimeRange } from '../../interface.ts';
import type { ChunkRows, SeriesStore } from '../../selection.ts';

/** Nonzero sums by series, stack and sample labels. Keys are strings. */
type Sums = ReadonlyMap<string, bigint>;

/** Returns the sums of the profiles in `recipes` that are in the range. */
export function sumsOfRecipes(recipes: readonly Recipe[], { from, to }: TimeRange): Sums {
  const sums = new Map<string, bigint>();
  for (const { kind, instance, timeNanos, rows } of recipes) {
    if (timeNanos < from || timeNanos > to) continue;
    for (const { stack, label, values } of rows) {
      for (const [valueColumn, { type }] of kind.sampleTypes.entries()) {
        add(sums, `${kind.name}:${type}{${instance}} ${stack}{${label}}`, values[valueColumn]);
      }
    }
  }
  return withoutZeros(sums);
}

/** Returns the sums that the store computes, which uses rollups where possible. */
export async function sumsOfStore(querier: SeriesStore, query: SeriesQuery): Promise<Sums> {
  using selection = await querier.select(query);
  const sums = new Map<string, bigint>();
  const dictionaries = await Promise.all(selection.parts.map((part) => part.dictionary()));
  for (const { labels, profileType, slices } of selection.series) {
    const { name, sample } = profileType;
    const head = `${name}:${sample.type}{${labels[0]?.value ?? ''}}`;
    for (const slice of slices) {
      for (const source of await slice.rows(true)) {
        if (source.kind !== 'chunk') throw new Error('rows are in chunks');
        addChunk(sums, head, source, dictionaries[slice.part]);
      }
    }
  }
  if (selection.missing.length > 0) throw new Error(selection.missing.join('\n'));
  return withoutZeros(sums);
}

const reader = new ChunkReader();

function addChunk(
  sums: Map<string, bigint>,
  head: string,
  { chunk, valueColumn, first, end }: ChunkRows,
  dictionary: Dictionary,
): void {
  const sum = reader.sumChunk(chunk, valueColumn, first, end);
  if (sum.labelsInRows) {
    const { stacks, sampleLabels, values, rowStart, profileCount } = decodeRows(chunk, first, end);
    for (let row = 0; row < rowStart[profileCount]; row += 1) {
      const text = rowText(dictionary, stacks[row], sampleLabels?.[row] ?? 0);
      add(sums, `${head} ${text}`, values[valueColumn][row]);
    }
    return;
  }
  for (let i = 0; i < sum.entryCount; i += 1) {
    const text = rowText(dictionary, sum.entryStack[i], sum.entryLabels?.[i] ?? 0);
    add(sums, `${head} ${text}`, sum.sums[i]);
  }
}

/** Formats a row as `leaf;...;root{name=value}`, like recipes. */
function rowText(dictionary: Dictionary, stack: number, labels: number): string {
  const { stacks, locations, functions, strings, sampleLabels } = dictionary;
  const names: string[] = [];
  for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
    const line = locations.lineStart[stacks.nodeLocation[node]];
    names.push(strings.text(functions.name[locations.lineFunction[line]] as StringIndex));
  }
  const { entryStart, key, text } = sampleLabels;
  const pairs: string[] = [];
  for (let i = entryStart[labels]; i < entryStart[labels + 1]; i += 1) {
    pairs.push(`${strings.text(key[i] as StringIndex)}=${strings.text(text[i] as StringIndex)}`);
  }
  return `${names.join(';')}{${pairs.join()}}`;
}

function add(sums: Map<string, bigint>, key: string, value: bigint): void {
  sums.set(key, BigInt.asIntN(64, (sums.get(key) ?? 0n) + value));
}

function withoutZeros(sums: Map<string, bigint>): Sums {
  return new Map([...sums].filter(([, value]) => value !== 0n));
}
