// Converts OTLP profiles to pprof: one profile with labels for each Profile message of a request.
//
// Two layouts of Sample are in use: since version 1.10 `values` is field 4, which was the link in
// 1.8 and 1.9. Both have the same wire types, so the layout is decided once for each request, by
// fields that only one of the layouts can have. Source:
// https://github.com/open-telemetry/opentelemetry-proto
import { AppError, errorMessage } from '../../base/errors.ts';
import { type InputLimitName, inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { guessProfileName } from '../reading/profile-name.ts';
import { PprofWriter, type WrittenLabel, type WrittenTimes } from '../pprof/writer.ts';
import { WireReader } from '../wire-reader.ts';
import { sampleTimesMax } from '../../model/limits.ts';
import type { ValueType } from '../../model/profile-type.ts';
import { type Attribute, readKeyValue } from './attributes.ts';
import { OtlpDictionary } from './dictionary.ts';
import {
  bytesWire,
  eachField,
  fixed64Wire,
  readFixed64,
  readIndices,
  readSpan,
  type ByteSpan,
  varintWire,
} from '../wire-fields.ts';

/** Layout of Sample messages, by the version of OTLP that introduced it. */
export type SampleLayout = '1.8' | '1.10';

/** One profile of a request. */
export interface OtlpProfile {
  /** Value of the label `__name__`. */
  readonly name: string;
  /** Attributes of the profile, then of the scope, then of the resource. */
  readonly attributes: readonly Attribute[];
  /** pprof, not compressed. */
  readonly pprof: Uint8Array;
}

/** The profiles of a request, and the number of profiles that could not be read. */
export interface OtlpRequest {
  readonly profiles: readonly OtlpProfile[];
  readonly rejectedCount: number;
  /** Reason for the first rejection; "" if there is none. */
  readonly rejection: string;
  /** Number of attributes that were left out because they have no name. */
  readonly unnamedCount: number;
}

/** Thrown for a request that needs more work than allowed on this thread. */
export class TooMuchWork extends Error {}

/** Counts the work of a request. A message is one unit of work, which takes about 0.2 us. */
class OtlpWork {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Counts work against the limit. Errors: TooMuchWork. */
  take(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new TooMuchWork();
  }
}

/** Units of work to write a sample, and to write one frame of its stack. */
const sampleWork = 5;
const frameWork = 0.3;

/**
 * Decodes an ExportProfilesServiceRequest. `layout` is set if the sender has named the fields.
 * `workMax` is set if a request with more work must be decoded in a thread.
 *
 * Errors: DecodeError when the bytes are not such a request; AppError 'resource-exhausted';
 * TooMuchWork above `workMax`. A profile that refers to missing rows is rejected; the others are
 * not.
 */
export function decodeOtlp(
  bytes: Uint8Array,
  layout?: SampleLayout,
  workMax = Infinity,
): OtlpRequest {
  const reader = new WireReader('cannot decode ExportProfilesServiceRequest');
  reader.open(bytes);
  const whole = { start: 0, end: bytes.length };
  const resources: ByteSpan[] = [];
  const work = new OtlpWork(workMax);
  const budget = new MessageBudget(work);
  const dictionary = new OtlpDictionary(reader, work);
  eachField(reader, whole, (field, wire) => {
    if (wire !== bytesWire) return;
    if (field === 1) {
      budget.take('resources');
      resources.push(readSpan(reader, whole.end));
    } else if (field === 2) dictionary.read(readSpan(reader, whole.end));
  });
  const messages = resources.flatMap((span) => readResource(reader, span, dictionary, budget));
  const readable = messages.flatMap((message) => (message instanceof AppError ? [] : [message]));
  const used = layout ?? readLayout(reader, readable, dictionary);
  const frames = new FrameBudget(work);
  const profiles: OtlpProfile[] = [];
  let rejectedCount = 0;
  let rejection = '';
  for (const [i, message] of messages.entries()) {
    const found =
      message instanceof AppError
        ? message
        : orMistake(() => convert(reader, message, dictionary, used, frames, budget));
    if (found instanceof AppError) {
      rejectedCount += 1;
      rejection ||= `cannot read profile ${i} of the request: ${errorMessage(found)}`;
    } else profiles.push(...found);
  }
  return { profiles, rejectedCount, rejection, unnamedCount: budget.unnamedCount };
}

/** Returns the result of `read`, or its error about invalid content of one profile. */
function orMistake<T>(read: () => T): T | AppError {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid-argument') return error;
    throw error;
  }
}

/** A Profile message whose samples are not read yet. */
interface ProfileMessage {
  readonly attributes: readonly Attribute[];
  readonly sampleType: ValueType;
  readonly periodType: ValueType;
  readonly period: bigint;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly samples: readonly ByteSpan[];
  /** Rows of the profile's own attributes. */
  readonly own: readonly number[];
  /** True if the message has fields that OTLP 1.8 replaced. */
  readonly isOutdated: boolean;
}

function readResource(
  reader: WireReader,
  span: ByteSpan,
  dictionary: OtlpDictionary,
  budget: MessageBudget,
): (ProfileMessage | AppError)[] {
  const attributes: Attribute[] = [];
  const scopes: ByteSpan[] = [];
  /** Mistake in the attributes of the resource or scope, which affects all its profiles. */
  let mistake: AppError | undefined;
  eachField(reader, span, (field, wire) => {
    if (wire !== bytesWire) return;
    const inner = readSpan(reader, span.end);
    if (field === 1) {
      const read = orMistake(() =>
        readAttributes(reader, inner, 1, dictionary, budget, attributes),
      );
      if (read instanceof AppError) mistake ??= read;
      reader.pos = inner.end;
    }
    if (field !== 2) return;
    budget.take('scopes');
    scopes.push(inner);
  });
  const messages = scopes.flatMap((scope) =>
    readScope(reader, scope, dictionary, attributes, budget),
  );
  return mistake === undefined ? messages : messages.map((message) => mistake ?? message);
}

function readScope(
  reader: WireReader,
  span: ByteSpan,
  dictionary: OtlpDictionary,
  ofResource: readonly Attribute[],
  budget: MessageBudget,
): (ProfileMessage | AppError)[] {
  const attributes: Attribute[] = [];
  const messages: ByteSpan[] = [];
  let mistake: AppError | undefined;
  eachField(reader, span, (field, wire) => {
    if (wire !== bytesWire) return;
    const inner = readSpan(reader, span.end);
    if (field === 1) {
      const read = orMistake(() => readScopeFacts(reader, inner, dictionary, budget, attributes));
      if (read instanceof AppError) mistake ??= read;
      reader.pos = inner.end;
    }
    if (field !== 2) return;
    budget.take('profiles');
    messages.push(inner);
  });
  const all = [...attributes, ...ofResource];
  return messages.map(
    (message) => mistake ?? orMistake(() => readProfile(reader, message, dictionary, all, budget)),
  );
}

function readScopeFacts(
  reader: WireReader,
  span: ByteSpan,
  dictionary: OtlpDictionary,
  budget: MessageBudget,
  into: Attribute[],
): void {
  readAttributes(reader, span, 3, dictionary, budget, into);
  eachField(reader, span, (field, wire) => {
    if (wire !== bytesWire || field > 2) return;
    const { start, end } = readSpan(reader, span.end);
    budget.take('attributes');
    const value = new TextDecoder().decode(reader.bytes.subarray(start, end));
    into.push({ key: field === 1 ? 'otel.scope.name' : 'otel.scope.version', value });
  });
}

function readAttributes(
  reader: WireReader,
  span: ByteSpan,
  number: number,
  dictionary: OtlpDictionary,
  budget: MessageBudget,
  into: Attribute[],
): void {
  eachField(reader, span, (field, wire) => {
    if (field !== number || wire !== bytesWire) return;
    budget.take('attributes');
    const attribute = readKeyValue(reader, readSpan(reader, span.end), dictionary.text);
    if (attribute.key === '') budget.unnamedCount += 1;
    else into.push(attribute);
  });
}

function readProfile(
  reader: WireReader,
  span: ByteSpan,
  dictionary: OtlpDictionary,
  attributes: readonly Attribute[],
  budget: MessageBudget,
): ProfileMessage {
  const samples: ByteSpan[] = [];
  const lists: Readonly<Record<11 | 12, number[]>> = { 11: [], 12: [] };
  let sampleType = { type: '', unit: '' };
  let periodType = { type: '', unit: '' };
  let [period, timeNanos, durationNanos] = [0n, 0n, 0n];
  let isOutdated = false;
  eachField(reader, span, (field, wire) => {
    if (wire === bytesWire) {
      if (field === 1) sampleType = readValueType(reader, readSpan(reader, span.end), dictionary);
      else if (field === 2) {
        budget.take('samples');
        samples.push(readSpan(reader, span.end));
      } else if (field === 3) isOutdated = true;
      else if (field === 5) {
        periodType = readValueType(reader, readSpan(reader, span.end), dictionary);
      }
    } else if (field === 3 && wire === fixed64Wire) timeNanos = readFixed64(reader);
    else if (field === 4 && wire === fixed64Wire) isOutdated = true;
    else if (field === 4 && wire === varintWire) durationNanos = reader.int64();
    else if (field === 6 && wire === varintWire) period = reader.int64();
    if (field === 11 || field === 12) readIndices(reader, wire, span.end, lists[field]);
  });
  // Version 1.8 has the attributes in field 12, and a payload in field 11.
  const own = lists[12].length > 0 ? lists[12] : lists[11];
  const times = { period, timeNanos, durationNanos: BigInt.asUintN(63, durationNanos) };
  return { attributes, sampleType, periodType, ...times, samples, own, isOutdated };
}

function readValueType(reader: WireReader, span: ByteSpan, dictionary: OtlpDictionary): ValueType {
  const texts = ['', ''];
  eachField(reader, span, (field, wire) => {
    if (field <= 2 && wire === varintWire) texts[field - 1] = dictionary.text(reader.index());
  });
  return { type: texts[0], unit: texts[1] };
}

/**
 * Detects the layout by the wire types of the samples' fields. If these are the same in both
 * layouts, field 2 decides: its numbers are rows of attributes in 1.10, and values in 1.8.
 */
function readLayout(
  reader: WireReader,
  messages: readonly ProfileMessage[],
  dictionary: OtlpDictionary,
): SampleLayout {
  let hasTimestamps = false;
  let isOlder = false;
  for (const span of messages.flatMap(({ samples }) => samples)) {
    const hints = orMistake(() => readLayoutHints(reader, span));
    // An unreadable sample is skipped here; its profile is rejected later.
    if (hints instanceof AppError) continue;
    const { decided, second, timestamps } = hints;
    if (decided !== undefined) return decided;
    hasTimestamps ||= timestamps > 0;
    if (timestamps > 0 && second.length > 0 && second.length !== timestamps) return '1.10';
    isOlder ||= second.some((index) => index < 0 || index >= dictionary.attributeCount);
  }
  return messages.length > 0 && (!hasTimestamps || isOlder) ? '1.8' : '1.10';
}

interface LayoutHints {
  readonly decided: SampleLayout | undefined;
  /** Values of field 2. */
  readonly second: readonly number[];
  readonly timestamps: number;
}

function readLayoutHints(reader: WireReader, span: ByteSpan): LayoutHints {
  let decided: SampleLayout | undefined;
  const second: number[] = [];
  let timestamps = 0;
  eachField(reader, span, (field, wire) => {
    if (field === 3) decided ??= wire === bytesWire ? '1.8' : '1.10';
    if (field === 4) decided ??= wire === bytesWire ? '1.10' : '1.8';
    if (field === 2) readIndices(reader, wire, span.end, second);
    if (field === 5 && wire === bytesWire) {
      const { start, end } = readSpan(reader, span.end);
      timestamps += (end - start) / 8;
    }
  });
  return { decided, second, timestamps };
}

/**
 * Attributes of a process that differ in each run: they become sample labels, because otherwise
 * each run would be a series.
 */
const runKeys: ReadonlySet<string> = new Set(['process.pid', 'process.parent_pid']);

const cpuTime: ValueType = { type: 'cpu', unit: 'nanoseconds' };

/** Converts a message; undefined if it has no samples. Errors: AppError 'invalid-argument'. */
function convert(
  reader: WireReader,
  message: ProfileMessage,
  dictionary: OtlpDictionary,
  layout: SampleLayout,
  frames: FrameBudget,
  budget: MessageBudget,
): OtlpProfile[] {
  if (message.isOutdated) {
    throw new AppError(
      'invalid-argument',
      'it has the layout of OTLP 1.7 or older; 1.8 or later is needed',
    );
  }
  if (message.samples.length === 0) return [];
  if (message.samples.length > inputLimits.profileSamples) {
    throw overInputLimit(
      'profileSamples',
      `cannot read profile: it has more than ${inputLimits.profileSamples} samples`,
    );
  }
  const { sampleType, periodType, period, timeNanos, durationNanos } = message;
  if (sampleType.type === '') throw new AppError('invalid-argument', 'it has no sample type');
  // Counts of CPU samples are also stored as time, next to the CPU time of Go programs.
  const isCpu =
    sampleType.type === 'samples' && periodType.type === 'cpu' && periodType.unit === 'nanoseconds';
  frames.takeEntries(message.own.length + message.attributes.length);
  const attributes = [...namedAttributes(message.own, dictionary, budget), ...message.attributes];
  const run = attributes
    .filter(({ key }) => runKeys.has(key))
    .map(({ key, value }): WrittenLabel => [key, value]);
  const writer = new PprofWriter();
  const symbols = new Symbols(dictionary, writer);
  const factors = isCpu ? [1n, period] : [1n];
  let start = timeNanos;
  let timeCount = 0;
  for (const [i, span] of message.samples.entries()) {
    const sample = readSample(reader, span, layout);
    checkCounts(sample, i);
    const values = factors.map((factor) => sample.value * factor);
    const stack = symbols.stack(sample.stack);
    frames.take(stack.length);
    frames.takeEntries(sample.attributes.length + frameWork * sample.timestampCount);
    // A profile without a time begins with its first sample.
    if (start === 0n) start = sample.timestamps[0] ?? 0n;
    const labels = [...readLabels(sample, dictionary, budget), ...run];
    // Above the limit, no times are stored. A count of limit + 1 marks that they are lost.
    const times = timeCount > sampleTimesMax ? undefined : sampleTimes(sample, start, factors);
    timeCount += sample.timestampCount;
    writer.sample(stack, values, labels, times);
  }
  const sampleTypes = isCpu ? [sampleType, cpuTime] : [sampleType];
  const times = { timeNanos: start, durationNanos };
  const pprof = writer.finish({ sampleTypes, periodType, period, ...times });
  const name = isCpu ? 'process_cpu' : guessProfileName(sampleTypes);
  return [{ name, attributes: attributes.filter(({ key }) => !runKeys.has(key)), pprof }];
}

/** Returns the times of a sample in a profile that starts at `start`; undefined without times. */
function sampleTimes(
  { timestamps, timestampCount, values }: SampleRow,
  start: bigint,
  factors: readonly bigint[],
): WrittenTimes | undefined {
  if (timestampCount === 0) return undefined;
  const offsets = timestamps.map((nanos) => BigInt.asIntN(64, nanos - start));
  const isShared = values.every((value) => value === values[0]);
  if (isShared) return { offsets };
  return { offsets, values: values.flatMap((value) => factors.map((factor) => value * factor)) };
}

type MessageKind = 'resources' | 'scopes' | 'profiles' | 'attributes' | 'samples';

/**
 * Limits on the number of messages of each kind in a request. They are needed because an empty
 * message of 2 bytes takes 50 bytes in memory.
 */
const messageLimits: Readonly<Record<MessageKind, InputLimitName>> = {
  resources: 'seriesPerRequest',
  scopes: 'seriesPerRequest',
  profiles: 'seriesPerRequest',
  attributes: 'labelsPerSeries',
  samples: 'profileSamples',
};

/** Counts the messages of a request, which become objects. */
class MessageBudget {
  readonly #work: OtlpWork;
  readonly #counts = { resources: 0, scopes: 0, profiles: 0, attributes: 0, samples: 0 };
  /** Attributes that were left out because they have no name. */
  unnamedCount = 0;

  constructor(work: OtlpWork) {
    this.#work = work;
  }

  /** Counts a message. Errors: AppError 'resource-exhausted'. */
  take(kind: MessageKind): void {
    const limit = messageLimits[kind];
    const most = inputLimits[limit] * (kind === 'attributes' ? inputLimits.seriesPerRequest : 1);
    this.#work.take(1);
    this.#counts[kind] += 1;
    if (this.#counts[kind] <= most) return;
    throw overInputLimit(limit, `cannot read profiles: more than ${most} ${kind} in one request`);
  }
}

/** Limits the growth of a small request: its samples share stacks, but pprof rows do not. */
class FrameBudget {
  #left = inputLimits.profileFrames;
  readonly #work: OtlpWork;

  constructor(work: OtlpWork) {
    this.#work = work;
  }

  /** Counts entries of lists, each of which becomes an object. Errors: TooMuchWork. */
  takeEntries(count: number): void {
    this.#work.take(count);
  }

  /** Counts `count` frames of a sample. Errors: AppError 'resource-exhausted'; TooMuchWork. */
  take(count: number): void {
    this.#work.take(sampleWork + frameWork * count);
    this.#left -= count;
    if (this.#left >= 0) return;
    throw overInputLimit(
      'profileFrames',
      `cannot read profiles: their samples have more than ${inputLimits.profileFrames} frames together`,
    );
  }
}

interface SampleRow {
  readonly stack: number;
  readonly attributes: readonly number[];
  readonly link: number;
  readonly value: bigint;
  readonly valueCount: number;
  readonly timestampCount: number;
  /**
   * Values: one for each timestamp, or none if each counts as 1. Values after the first
   * sampleTimesMax are left out.
   */
  readonly values: readonly bigint[];
  /** Nanoseconds since 1970; timestamps after the first sampleTimesMax + 1 are left out. */
  readonly timestamps: readonly bigint[];
}

/**
 * Checks that there are as many timestamps as values if a sample has both. Errors: AppError
 * 'invalid-argument'.
 */
function checkCounts({ valueCount, timestampCount }: SampleRow, i: number): void {
  if (valueCount === 0 || timestampCount === 0 || valueCount === timestampCount) return;
  const why = `sample ${i} has ${valueCount} values and ${timestampCount} timestamps`;
  throw new AppError('invalid-argument', why);
}

/** Reads a sample: its value is the sum of its values, or the number of its timestamps. */
function readSample(reader: WireReader, span: ByteSpan, layout: SampleLayout): SampleRow {
  const [attributesField, linkField, valuesField] = layout === '1.10' ? [2, 3, 4] : [3, 4, 2];
  const attributes: number[] = [];
  const values: bigint[] = [];
  const timestamps: bigint[] = [];
  let [stack, link, valueCount, timestampCount] = [0, 0, 0, 0];
  let sum = 0n;
  const addValue = (value: bigint): void => {
    sum += value;
    valueCount += 1;
    if (values.length < sampleTimesMax) values.push(value);
  };
  const addTimestamp = (nanos: bigint): void => {
    timestampCount += 1;
    if (timestamps.length <= sampleTimesMax) timestamps.push(nanos);
  };
  eachField(reader, span, (field, wire) => {
    if (field === 1 && wire === varintWire) stack = reader.index();
    else if (field === attributesField) readIndices(reader, wire, span.end, attributes);
    else if (field === linkField && wire === varintWire) link = reader.index();
    else if (field === valuesField) readValues(reader, wire, span.end, addValue);
    else if (field === 5 && wire === bytesWire) readTimestamps(reader, span.end, addTimestamp);
    else if (field === 5 && wire === fixed64Wire) addTimestamp(readFixed64(reader));
  });
  const value = valueCount > 0 ? sum : BigInt(timestampCount);
  return { stack, attributes, link, value, valueCount, timestampCount, values, timestamps };
}

/** Reads a packed list of timestamps; bytes after the last complete timestamp are ignored. */
function readTimestamps(reader: WireReader, end: number, add: (nanos: bigint) => void): void {
  const span = readSpan(reader, end);
  for (let at = span.start; at + 8 <= span.end; at += 8) {
    add(reader.view.getBigUint64(at, true));
  }
}

/** Reads one value, or a packed list of values. */
function readValues(
  reader: WireReader,
  wire: number,
  end: number,
  add: (value: bigint) => void,
): void {
  if (wire !== bytesWire) {
    add(reader.int64());
    return;
  }
  const packedEnd = reader.endOfBytes(end);
  while (reader.pos < packedEnd) add(reader.int64());
  if (reader.pos !== packedEnd) throw reader.fail('a value passes the end of its list');
}

/** Returns the attributes in the given rows, except row 0 and attributes without a name. */
function namedAttributes(
  rows: readonly number[],
  dictionary: OtlpDictionary,
  budget: MessageBudget,
): Attribute[] {
  const attributes = rows.flatMap((row) => (row === 0 ? [] : [dictionary.attribute(row)]));
  const named = attributes.filter(({ key }) => key !== '');
  budget.unnamedCount += rows.length - named.length;
  return named;
}

/** Names that the agent and Parca use for attributes, so that one query finds all profiles. */
const agentNames: ReadonlyMap<string, string> = new Map([
  ['thread.name', 'thread_name'],
  ['thread.id', 'thread_id'],
  ['cpu.logical_number', 'cpu'],
]);

function readLabels(
  sample: SampleRow,
  dictionary: OtlpDictionary,
  budget: MessageBudget,
): WrittenLabel[] {
  const named = namedAttributes(sample.attributes, dictionary, budget);
  const keys = new Set(named.map(({ key }) => key));
  const labels: WrittenLabel[] = named.map(({ key, value }) => {
    const name = agentNames.get(key) ?? key;
    return [keys.has(name) ? key : name, value];
  });
  if (sample.link === 0) return labels;
  const { traceId, spanId } = dictionary.link(sample.link);
  labels.push(['trace_id', traceId], ['span_id', spanId]);
  return labels.filter(([, value]) => value !== '');
}

/** Converts rows of the dictionary to rows of a pprof profile, each row only once. */
class Symbols {
  readonly #dictionary: OtlpDictionary;
  readonly #writer: PprofWriter;
  readonly #locations = new Map<number, number>();

  constructor(dictionary: OtlpDictionary, writer: PprofWriter) {
    this.#dictionary = dictionary;
    this.#writer = writer;
  }

  /** Returns the locations of a stack in the pprof profile, leaf first. */
  stack(row: number): number[] {
    return this.#dictionary.stack(row).map((location) => {
      const known = this.#locations.get(location);
      if (known !== undefined) return known;
      const id = this.#convert(location);
      this.#locations.set(location, id);
      return id;
    });
  }

  #convert(row: number): number {
    const { mapping, address, lines, kind } = this.#dictionary.location(row);
    const written: [number, number, number][] = [];
    for (let at = 0; at < lines.length; at += 3) {
      if (lines[at] === 0) continue;
      const { name, systemName, file, startLine } = this.#dictionary.function(lines[at]);
      const id = this.#writer.function(name || systemName, systemName, file, startLine);
      written.push([id, lines[at + 1], lines[at + 2]]);
    }
    return this.#writer.location(this.#mapping(mapping, address, kind), address, written);
  }

  #mapping(row: number, address: bigint, kind: string): number {
    if (row === 0)
      return kind === 'kernel' ? this.#writer.mapping({ file: '[kernel.kallsyms]' }) : 0;
    const { start, limit, offset, file, buildId } = this.#dictionary.mapping(row);
    // Agents that profile a whole host send an offset in the file, which is outside the mapping.
    const isOfProcess = address >= start && address < limit;
    return this.#writer.mapping(
      isOfProcess ? { start, limit, offset, file, buildId } : { file, buildId },
    );
  }
}
