// Converts the output of `perf script` to pprof, one profile for each event.
//
// A sample is a header and its frames, leaf first; an empty line ends it. Addresses depend on where
// a file was loaded, so only names, files and lines are kept. Other output between samples, such as
// instructions and registers, is skipped and counted. Source:
// https://man7.org/linux/man-pages/man1/perf-script.1.html
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import {
  type ImportContext,
  type ImportedProfile,
  plainCounts,
  refuseMeaning,
} from '../reading/imported-profile.ts';
import type { ValueType } from '../../model/profile-type.ts';
import { splitLines, type TextLine } from '../reading/lines.ts';
import { LineCounter, type SkippedLines } from '../reading/skipped-lines.ts';
import { PprofWriter, type WrittenLabel } from '../pprof/writer.ts';
import {
  isUnknownSource,
  type PerfFrame,
  type PerfHeader,
  type PerfSourceLine,
  readBareHeader,
  readFrame,
  readSourceLine,
  readTimedHeader,
  readUntimedHeader,
} from './perf-lines.ts';

const what = 'cannot read perf script';
/** Events whose period is in nanoseconds of CPU time. */
const clockEvents: ReadonlySet<string> = new Set(['cpu-clock', 'task-clock']);
const cpuTime: ValueType = { type: 'cpu', unit: 'nanoseconds' };
/** Matches records other than samples, which --show-mmap-events prints. */
const recordForm = /: PERF_RECORD_[A-Z]/;

/** Profiles of a script, and lines that could not be read. */
export interface PerfScript {
  readonly profiles: ImportedProfile[];
  readonly skipped: SkippedLines | undefined;
}

/**
 * Converts a script to one profile for each event. Samples have the labels `comm` and `pid`.
 *
 * Errors: DecodeError for text that is not UTF-8; AppError 'invalid-argument' if there is no
 * sample, 'resource-exhausted' for a stack that is too deep.
 */
export function decodePerfScript(bytes: Uint8Array, context: ImportContext): PerfScript {
  const reader = new ScriptReader(context);
  for (const line of splitLines(bytes, what)) reader.take(line);
  return reader.finish();
}

/** A call, and its source line if perf prints it. */
interface OpenFrame extends PerfFrame {
  source: PerfSourceLine | undefined;
}

/** A sample whose frames are being read. */
interface OpenSample {
  readonly header: PerfHeader;
  /** Frames of the sample, leaf first. */
  readonly frames: OpenFrame[];
}

/** Reads lines one by one. */
class ScriptReader {
  readonly #context: ImportContext;
  readonly #events = new Map<string, EventProfile>();
  readonly #skipped = new LineCounter();
  #sample: OpenSample | undefined;
  /** A line that is a header only if a frame follows. */
  #unsure: TextLine | undefined;
  /** True after an empty line and at the start, when a frame may follow without a header. */
  #isBetween = true;

  constructor(context: ImportContext) {
    this.#context = context;
  }

  take(line: TextLine): void {
    const { text } = line;
    if (text.trim() === '') {
      this.#close();
      this.#isBetween = true;
      return;
    }
    if (text.startsWith('#')) return;
    this.#takeContent(line);
    this.#isBetween = false;
  }

  finish(): PerfScript {
    this.#close();
    const profiles = [...this.#events.values()].map((event) => event.finish());
    const { first } = this.#skipped;
    if (profiles.length > 0) return { profiles, skipped: this.#skipped.skipped() };
    const why =
      first === undefined
        ? 'it has no sample'
        : `line ${first.number} is neither a sample's header nor a frame of one`;
    throw new AppError('invalid-argument', `${what}: ${why}`);
  }

  #takeContent(line: TextLine): void {
    const { text } = line;
    if (recordForm.test(text)) {
      this.#close();
      this.#skipped.add(line);
      return;
    }
    const header = readTimedHeader(text);
    if (header !== undefined) {
      this.#open(header, line);
      return;
    }
    const frame = readFrame(text);
    if (frame !== undefined) {
      this.#addFrame(frame, line);
      return;
    }
    if (this.#sample === undefined || this.#isWhole(this.#sample)) {
      const untimed = readUntimedHeader(text);
      if (untimed !== undefined && (this.#isBetween || readFrame(untimed.rest) !== undefined)) {
        this.#open(untimed, line);
        return;
      }
    }
    if (this.#sample !== undefined) {
      this.#addDetail(text, line);
      return;
    }
    this.#skipUnsure();
    this.#unsure = line;
  }

  /**
   * Returns true for a sample on a single line, after which another sample may follow without an
   * empty line.
   */
  #isWhole({ header }: OpenSample): boolean {
    return header.rest !== '';
  }

  #open(header: PerfHeader, line: TextLine): void {
    this.#close();
    this.#sample = { header, frames: [] };
    const only = readFrame(header.rest);
    if (only !== undefined) this.#addFrame(only, line);
  }

  #addFrame(frame: PerfFrame, line: TextLine): void {
    if (this.#sample === undefined) {
      if (this.#unsure === undefined && !this.#isBetween) {
        this.#skipped.add(line);
        return;
      }
      this.#sample = { header: readBareHeader(this.#unsure?.text ?? ''), frames: [] };
      this.#unsure = undefined;
    }
    const { frames } = this.#sample;
    if (frames.length === inputLimits.stackDepth) {
      throw overInputLimit(
        'stackDepth',
        `${what}: line ${line.number}: its sample has more than ${inputLimits.stackDepth} frames`,
      );
    }
    frames.push({ ...frame, source: undefined });
  }

  /** Adds the source line of the last frame; skips other lines after a frame. */
  #addDetail(text: string, line: TextLine): void {
    if (isUnknownSource(text)) return;
    const source = readSourceLine(text);
    const frame = this.#sample?.frames.at(-1);
    if (source === undefined || frame === undefined || frame.source !== undefined) {
      this.#skipped.add(line);
    } else frame.source = source;
  }

  #close(): void {
    this.#skipUnsure();
    if (this.#sample === undefined) return;
    const { header, frames } = this.#sample;
    const key = header.event ?? '';
    let event = this.#events.get(key);
    if (event === undefined)
      this.#events.set(key, (event = new EventProfile(key, this.#context, header.period)));
    event.write(header, frames);
    this.#sample = undefined;
  }

  #skipUnsure(): void {
    if (this.#unsure !== undefined) this.#skipped.add(this.#unsure);
    this.#unsure = undefined;
  }
}

/** The profile of one event. */
class EventProfile {
  readonly #name: string;
  readonly #context: ImportContext;
  readonly #writer = new PprofWriter();
  readonly #locations = new Map<string, number>();
  /**
   * Period of the first sample; undefined if samples have none, or if the sender defines the
   * meaning of counts.
   */
  readonly #period: bigint | undefined;
  #first: bigint | undefined;
  #last = 0n;

  /** `name` is "" for samples of an unknown event. */
  constructor(name: string, context: ImportContext, period: bigint | undefined) {
    this.#name = name;
    this.#context = context;
    const isClock = clockEvents.has(name);
    const { parameter } = context.counts;
    if (isClock && period !== undefined) refuseMeaning(context, `samples of ${name} say`);
    // Periods of other events are numbers of events; only the sender knows the time that a sample
    // represents.
    this.#period = isClock || parameter === undefined ? period : undefined;
  }

  write({ comm, pid, period = 1n, nanos }: PerfHeader, frames: readonly OpenFrame[]): void {
    const labels: WrittenLabel[] = [];
    if (comm !== undefined) labels.push(['comm', comm]);
    if (pid !== undefined) labels.push(['pid', pid]);
    const locations = frames.map((frame) => this.#location(frame));
    const hasPeriods = this.#period !== undefined;
    if (nanos !== undefined) this.#first ??= nanos;
    const offset = (nanos ?? 0n) - (this.#first ?? 0n);
    this.#writer.sample(
      locations,
      hasPeriods ? [1n, period] : [this.#context.counts.factor],
      labels,
      nanos === undefined ? undefined : { offsets: [offset] },
    );
    if (nanos !== undefined) this.#last = nanos;
  }

  finish(): ImportedProfile {
    const { timeNanos, durationNanos, counts } = this.#context;
    // perf's clock starts with the machine, so only durations can be computed.
    const recorded = this.#last - (this.#first ?? this.#last);
    const times = {
      timeNanos,
      durationNanos: durationNanos !== 0n || recorded <= 0n ? durationNanos : recorded,
    };
    const isClock = clockEvents.has(this.#name);
    const event = isClock ? cpuTime : { type: this.#name.replaceAll(':', '_'), unit: 'count' };
    const name = isClock ? 'process_cpu' : 'perf';
    if (this.#period !== undefined) {
      const sampleTypes = [{ type: 'samples', unit: 'count' }, event];
      const pprof = this.#writer.finish({
        ...times,
        sampleTypes,
        periodType: event,
        period: this.#period,
      });
      return { name, labels: [], pprof };
    }
    // Without periods, samples are only counted, unless the sender defines the meaning of counts.
    const { sampleType, periodType, period } = counts;
    const isPlain = sampleType.type === plainCounts.sampleType.type && counts.factor === 1n;
    const ofEvent = isClock || event.type === '' ? undefined : event;
    const pprof = this.#writer.finish({
      ...times,
      sampleTypes: [sampleType],
      periodType: periodType ?? ofEvent,
      period,
    });
    return { name: isPlain ? name : counts.name, labels: [], pprof };
  }

  /** Returns the location of a call, which may be inlined. */
  #location({ symbol, binary, source }: OpenFrame): number {
    const place = source === undefined ? '' : `${source.file}:${source.line}`;
    const key = `${binary}\n${symbol}\n${place}`;
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    const mapping = binary === '' ? 0 : this.#writer.mapping({ file: binary });
    const id = this.#writer.frame({ name: symbol, ...source }, mapping);
    this.#locations.set(key, id);
    return id;
  }
}
