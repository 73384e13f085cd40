// Converts the Firefox Profiler's JSON to pprof, one profile for each thread with samples.
// decode-raw.ts reads the files that Firefox writes.
//
// Up to version 54, each thread has its own tables; later versions moved them to `shared` one by
// one. Each table is read from where the file has it. Source:
// https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md
import { AppError } from '../../base/errors.ts';
import { inputLimits } from '../../base/input-limits.ts';
import type { ValueType } from '../../model/profile-type.ts';
import {
  type ImportContext,
  type ImportedProfile,
  refuseMeaning,
} from '../reading/imported-profile.ts';
import { JsonValue } from '../reading/json.ts';
import { StackValues } from '../reading/stack-values.ts';
import { wholeNumber } from '../reading/whole-number.ts';
import { PprofWriter } from '../pprof/writer.ts';
import { decodeRawProfile, isRawProfile } from './decode-raw.ts';

const what = 'cannot read Firefox profile';
const nanosPerMilli = 1e6;

interface Weight {
  readonly name: string;
  readonly valueType: ValueType;
  readonly perUnit: number;
}

const samplesWeight: Weight = {
  name: 'process_cpu',
  valueType: { type: 'samples', unit: 'count' },
  perUnit: 1,
};
const weights: ReadonlyMap<string, Weight> = new Map([
  ['samples', samplesWeight],
  [
    'tracing-ms',
    {
      name: 'process_cpu',
      valueType: { type: 'cpu', unit: 'nanoseconds' },
      perUnit: nanosPerMilli,
    },
  ],
  ['bytes', { name: 'memory', valueType: { type: 'space', unit: 'bytes' }, perUnit: 1 }],
]);

/**
 * Converts a parsed file to a profile for each thread with samples, with the labels `process` and
 * `thread`. Markers and other tracks are left out.
 *
 * Errors: AppError 'invalid-argument' naming the path in the file.
 */
export function decodeFirefoxProfile(json: unknown, context: ImportContext): ImportedProfile[] {
  const file = new JsonValue(json, what, '');
  if (isRawProfile(file)) return requireProfiles(decodeRawProfile(file, context));
  const startMillis = file.get('meta').get('startTime').numberOr(0);
  const timeNanos =
    context.timeNanos === 0n ? wholeNumber(startMillis * nanosPerMilli, what) : context.timeNanos;
  const threads = file.get('threads').list();
  const profiles = threads.flatMap((thread) => {
    const samples = thread.get('samples');
    const hasSamples = samples.get('stack').list().length > 0;
    return hasSamples ? [decodeThread(file, thread, { ...context, timeNanos })] : [];
  });
  return requireProfiles(profiles);
}

function requireProfiles(profiles: ImportedProfile[]): ImportedProfile[] {
  if (profiles.length > 0) return profiles;
  throw new AppError('invalid-argument', `${what}: no thread has samples`);
}

function decodeThread(file: JsonValue, thread: JsonValue, context: ImportContext): ImportedProfile {
  const { timeNanos, durationNanos, counts } = context;
  const samples = thread.get('samples');
  const weightType = samples.get('weightType').textOr('samples');
  const weight = weights.get(weightType) ?? samplesWeight;
  const isCounted = weight === samplesWeight;
  if (!isCounted) refuseMeaning(context, `weights of ${weightType} say`);
  const given = isCounted && counts.parameter !== undefined ? counts : undefined;
  const { name, valueType, perUnit } = weight;
  const writer = new PprofWriter();
  const stacks = new StackValues();
  const nodes = readStacks(new Tables(file, thread), writer, stacks);
  const sampled = samples.get('stack').list();
  const own = samples.has('weight') ? samples.get('weight').list() : undefined;
  if (own !== undefined && own.length !== sampled.length) {
    throw samples.get('weight').fail(`has ${own.length} entries, not ${sampled.length}`);
  }
  const times = readTimes(samples, sampled.length);
  sampled.forEach((stack, i) => {
    if (stack.value === null) return;
    const value = own === undefined ? 1 : own[i].number();
    stacks.add(
      nodes[stack.index(nodes.length)],
      wholeNumber(value * perUnit, what) * (given?.factor ?? 1n),
      times && wholeNumber(times[i] * nanosPerMilli, what),
    );
  });
  stacks.writeTo(writer);
  const pprof = writer.finish({
    sampleTypes: [given?.sampleType ?? valueType],
    periodType: given?.periodType,
    period: given?.period,
    timeNanos,
    durationNanos: durationNanos === 0n ? measureDuration(samples) : durationNanos,
  });
  const labels = [
    { name: 'process', value: thread.get('processName').textOr('') },
    { name: 'thread', value: thread.get('name').textOr('') },
  ];
  return { name: given?.name ?? name, labels: labels.filter(({ value }) => value !== ''), pprof };
}

/** Returns the milliseconds of each sample after the start of the file; undefined if unknown. */
function readTimes(samples: JsonValue, count: number): number[] | undefined {
  const name = samples.has('time') ? 'time' : 'timeDeltas';
  if (!samples.has(name)) return undefined;
  const list = samples.get(name).list();
  if (list.length !== count) return undefined;
  let time = 0;
  return list.map((one) => (time = name === 'time' ? one.number() : time + one.number()));
}

/** Returns the time from the first to the last sample; 0 if it is unknown. */
function measureDuration(samples: JsonValue): bigint {
  const millis = (name: string): number[] =>
    samples.has(name)
      ? samples
          .get(name)
          .list()
          .map((one) => one.number())
      : [];
  const times = millis('time');
  const length =
    times.length > 0
      ? times[times.length - 1] - times[0]
      : millis('timeDeltas')
          .slice(1)
          .reduce((sum, delta) => sum + delta, 0);
  return wholeNumber(Math.max(0, length * nanosPerMilli), what);
}

/** Returns the node of each row of the stack table. */
function readStacks(tables: Tables, writer: PprofWriter, stacks: StackValues): number[] {
  const table = tables.get('stackTable');
  const frames = table.get('frame').list();
  const prefixes = table.get('prefix').list();
  const locations: number[] = [];
  const nodes: number[] = [];
  const depths: number[] = [];
  frames.forEach((frame, i) => {
    const prefix = prefixes[i]?.value === null ? undefined : prefixes[i]?.index(i);
    const depth = prefix === undefined ? 1 : depths[prefix] + 1;
    if (depth > inputLimits.stackDepth) throw frame.failDeep('is of a stack of more than');
    const row = frame.number();
    const location = (locations[row] ??= writer.frame(tables.frame(frame)));
    nodes.push(stacks.child(prefix === undefined ? 0 : nodes[prefix], location));
    depths.push(depth);
  });
  return nodes;
}

/** The tables of a thread: its own tables, or tables that all threads of the file share. */
class Tables {
  readonly #file: JsonValue;
  readonly #thread: JsonValue;
  readonly #columns = new Map<string, readonly JsonValue[]>();

  constructor(file: JsonValue, thread: JsonValue) {
    this.#file = file;
    this.#thread = thread;
  }

  get(name: string): JsonValue {
    return this.#thread.has(name) ? this.#thread.get(name) : this.#file.get('shared').get(name);
  }

  /** Returns the known facts about the frame in a row of the frame table. */
  frame(row: JsonValue): { name: string; file: string; line: number; column: number } {
    const functions = this.#column('frameTable', 'func');
    const at = row.index(functions.length);
    const names = this.#column('funcTable', 'name');
    const own = functions[at].index(names.length);
    return {
      name: this.#text(names[own]),
      file: this.#fileName(own),
      line: positive(this.#column('frameTable', 'line')[at]),
      column: positive(this.#column('frameTable', 'column')[at]),
    };
  }

  #fileName(row: number): string {
    const functions = this.get('funcTable');
    if (functions.has('fileName')) return this.#textOr(this.#column('funcTable', 'fileName')[row]);
    if (!functions.has('source')) return '';
    const source = this.#column('funcTable', 'source')[row];
    if (source === undefined || source.value === null) return '';
    const files = this.#column('sources', 'filename');
    return this.#textOr(files[source.index(files.length)]);
  }

  #column(table: string, name: string): readonly JsonValue[] {
    const key = `${table}.${name}`;
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const from = this.get(table);
    const column = from.has(name) ? from.get(name).list() : [];
    this.#columns.set(key, column);
    return column;
  }

  #text(index: JsonValue): string {
    let texts = this.#columns.get('stringArray');
    if (texts === undefined) {
      texts = this.get('stringArray').list();
      this.#columns.set('stringArray', texts);
    }
    return texts[index.index(texts.length)].text();
  }

  #textOr(index: JsonValue | undefined): string {
    return index === undefined || index.value === null ? '' : this.#text(index);
  }
}

function positive(value: JsonValue | undefined): number {
  const number = value?.numberOr(0) ?? 0;
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : 0;
}
