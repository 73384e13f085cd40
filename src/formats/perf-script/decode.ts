// The output of `perf script` -> pprof, one profile for each event.
//
// A sample is a header, `comm pid/tid [cpu] time: period event:`, and its frames, leaf first, each
// `address symbol+offset (file)`. Addresses depend on the place where a file was loaded, so only
// names and files are kept.
// Source: https://man7.org/linux/man-pages/man1/perf-script.1.html
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { DecodeError } from '../decode-error.ts';
import type { ImportContext, ImportedProfile } from '../import/imported-profile.ts';
import { linesOf, type TextLine } from '../import/lines.ts';
import { PprofWriter, type WrittenLabel } from '../pprof/writer.ts';

const what = 'cannot read perf script';
/**
 * Longer lines are not headers. The limit is needed because the form is tried on text of any kind.
 */
const headerLengthMax = 4_096;
const headerForm =
  /^\s*(\S.*?)\s+(\d+)(?:[/ ]+(\d+))?\s+(?:\[(\d+)\]\s+)?(\d+)\.(\d+):\s+(?:(\d+)\s+)?([\w./-]+(?::[\w-]+)*):(?:\s+(.*))?$/;
const frameForm = /^\s*([0-9a-f]+) (.*) \(([^()]*(?:\([^()]*\)[^()]*)*)\)$/;
const offsetForm = /\+0x[0-9a-f]+$/;
/** Modifiers that perf adds to the name of an event. */
const modifierForm = /:[ukhpPSDeGHIWb]+$/;
/** Events whose period is in nanoseconds of CPU time. */
const clockEvents: ReadonlySet<string> = new Set(['cpu-clock', 'task-clock']);

/** Returns true if a line looks like the header of a sample. */
export function isPerfHeader(text: string): boolean {
  return text.length <= headerLengthMax && headerForm.test(text);
}

/**
 * Converts a script to one profile for each event. Samples have the labels `comm` and `pid`.
 *
 * Errors: DecodeError naming the line.
 */
export function decodePerfScript(bytes: Uint8Array, context: ImportContext): ImportedProfile[] {
  const events = new Map<string, EventProfile>();
  let sample: OpenSample | undefined;
  const close = (): void => {
    if (sample !== undefined) sample.event.write(sample);
    sample = undefined;
  };
  for (const line of linesOf(bytes, what)) {
    if (line.text.trim() === '') close();
    if (line.text.trim() === '' || line.text.startsWith('#')) continue;
    const frame = frameForm.exec(line.text);
    if (frame !== null && sample !== undefined) {
      addFrame(sample, frame, line);
      continue;
    }
    close();
    sample = openSample(line, events, context);
  }
  close();
  return [...events.values()].map((event) => event.finish());
}

/** A sample whose frames are being read. */
interface OpenSample {
  readonly event: EventProfile;
  readonly period: bigint;
  readonly nanos: bigint;
  readonly labels: readonly WrittenLabel[];
  /** Locations, leaf first. */
  readonly frames: number[];
}

function openSample(
  line: TextLine,
  events: Map<string, EventProfile>,
  context: ImportContext,
): OpenSample {
  const header = line.text.length <= headerLengthMax ? headerForm.exec(line.text) : null;
  if (header === null) {
    throw new DecodeError(
      what,
      `line ${line.number} is neither a sample's header nor a frame of one`,
      line.offset,
    );
  }
  const [, comm, pid, , , seconds, fraction, period, fullName, rest] = header;
  const name = fullName.replace(modifierForm, '');
  let event = events.get(name);
  if (event === undefined) events.set(name, (event = new EventProfile(name, context)));
  const nanos = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
  const sample: OpenSample = {
    ...{ event, nanos },
    period: BigInt(period ?? 1),
    labels: [
      ['comm', comm],
      ['pid', pid],
    ],
    frames: [],
  };
  // Without -g the only frame follows the event.
  const frame = rest === undefined ? null : frameForm.exec(rest);
  if (frame !== null) addFrame(sample, frame, line);
  return sample;
}

function addFrame({ event, frames }: OpenSample, frame: RegExpExecArray, line: TextLine): void {
  if (frames.length === inputLimits.stackDepth) {
    throw overInputLimit(
      'stackDepth',
      `${what}: line ${line.number}: its sample has more than ${inputLimits.stackDepth} frames`,
    );
  }
  const [, , symbol, file] = frame;
  frames.push(event.location(symbol.replace(offsetForm, ''), file));
}

/** The profile of one event. */
class EventProfile {
  readonly #name: string;
  readonly #context: ImportContext;
  readonly #writer = new PprofWriter();
  readonly #locations = new Map<string, number>();
  #period = 0n;
  #first: bigint | undefined;
  #last = 0n;

  constructor(name: string, context: ImportContext) {
    this.#name = name;
    this.#context = context;
  }

  /** Returns the location of a symbol in a file, which perf also writes for inlined calls. */
  location(name: string, file: string): number {
    const key = `${file}\n${name}`;
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    const isFile = file !== 'inlined' && file !== '[unknown]';
    const id = this.#writer.frame({ name }, isFile ? this.#writer.mapping({ file }) : 0);
    this.#locations.set(key, id);
    return id;
  }

  write({ frames, period, nanos, labels }: OpenSample): void {
    this.#writer.sample(frames, [1n, period], labels);
    if (this.#period === 0n) this.#period = period;
    this.#first ??= nanos;
    this.#last = nanos;
  }

  finish(): ImportedProfile {
    const { timeNanos, durationNanos } = this.#context;
    const isClock = clockEvents.has(this.#name);
    const event = isClock
      ? { type: 'cpu', unit: 'nanoseconds' }
      : { type: this.#name.replaceAll(':', '_'), unit: 'count' };
    // The clock of perf counts from the start of the machine: it gives lengths of time only.
    const recorded = this.#last - (this.#first ?? this.#last);
    const pprof = this.#writer.finish({
      sampleTypes: [{ type: 'samples', unit: 'count' }, event],
      periodType: event,
      period: this.#period,
      timeNanos,
      durationNanos: durationNanos !== 0n || recorded <= 0n ? durationNanos : recorded,
    });
    return { name: isClock ? 'process_cpu' : 'perf', labels: [], pprof };
  }
}
