// Converts the events of a chunk to samples. Fields are found by their names in the chunk's own
// types, never by their order.
import { CallTree } from './call-tree.ts';
import { JfrConstants } from './constants.ts';
import type { JfrChunk } from './chunks.ts';
import { JfrCursor, type Key } from './cursor.ts';
import { FrameTable, StackReader } from './frames.ts';
import { type JfrEventUse, eventUses, type JfrKind, type JfrKindName, kinds } from './kinds.ts';
import type { LabelsSnapshot } from './labels-snapshot.ts';
import { LabelSets, SampleSet } from './samples.ts';
import { type JfrField, type JfrType, readTypes } from './types.ts';
import { skipField } from './values.ts';
import type { WrittenLabel } from '../pprof/writer.ts';

const metadataEvent = 0;
const checkpointEvent = 1;

/** Event fields that are read in addition to the value fields, and their names in EventValues. */
const roles: ReadonlyMap<string, string> = new Map([
  ['startTime', 'start'],
  ['stackTrace', 'stack'],
  // Samples name the sampled thread; other events name the thread that they happened in.
  ['sampledThread', 'thread'],
  ['eventThread', 'thread'],
  ['state', 'state'],
  ['contextId', 'context'],
  ['spanId', 'span'],
  ['spanName', 'spanName'],
  ['traceIdHi', 'traceHigh'],
  ['traceIdLo', 'traceLow'],
]);

/** Values of an event; 0 for absent fields. */
interface EventValues {
  stack: Key;
  thread: Key;
  state: Key;
  context: Key;
  span: Key;
  spanName: Key;
  traceHigh: Key;
  traceLow: Key;
  weight: number;
  samples: number;
  /** Start of the event in ticks; NaN if the event has none. */
  start: number;
}

/** An event type, with the fields that are read. */
interface EventPlan {
  readonly use: JfrEventUse;
  /** Name in EventValues for each field; '' for skipped fields. */
  readonly steps: readonly (readonly [field: JfrField, role: string])[];
  readonly stack: JfrType | undefined;
  readonly thread: JfrType | undefined;
  readonly state: JfrType | undefined;
}

/** Samples and settings of the chunks that were read. */
export class JfrEvents {
  readonly tree = new CallTree();
  readonly table = new FrameTable();
  readonly labels = new LabelSets();
  readonly samples = new Map<JfrKindName, SampleSet>();
  /** Start of the first chunk in nanoseconds since 1970; undefined before the first chunk. */
  startNanos: bigint | undefined;
  /**
   * Event with which async-profiler takes samples, such as `itimer`; undefined for other recorders.
   */
  profilerEvent: string | undefined;
  /** Nanoseconds between samples of CPU and of wall time, if the settings contain it. */
  readonly periods: { cpu: number | undefined; wall: number | undefined } = {
    cpu: undefined,
    wall: undefined,
  };

  /** True if async-profiler was started without an interval. */
  hasUsualInterval = false;

  readonly #bytes: Uint8Array;
  readonly #snapshot: LabelsSnapshot;

  constructor(bytes: Uint8Array, snapshot: LabelsSnapshot) {
    this.#bytes = bytes;
    this.#snapshot = snapshot;
  }

  /** Returns the nanoseconds between samples of a kind; undefined if they are unknown. */
  samplingPeriod(sampled: 'cpu' | 'wall'): number | undefined {
    const usual = this.hasUsualInterval ? usualPeriods.get(this.profilerEvent ?? '') : undefined;
    // If a recording samples wall time, its CPU samples are a subset of the wall-time samples, so
    // they have the same period.
    return this.periods[this.profilerEvent === 'wall' ? 'wall' : sampled] ?? usual;
  }

  /** Reads a chunk. Errors: DecodeError; AppError 'resource-exhausted' above a limit. */
  readChunk(chunk: JfrChunk): void {
    this.startNanos ??= chunk.startNanos;
    const cursor = new JfrCursor(this.#bytes, chunk.end, chunk.isCompressed);
    cursor.pos = chunk.metadata;
    const types = readTypes(cursor);
    const constants = new JfrConstants(cursor, types);
    // Constants are found by scanning all events, so that wrong offsets do no harm.
    const plans = new Map<Key, EventPlan>();
    let settings: JfrType | undefined;
    for (const type of types.values()) {
      const use = eventUses.get(type.name);
      if (use !== undefined) plans.set(type.id, makePlan(type, use));
      if (type.name === 'jdk.ActiveSetting') settings = type;
    }
    eachEvent(cursor, chunk, (id, start, end) => {
      if (id === checkpointEvent) constants.add(start, end);
    });
    const stacks = new StackReader(cursor, constants, this);
    const names = new Map<Key, string>();
    for (const { id, name } of types.values()) names.set(id, name);
    const reader = new ChunkReader(this, chunk, {
      cursor,
      constants,
      stacks,
      snapshot: this.#snapshot,
    });
    eachEvent(cursor, chunk, (id, _start, end) => {
      const plan = plans.get(id);
      if (plan !== undefined) reader.sample(plan, end);
      else if (settings !== undefined && id === settings.id) reader.setting(settings, names);
    });
  }
}

interface ChunkParts {
  readonly cursor: JfrCursor;
  readonly constants: JfrConstants;
  readonly stacks: StackReader;
  readonly snapshot: LabelsSnapshot;
}

/** Reads the events of one chunk. */
class ChunkReader {
  readonly #into: JfrEvents;
  readonly #chunk: JfrChunk;
  /** Nanoseconds from the start of the recording to the start of the chunk. */
  readonly #chunkNanos: number;
  readonly #parts: ChunkParts;
  readonly #values = emptyValues();
  readonly #threads = new Map<Key, string>();
  readonly #states = new Map<Key, string>();
  /** Label sets by their values; and by thread, for samples that have no other labels. */
  readonly #labelIds = new Map<string, number>();
  readonly #threadLabelIds = new Map<Key, number>();

  constructor(into: JfrEvents, chunk: JfrChunk, parts: ChunkParts) {
    this.#into = into;
    this.#chunk = chunk;
    this.#chunkNanos = Number(chunk.startNanos - (into.startNanos ?? chunk.startNanos));
    this.#parts = parts;
  }

  /** Reads a sample at the cursor. */
  sample(plan: EventPlan, end: number): void {
    const values = this.#values;
    this.#read(plan, values);
    const { cursor } = this.#parts;
    if (cursor.pos > end) throw cursor.fail('an event is longer than it says');
    const { kind } = plan.use;
    const node = this.#parts.stacks.internStack(plan.stack ?? noType, values.stack);
    const labels = this.#internLabels(plan, values);
    if (this.#isCpuTime(plan, values.state)) this.#add('cpu', node, labels, values);
    if (kind !== 'cpu') this.#add(kind, node, labels, values);
    // Before version 4, async-profiler wrote samples of wall time as samples of CPU time.
    else if (this.#into.profilerEvent === 'wall') this.#add('wall', node, labels, values);
  }

  /**
   * Returns true for a CPU sample whose thread is not sleeping. If the recording samples only wall
   * time, also returns true for a wall-time sample whose thread is running.
   */
  #isCpuTime({ use, state }: EventPlan, key: Key): boolean {
    if (use.kind === 'cpu') return this.#stateName(state, key) !== 'STATE_SLEEPING';
    const isOfWall = use.kind === 'wall' && this.#into.profilerEvent === 'wall';
    return isOfWall && this.#stateName(state, key) === 'STATE_RUNNABLE';
  }

  #add(kind: JfrKindName, node: number, labels: number, values: EventValues): void {
    let set = this.#into.samples.get(kind);
    if (set === undefined) this.#into.samples.set(kind, (set = new SampleSet()));
    const { samples, weight, start } = values;
    const { isState }: JfrKind = kinds[kind];
    const { startTicks, ticksPerSecond } = this.#chunk;
    const nanos = Math.floor((start - startTicks) * (1e9 / Math.max(1, ticksPerSecond)));
    // Objects that are alive at the end get no time of their own, only that of their profile.
    set.add(node, labels, samples, weight, isState === true ? NaN : this.#chunkNanos + nanos);
  }

  #read({ use, steps }: EventPlan, values: EventValues): void {
    const { cursor } = this.#parts;
    clear(values);
    if (use.samples !== undefined) values.samples = 0;
    for (const [field, role] of steps) {
      switch (role) {
        case '':
          skipField(cursor, field);
          break;
        case 'weight':
        case 'samples':
          values[role] = this.#number(field);
          break;
        case 'start':
          values.start = cursor.long();
          break;
        case 'stack':
        case 'thread':
        case 'state':
        case 'context':
        case 'span':
        case 'spanName':
        case 'traceHigh':
        case 'traceLow':
          values[role] = cursor.key();
          break;
        default:
      }
    }
  }

  /** Reads a nonnegative number; durations become nanoseconds. */
  #number({ type, unit }: JfrField): number {
    const { cursor } = this.#parts;
    const at = cursor.pos;
    const value = type.kind === 'int' ? cursor.int() : cursor.long();
    if (value < 0) throw cursor.fail(`a value is ${value}`, at);
    return unit === '' ? value : Math.round(value * nanosPer(unit, this.#chunk.ticksPerSecond));
  }

  /** Returns the name of a thread's state; "" if it is unknown. */
  #stateName(type: JfrType | undefined, key: Key): string {
    if (type === undefined) return '';
    let name = this.#states.get(key);
    if (name === undefined) {
      name = this.#parts.constants.text(type, key, ['name']) ?? '';
      this.#states.set(key, name);
    }
    return name;
  }

  #internLabels(plan: EventPlan, values: EventValues): number {
    const { thread, context, span, spanName, traceHigh, traceLow } = values;
    const isPlain =
      context === 0 && span === 0 && spanName === 0 && traceHigh === 0 && traceLow === 0;
    if (!isPlain || plan.thread === undefined) return this.#internSet(plan, values);
    let id = this.#threadLabelIds.get(thread);
    if (id === undefined) {
      id = this.#internSet(plan, values);
      this.#threadLabelIds.set(thread, id);
    }
    return id;
  }

  #internSet(plan: EventPlan, values: EventValues): number {
    const { thread, context, span, spanName, traceHigh, traceLow } = values;
    const name = this.#threadName(plan.thread, thread);
    const key = `${context} ${span} ${spanName} ${traceHigh} ${traceLow} ${name}`;
    const known = this.#labelIds.get(key);
    if (known !== undefined) return known;
    const { snapshot } = this.#parts;
    const labels: WrittenLabel[] = [];
    if (name !== '') labels.push(['thread_name', name]);
    for (const label of snapshot.contextLabels(context)) {
      if (!labels.some(([given]) => given === label[0])) labels.push(label);
    }
    if (span !== 0) labels.push(['profile_id', formatHex(span)]);
    const spanText = snapshot.string(spanName);
    if (spanText !== '') labels.push(['span_name', spanText]);
    if (traceHigh !== 0 || traceLow !== 0) {
      labels.push(['trace_id', `${formatHex(traceHigh)}${formatHex(traceLow)}`]);
    }
    const id = this.#into.labels.intern(labels);
    this.#labelIds.set(key, id);
    return id;
  }

  #threadName(type: JfrType | undefined, key: Key): string {
    if (type === undefined || key === 0) return '';
    const known = this.#threads.get(key);
    if (known !== undefined) return known;
    const { constants } = this.#parts;
    const name =
      constants.text(type, key, ['javaName']) || constants.text(type, key, ['osName']) || '';
    this.#threads.set(key, name);
    return name;
  }

  /** Reads a setting at the cursor: the event and the interval of a profiler. */
  setting(type: JfrType, names: ReadonlyMap<Key, string>): void {
    const { cursor, constants } = this.#parts;
    let id: Key = -1;
    let name = '';
    let value = '';
    for (const field of type.fields) {
      const isPlain = !field.isConstant && !field.isArray;
      if (field.name === 'id' && isPlain && field.type.kind === 'long') id = cursor.key();
      else if (field.name === 'name' && isPlain && field.type.kind === 'string') {
        name = constants.stringHere();
      } else if (field.name === 'value' && isPlain && field.type.kind === 'string') {
        value = constants.stringHere();
      } else skipField(cursor, field);
    }
    const { periods } = this.#into;
    const event = names.get(id);
    if (name === 'event' && value !== '') this.#into.profilerEvent = value;
    else if (name === 'interval') {
      const nanos = parseNanos(value);
      periods.cpu = nanos ?? periods.cpu;
      periods.wall ??= nanos;
      if (value === '0') this.#into.hasUsualInterval = true;
    } else if (name === 'wall') periods.wall = parseNanos(value) ?? periods.wall;
    else if (name === 'period' && event === 'jdk.ExecutionSample') {
      periods.cpu = parseNanos(value) ?? periods.cpu;
    }
  }
}

/** Calls `take` for each event of a chunk, with the cursor after the event's type. */
function eachEvent(
  cursor: JfrCursor,
  chunk: JfrChunk,
  take: (id: Key, start: number, end: number) => void,
): void {
  for (let start = chunk.events; start < chunk.end;) {
    cursor.pos = start;
    const size = cursor.int();
    if (size < 2 || size > chunk.end - start) {
      throw cursor.fail(`an event of chunk ${chunk.number} has a size of ${size} bytes`, start);
    }
    const end = start + size;
    const id = cursor.key();
    if (id !== metadataEvent) take(id, start, end);
    start = end;
  }
}

function makePlan(type: JfrType, use: JfrEventUse): EventPlan {
  const steps = type.fields.map((field): readonly [JfrField, string] => {
    const isPlain = !field.isArray && !field.isConstant;
    const isNumber = isPlain && (field.type.kind === 'long' || field.type.kind === 'int');
    if (field.name === use.weight) return [field, isNumber ? 'weight' : ''];
    if (field.name === use.samples) return [field, isNumber ? 'samples' : ''];
    const role = roles.get(field.name) ?? '';
    if (role === 'start') return [field, isPlain && field.type.kind === 'long' ? role : ''];
    const isKey = !field.isArray && (field.isConstant || field.type.kind === 'long');
    return [field, isKey ? role : ''];
  });
  const last = steps.findLastIndex(([, role]) => role !== '');
  const findType = (wanted: string): JfrType | undefined =>
    steps.find(([{ isConstant }, role]) => isConstant && role === wanted)?.[0].type;
  return {
    use,
    steps: steps.slice(0, last + 1),
    stack: findType('stack'),
    thread: findType('thread'),
    state: findType('state'),
  };
}

/** A type without constants. */
const noType: JfrType = { id: -1, name: '', kind: 'struct', fields: [] };

function emptyValues(): EventValues {
  const values = { stack: 0, thread: 0, state: 0, context: 0, span: 0, spanName: 0 };
  return Object.assign(values, { traceHigh: 0, traceLow: 0, weight: 0, samples: 1, start: NaN });
}

/** Clears the values of an event one by one, because copying an object takes longer. */
function clear(values: EventValues): void {
  values.stack = 0;
  values.thread = 0;
  values.state = 0;
  values.context = 0;
  values.span = 0;
  values.spanName = 0;
  values.traceHigh = 0;
  values.traceLow = 0;
  values.weight = 0;
  values.samples = 1;
  values.start = NaN;
}

/**
 * Nanoseconds between samples for each event, if async-profiler was started without an interval.
 *
 * Source: DEFAULT_INTERVAL in src/arguments.h and its use in src/wallClock.cpp of async-profiler.
 */
const usualPeriods: ReadonlyMap<string, number> = new Map([
  ['cpu', 10_000_000],
  ['itimer', 10_000_000],
  ['ctimer', 10_000_000],
  ['wall', 50_000_000],
]);

const nanosPerUnit: ReadonlyMap<string, number> = new Map([
  ['NANOSECONDS', 1],
  ['MICROSECONDS', 1e3],
  ['MILLISECONDS', 1e6],
  ['SECONDS', 1e9],
]);

function nanosPer(unit: string, ticksPerSecond: number): number {
  return nanosPerUnit.get(unit) ?? 1e9 / Math.max(1, ticksPerSecond);
}

const timeForm = /^(\d{1,15})\s*(ns|us|ms|s)?$/;
const nanosPerSuffix: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Reads a duration such as `20 ms`, or nanoseconds; undefined for other values. */
function parseNanos(text: string): number | undefined {
  const [, digits = '', suffix = 'ns'] = timeForm.exec(text) ?? [];
  const nanos = Number(digits) * nanosPerSuffix[suffix];
  return Number.isSafeInteger(nanos) && nanos > 0 ? nanos : undefined;
}

function formatHex(key: Key): string {
  return BigInt(key).toString(16).padStart(16, '0');
}
