// Converts the Gecko profiler's own JSON to pprof, one profile for each thread with samples: the
// files that Firefox writes itself, for example with MOZ_PROFILER_SHUTDOWN, and that
// profiler.firefox.com has not processed.
//
// A table has a schema that names its columns; the last values of a row may be missing. The profile
// of a child process is inside that of its parent, and has its own times. Native frames are process
// addresses; the list of libraries gives the file, build id and offset of an address. Source:
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md
import { inputLimits } from '../../base/input-limits.ts';
import type { ImportContext, ImportedProfile } from '../reading/imported-profile.ts';
import type { JsonValue } from '../reading/json.ts';
import { StackValues } from '../reading/stack-values.ts';
import { wholeNumber } from '../reading/whole-number.ts';
import { PprofWriter } from '../pprof/writer.ts';

const what = 'cannot read Firefox profile';
/** Largest nesting depth of processes; Firefox has one level. */
const processDepthMax = 8;
/** Nanoseconds in each unit of CPU time. Any other unit counts cycles. */
const nanosPerCpuUnit: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['µs', 1e3],
  ['us', 1e3],
  ['ms', 1e6],
]);

/** Returns true for a profile whose tables have schemas. */
export function isRawProfile(file: JsonValue): boolean {
  const [thread] = file.get('threads').list();
  if (thread === undefined) return file.has('processes');
  return thread.has('samples') && thread.get('samples').has('schema');
}

/**
 * Converts a profile and the profiles of its processes. The value of a sample is 1; if Firefox
 * measured CPU time, there is a second value.
 *
 * Errors: AppError 'invalid-argument' naming the path in the file.
 */
export function decodeRawProfile(file: JsonValue, context: ImportContext): ImportedProfile[] {
  return listProfiles(file, context, 0);
}

function listProfiles(file: JsonValue, context: ImportContext, depth: number): ImportedProfile[] {
  if (depth > processDepthMax) throw file.fail('has processes in too many processes');
  const libraries = readLibraries(file);
  const profiles = file
    .get('threads')
    .list()
    .flatMap((thread) => {
      // In the first versions, threads of other processes are JSON strings.
      if (typeof thread.value === 'string') return [];
      const read = readThread(file, thread, libraries, context);
      return read === undefined ? [] : [read];
    });
  if (!file.has('processes')) return profiles;
  const processes = file.get('processes').list();
  return [...profiles, ...processes.flatMap((one) => listProfiles(one, context, depth + 1))];
}

function readThread(
  file: JsonValue,
  thread: JsonValue,
  libraries: readonly Library[],
  { timeNanos, durationNanos }: ImportContext,
): ImportedProfile | undefined {
  const samples = new Table(thread.get('samples'));
  if (samples.length === 0) return undefined;
  const writer = new PprofWriter();
  const stacks = new StackValues();
  const nodes = readStacks(thread, libraries, writer, stacks);
  const meta = file.get('meta');
  const cpuUnit = meta.has('sampleUnits')
    ? meta.get('sampleUnits').get('threadCPUDelta')
    : undefined;
  const perUnit = nanosPerCpuUnit.get(cpuUnit?.textOr('') ?? '');
  let hasCpu = false;
  const { first, last, areAllTimed } = readSpan(samples);
  for (let row = 0; row < samples.length; row += 1) {
    const time = areAllTimed ? samples.at(row, 'time')?.number() : undefined;
    const stack = samples.at(row, 'stack');
    if (stack === undefined) continue;
    const node = nodes[stack.index(nodes.length)];
    const cpu = perUnit === undefined ? undefined : samples.at(row, 'threadCPUDelta')?.number();
    const nanos = cpu === undefined ? 0n : wholeNumber(Math.max(0, cpu * (perUnit ?? 0)), what);
    hasCpu ||= cpu !== undefined;
    stacks.add(node, 1n, time === undefined ? undefined : toNanos(time - first), nanos);
  }
  stacks.writeTo(writer, hasCpu);
  const startMillis = meta.get('startTime').numberOr(0) + (Number.isFinite(first) ? first : 0);
  const length = last > first ? last - first : 0;
  const interval = meta.get('interval').numberOr(0);
  const count = { type: 'samples', unit: 'count' };
  const cpu = { type: 'cpu', unit: 'nanoseconds' };
  const pprof = writer.finish({
    sampleTypes: hasCpu ? [count, cpu] : [count],
    ...(hasCpu && { periodType: cpu, period: toNanos(interval) }),
    timeNanos: timeNanos === 0n ? toNanos(startMillis) : timeNanos,
    durationNanos: durationNanos === 0n ? toNanos(length) : durationNanos,
  });
  const labels = [
    { name: 'process', value: readProcessName(thread) },
    { name: 'thread', value: thread.get('name').textOr('') },
    { name: 'pid', value: textOfNumber(thread.get('pid')) },
  ];
  return { name: 'process_cpu', labels: labels.filter(({ value }) => value !== ''), pprof };
}

/** Returns the first and the last time in milliseconds; infinite if no sample has a time. */
function readSpan(samples: Table): { first: number; last: number; areAllTimed: boolean } {
  let [first, last, areAllTimed] = [Infinity, -Infinity, true];
  for (let row = 0; row < samples.length; row += 1) {
    const time = samples.at(row, 'time')?.number();
    if (time === undefined) areAllTimed = false;
    else [first, last] = [Math.min(first, time), Math.max(last, time)];
  }
  return { first, last, areAllTimed };
}

function readProcessName(thread: JsonValue): string {
  return thread.get('processName').textOr('') || thread.get('processType').textOr('');
}

/** Returns a process id as a string. Process ids are numbers or, in later versions, strings. */
function textOfNumber(value: JsonValue): string {
  const number = value.numberOr(-1);
  return number >= 0 ? String(number) : (/^\d+$/.exec(value.textOr(''))?.[0] ?? '');
}

/**
 * Converts milliseconds to nanoseconds, rounded to microseconds, which a double can represent
 * exactly.
 */
function toNanos(millis: number): bigint {
  return BigInt.asIntN(64, wholeNumber(Math.max(0, millis * 1e3), what) * 1_000n);
}

/** Returns the node of each row of the stack table. */
function readStacks(
  thread: JsonValue,
  libraries: readonly Library[],
  writer: PprofWriter,
  stacks: StackValues,
): number[] {
  const table = new Table(thread.get('stackTable'));
  const frames = new Table(thread.get('frameTable'));
  const strings = thread.get('stringTable').list();
  const locations: number[] = [];
  const nodes: number[] = [];
  const depths: number[] = [];
  for (let row = 0; row < table.length; row += 1) {
    const prefix = table.at(row, 'prefix')?.index(row);
    const depth = prefix === undefined ? 1 : depths[prefix] + 1;
    if (depth > inputLimits.stackDepth) {
      throw thread.get('stackTable').failDeep('has a stack of more than');
    }
    const frame = table.at(row, 'frame');
    if (frame === undefined) throw thread.get('stackTable').fail('has a row without a frame');
    const at = frame.index(frames.length);
    const location = (locations[at] ??= readFrame(frames, at, strings, libraries, writer));
    nodes.push(stacks.child(prefix === undefined ? 0 : nodes[prefix], location));
    depths.push(depth);
  }
  return nodes;
}

const addressForm = /^0x([0-9a-f]{1,16})$/i;
/** Matches a JavaScript function and its position, such as `render (chrome://a.js:12:3)`. */
const scriptForm = /^(.*) \((.+?)(?::(\d+))?(?::(\d+))?\)$/;

function readFrame(
  frames: Table,
  row: number,
  strings: readonly JsonValue[],
  libraries: readonly Library[],
  writer: PprofWriter,
): number {
  const index = frames.at(row, 'location');
  const text = index === undefined ? '' : strings[index.index(strings.length)].text();
  const digits = addressForm.exec(text)?.[1];
  if (digits !== undefined) {
    const address = BigInt(`0x${digits}`);
    const library = findLibrary(libraries, address);
    return writer.location(library === undefined ? 0 : writer.mapping(library), address, []);
  }
  const [, name = text, file = '', startLine] = scriptForm.exec(text) ?? [];
  const line = frames.at(row, 'line')?.numberOr(0) ?? 0;
  const column = frames.at(row, 'column')?.numberOr(0) ?? 0;
  return writer.frame({
    name: name === '' ? '(anonymous)' : name,
    file,
    line: small(line) || small(Number(startLine)),
    column: small(column),
    startLine: small(Number(startLine)),
  });
}

function small(value: number): number {
  return Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : 0;
}

/** A library of a process, as a mapping. */
interface Library {
  readonly file: string;
  readonly buildId: string;
  readonly start: bigint;
  readonly limit: bigint;
  readonly offset: bigint;
}

function readLibraries(file: JsonValue): Library[] {
  // In the first versions, this is a JSON string.
  if (!file.has('libs') || typeof file.get('libs').value === 'string') return [];
  const libraries = file
    .get('libs')
    .list()
    .map((library) => ({
      file: library.get('path').textOr('') || library.get('name').textOr(''),
      // On Linux, the code id is the build id.
      buildId: library.get('codeId').textOr('').toLowerCase(),
      start: readAddress(library.get('start')),
      limit: readAddress(library.get('end')),
      offset: readAddress(library.get('offset')),
    }));
  return libraries.sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
}

function readAddress(value: JsonValue): bigint {
  const number = value.numberOr(0);
  return Number.isSafeInteger(number) && number > 0 ? BigInt(number) : 0n;
}

/** Returns the library that contains an address; undefined if there is none. */
function findLibrary(libraries: readonly Library[], address: bigint): Library | undefined {
  let low = 0;
  let high = libraries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (libraries[middle].start <= address) low = middle + 1;
    else high = middle;
  }
  const library = libraries[low - 1];
  return library !== undefined && address < library.limit ? library : undefined;
}

/** Reads rows of a table by the names of its columns. */
class Table {
  readonly #rows: readonly JsonValue[];
  readonly #schema: JsonValue;
  readonly #columns = new Map<string, number | undefined>();
  /** Row whose values are in `#last`. */
  #lastRow = -1;
  #last: readonly JsonValue[] = [];

  constructor(table: JsonValue) {
    this.#rows = table.get('data').list();
    this.#schema = table.get('schema');
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Returns a value of a row; undefined for null, or after the end of the row. */
  at(row: number, name: string): JsonValue | undefined {
    if (row !== this.#lastRow) {
      this.#lastRow = row;
      this.#last = this.#rows[row].list();
    }
    if (!this.#columns.has(name)) {
      const has = this.#schema.has(name);
      this.#columns.set(name, has ? this.#schema.get(name).index(maxColumns) : undefined);
    }
    const column = this.#columns.get(name);
    const value = column === undefined ? undefined : this.#last[column];
    return value === undefined || value.value === null || value.value === undefined
      ? undefined
      : value;
  }
}

/** Largest number of columns that are read; no table of Firefox has that many. */
const maxColumns = 1_000;
