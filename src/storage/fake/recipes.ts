// Random profiles as plain data: they can be interned into any store, and printed as strings for an
// oracle.
import { randomBelow, type Random } from '../../base/random.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { ValueType } from '../../model/profile-type.ts';
import { encodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import type { IncomingProfile } from '../interface.ts';
import { internSampleLabels, internStack } from './intern.ts';

/**
 * A row of a recipe: its frames, leaf first and joined by ";"; a sample label ("" or "name=value");
 * and a value for each sample type.
 */
export interface RecipeRow {
  readonly stack: string;
  readonly label: string;
  readonly values: readonly bigint[];
  /** Milliseconds from the profile's start to its samples, ascending; empty without times. */
  readonly times: readonly number[];
}

/** A profile that can be written any number of times, to any store. */
export interface Recipe {
  readonly kind: StreamKind;
  readonly instance: string;
  readonly timeNanos: bigint;
  readonly contentHash: bigint;
  readonly rows: readonly RecipeRow[];
  /** A string for each sample type, with all data of the profile that a store must return. */
  readonly texts: readonly string[];
}

/** Properties that the profiles of a stream share. */
export interface StreamKind {
  readonly name: string;
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  readonly period: bigint;
  readonly durationNanos: bigint;
  readonly isLabelled: boolean;
}

const count = 'count';
const space = 'bytes';
const cpuTypes = [
  { type: 'samples', unit: count },
  { type: 'cpu', unit: 'nanoseconds' },
];
const cpu: StreamKind = {
  name: 'process_cpu',
  sampleTypes: cpuTypes,
  periodType: cpuTypes[1],
  period: 10_000_000n,
  durationNanos: 10_000_000_000n,
  isLabelled: false,
};
const heap: StreamKind = {
  name: 'memory',
  sampleTypes: [
    { type: 'alloc_objects', unit: count },
    { type: 'alloc_space', unit: space },
    { type: 'inuse_objects', unit: count },
    { type: 'inuse_space', unit: space },
  ],
  periodType: { type: 'space', unit: space },
  period: 524_288n,
  durationNanos: 0n,
  isLabelled: false,
};

/**
 * Kinds of streams: a delta type with two values, a cumulative type with four, and a type with
 * sample labels.
 */
const streamKinds: readonly StreamKind[] = [
  cpu,
  heap,
  { ...cpu, name: 'labelled_cpu', isLabelled: true },
];

export interface RecipeOptions {
  readonly rows: number;
  readonly seriesCount: number;
  readonly functionCount: number;
  readonly timeNanos: bigint;
  /** Value of the first row. It is set if another profile may have the same time. */
  readonly mark: bigint | undefined;
}

/** Returns a profile of one of the kinds, with at most `rows` rows. */
export function randomRecipe(random: Random, options: RecipeOptions): Recipe {
  const kind = streamKinds[randomBelow(random, streamKinds.length)];
  const instance = `host-${randomBelow(random, options.seriesCount)}`;
  const isTimed = kind.isLabelled && random.uint32() % 2 === 0;
  const rows = new Map<string, RecipeRow>();
  for (let row = randomBelow(random, options.rows); row >= 0; row -= 1) {
    const stack = randomStack(random, options.functionCount);
    const label = kind.isLabelled ? ['', 'thread=a', 'thread=b'][randomBelow(random, 3)] : '';
    const mark = rows.size === 0 ? options.mark : undefined;
    const values = kind.sampleTypes.map(
      (_, valueColumn) => mark ?? randomValue(random, valueColumn),
    );
    const times = isTimed ? randomTimes(random) : [];
    rows.set(`${stack}{${label}}`, { stack, label, values, times });
  }
  const contentHash = (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  const all = [...rows.values()];
  const { timeNanos } = options;
  const texts = kind.sampleTypes.map((_, valueColumn) =>
    valueColumnText(kind, instance, timeNanos, all, valueColumn),
  );
  return { kind, instance, timeNanos, contentHash, rows: all, texts };
}

/** Interns a recipe for an appender that uses `dictionary`. */
export function internRecipe(dictionary: Dictionary, recipe: Recipe): IncomingProfile {
  const { kind, rows } = recipe;
  const values = kind.sampleTypes.map((_, valueColumn) =>
    BigInt64Array.from(rows, (row) => row.values[valueColumn]),
  );
  return {
    labels: [{ name: 'instance', value: recipe.instance }],
    name: kind.name,
    sampleTypes: kind.sampleTypes,
    periodType: kind.periodType,
    period: kind.period,
    timeNanos: recipe.timeNanos,
    durationNanos: kind.durationNanos,
    rowCount: rows.length,
    stacks: Uint32Array.from(rows, ({ stack }) => internStack(dictionary, stack.split(';'))),
    values,
    sampleLabels: kind.isLabelled
      ? Uint32Array.from(rows, ({ label }) => internSampleLabels(dictionary, parseLabel(label)))
      : undefined,
    contentHash: recipe.contentHash,
    sampleTimes: encodeTimes(recipe, values),
  };
}

/**
 * Encodes the sample times of a recipe. The first sample of a row has the whole value of the row.
 */
function encodeTimes(
  { rows, timeNanos }: Recipe,
  values: readonly BigInt64Array[],
): Uint8Array | undefined {
  const start = Uint32Array.from({ length: rows.length + 1 });
  for (const [i, { times }] of rows.entries()) start[i + 1] = start[i] + times.length;
  if (start[rows.length] === 0) return undefined;
  const first = Number(timeNanos / 1_000_000n);
  const millis = Float64Array.from(rows.flatMap(({ times }) => times.map((one) => first + one)));
  const own = values.map((column) =>
    BigInt64Array.from(
      rows.flatMap(({ times }, row) => times.map((_, i) => (i === 0 ? column[row] : 0n))),
    ),
  );
  return encodeSampleTimes({ start, millis, values: own }, values);
}

/** Returns the beginning of a string, which identifies a profile and one of its sample types. */
export function textHead(name: string, type: string, instance: string, time: bigint): string {
  return `${name}:${type}{${instance}}@${time}`;
}

/** Returns the rest of a string; `lines` are `stack{label}=value`, in any order. */
export function textBody(columns: readonly (bigint | number)[], lines: string[]): string {
  return ` ${columns.join(' ')}\n${lines.sort().join('\n')}`;
}

function valueColumnText(
  kind: StreamKind,
  instance: string,
  timeNanos: bigint,
  rows: readonly RecipeRow[],
  valueColumn: number,
): string {
  let total = 0n;
  const lines: string[] = [];
  for (const { stack, label, values, times } of rows) {
    const value = values[valueColumn];
    if (value === 0n) continue;
    total += value;
    const at = times.length === 0 ? '' : `@${times.join()}`;
    lines.push(`${stack}{${label}}${at}=${value}`);
  }
  const columns = [BigInt.asIntN(64, total), lines.length, kind.durationNanos, kind.period];
  const head = textHead(kind.name, kind.sampleTypes[valueColumn].type, instance, timeNanos);
  return head + textBody(columns, lines);
}

/** Returns the times of up to 5 samples within 10 s. */
function randomTimes(random: Random): number[] {
  const count = randomBelow(random, 6);
  return Array.from({ length: count }, () => randomBelow(random, 10_000)).sort((a, b) => a - b);
}

/** Returns a random stack; stacks of one program share their roots. */
function randomStack(random: Random, functionCount: number): string {
  let stack = 'main';
  for (let depth = randomBelow(random, 4); depth >= 0; depth -= 1) {
    stack = `f${randomBelow(random, functionCount)};${stack}`;
  }
  return stack;
}

const edges = [0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];

/**
 * Returns a random value: usually small, often 0 in later sample types, sometimes the smallest or
 * largest int64.
 */
function randomValue(random: Random, valueColumn: number): bigint {
  const die = random.uint32() & 63;
  if (die === 0) return edges[randomBelow(random, edges.length)];
  if (valueColumn > 0 && die < 16) return 0n;
  return BigInt(1 + randomBelow(random, 1 << (random.uint32() & 15)));
}

function parseLabel(label: string): readonly (readonly [string, string])[] {
  if (label === '') return [];
  const [name, value] = label.split('=');
  return [[name, value]];
}
