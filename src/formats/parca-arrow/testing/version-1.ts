// Streams of schema v1, for tests: samples, and the locations of their stacks.
import { encodeNestedStream } from '../../arrow/ipc-stream.ts';
import {
  dictionaryRows,
  integers,
  type NestedColumn,
  runs,
  strings,
  structs,
} from '../../arrow/nested-column.ts';
import type { RecordFrame, RecordLine } from '../encode-record.ts';
import { versionKey } from '../record-reader.ts';

/** A sample: the id of its stack, its labels, its value. */
export interface Version1Sample {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: bigint;
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Makes a column of runs of one row each, whose values are byte strings in a dictionary. */
function words(name: string, texts: readonly string[]): NestedColumn {
  const distinct = [...new Set(texts)];
  const rows = Uint32Array.from(texts, (text) => distinct.indexOf(text));
  const valid = Uint8Array.from(texts, (text) => Number(text !== ''));
  const entries = strings(name, distinct.map(bytes), false);
  return inRuns(name, dictionaryRows(name, rows, entries, valid));
}

function inRuns(name: string, values: NestedColumn): NestedColumn {
  return {
    ...runs(
      Int32Array.from({ length: values.length }, (_, i) => i + 1),
      values,
    ),
    name,
  };
}

function lists(name: string, sizes: readonly number[], items: NestedColumn): NestedColumn {
  const offsets = new Int32Array(sizes.length + 1);
  sizes.forEach((size, i) => (offsets[i + 1] = offsets[i] + size));
  const type = { kind: 'list' } as const;
  return { name, type, length: sizes.length, buffers: [offsets], children: [items] };
}

/** Encodes the first message: samples at `timeNanos`. */
export function encodeSamples(samples: readonly Version1Sample[], timeNanos: bigint): Uint8Array {
  const names = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].sort();
  const all = (name: string, text: string): NestedColumn =>
    words(
      name,
      samples.map(() => text),
    );
  const int = (name: string, value: bigint): NestedColumn =>
    inRuns(
      name,
      integers(
        name,
        BigInt64Array.from(samples, () => value),
      ),
    );
  const columns = [
    ...names.map((name) =>
      words(
        `labels.${name}`,
        samples.map(({ labels }) => labels[name] ?? ''),
      ),
    ),
    words(
      'stacktrace_id',
      samples.map(({ id }) => id),
    ),
    integers(
      'value',
      BigInt64Array.from(samples, ({ value }) => value),
    ),
    all('producer', 'parca_agent'),
    all('sample_type', 'samples'),
    all('sample_unit', 'count'),
    all('period_type', 'cpu'),
    all('period_unit', 'nanoseconds'),
    all('temporality', 'delta'),
    int('period', 52_631_578n),
    int('duration', 1_000_000_000n),
    int('timestamp', timeNanos),
  ];
  return encodeNestedStream(columns, samples.length, [[versionKey, 'v1']], undefined);
}

/** Mapping of a frame; all zero without a mapping. */
export interface Version1Range {
  readonly start: bigint;
  readonly limit: bigint;
  readonly offset: bigint;
}

const noRange: Version1Range = { start: 0n, limit: 0n, offset: 0n };

/** Encodes the second message: the stack of each id. All mappings get the range `range`. */
export function encodeLocations(
  stacks: readonly (readonly [id: string, frames: readonly RecordFrame[]])[],
  range: Version1Range = noRange,
): Uint8Array {
  const ids = stacks.map(([id]) => bytes(id));
  const depths = stacks.map(([, frames]) => frames.length);
  const locations = locationColumns(
    stacks.flatMap(([, frames]) => frames),
    range,
  );
  const flags = new Uint8Array(Math.ceil(stacks.length / 8)).fill(0xff);
  const isComplete = {
    name: 'is_complete',
    type: { kind: 'bool' },
    length: stacks.length,
  } as const;
  const columns = [
    strings('stacktrace_id', ids, false),
    { ...isComplete, buffers: [flags] },
    lists('locations', depths, locations),
  ];
  return encodeNestedStream(columns, stacks.length, [[versionKey, 'v1']], undefined);
}

function locationColumns(frames: readonly RecordFrame[], range: Version1Range): NestedColumn {
  const all = (name: keyof Version1Range): NestedColumn => {
    const values = new BigUint64Array(frames.length).fill(range[name]);
    return inRuns(`mapping_${name}`, integers(`mapping_${name}`, values));
  };
  const files = frames.map(({ mappingFile }) => mappingFile);
  const buildIds = frames.map(({ buildId }) => buildId);
  const lineCounts = frames.map(({ lines }) => lines.length);
  const addresses = BigUint64Array.from(frames, ({ address }) => address);
  return structs('item', frames.length, [
    integers('address', addresses),
    ...(['start', 'limit', 'offset'] as const).map(all),
    words('mapping_file', files),
    words('mapping_build_id', buildIds),
    lists('lines', lineCounts, lineColumns(frames.flatMap(({ lines }) => lines))),
  ]);
}

function lineColumns(lines: readonly RecordLine[]): NestedColumn {
  const text = (name: string, of: (line: RecordLine) => string): NestedColumn =>
    words(name, lines.map(of));
  const int = (name: string, of: (line: RecordLine) => number): NestedColumn =>
    integers(
      name,
      BigInt64Array.from(lines, (line) => BigInt(of(line))),
    );
  return structs('item', lines.length, [
    int('line', ({ line }) => line),
    int('column', ({ column }) => column),
    text('function_name', () => ''),
    text('function_system_name', ({ systemName }) => systemName),
    text('function_filename', ({ fileName }) => fileName),
    int('function_start_line', ({ startLine }) => startLine),
  ]);
}
