// The head: streams and rows in memory, and how profiles become visible.
import type { ByteReader } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { finishAtOnce, type Steps } from '../../base/pacer.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { TimeRange } from '../interface.ts';
import { LabelIndex } from './label-index.ts';
import { LabelPairs } from '../series/label-pairs.ts';
import { decodeProfileHead, decodeRows, type LargestIds } from './profile-codec.ts';
import { RowArena } from './row-arena.ts';
import { RunTimes } from './run-times.ts';
import type { StreamKey } from '../series/stream-key.ts';
import { type StagedProfile, sumValueColumns } from './staged-profile.ts';
import { StreamProfiles, type Presence, type ProfileSpan } from './stream-profiles.ts';
import type { SpanSums } from './stream-sums.ts';
import { StreamSamples } from './stream-samples.ts';
import { StreamTable } from './stream-table.ts';
import { addLostStacks } from '../../model/dictionaries/dictionary-codec.ts';
import { WriteTimes } from './write-times.ts';

/**
 * Maximum number of stand-ins for lost records. A record that needs more cannot have been written
 * by this server.
 */
const lostRowsMax = 1 << 24;
/** Number of rows whose labels are recorded in one step, which takes about a millisecond. */
const labelsPerStep = 4_096;

/**
 * Outcome of `apply` and `show`: the profile was added, was already there, or belongs to an
 * undefined stream.
 */
export type Applied = 'stored' | 'known' | 'no-stream';

/**
 * Streams by ref, the rows of their profiles in the arena, and postings. A head contains only
 * durable profiles.
 *
 * There is no JavaScript object for a stream or a profile: a stream with one small profile takes
 * about 200 bytes. Columns grow without a long pause. The limits are 2 million streams, 4 million
 * stacks and 16 million profiles; a head is cut long before it reaches them.
 */
export class Head {
  readonly dictionary: Dictionary;
  readonly pairs: LabelPairs;
  readonly index: LabelIndex;
  readonly arena: RowArena;
  readonly streams: StreamTable;
  readonly samples: StreamSamples;
  /** Sample times of the profiles, if they have sample times. */
  readonly times = new RunTimes();
  profileCount = 0;
  rowCount = 0;
  /** Number of streams that have profiles. */
  streamCount = 0;
  /** Number of stand-ins for stacks and sample labels of lost log records. */
  standIns = 0;
  /** Times at which profiles were written. */
  readonly writeTimes = new WriteTimes();
  readonly #profiles = new StreamProfiles();
  #firstNanos = 0n;
  #lastNanos = 0n;

  constructor(dictionary: Dictionary, rowSegmentBytes: number) {
    const { seed } = dictionary.locations;
    this.dictionary = dictionary;
    this.pairs = new LabelPairs(seed);
    this.arena = new RowArena(rowSegmentBytes);
    this.streams = new StreamTable(this.pairs, seed);
    this.index = new LabelIndex(this.pairs, this.streams);
    this.samples = new StreamSamples(dictionary.sampleLabels);
  }

  /**
   * Returns the ref of the stream with this key; adds the stream if it is new. Queries do not see a
   * stream without profiles.
   */
  internStream(key: StreamKey): number {
    const { length } = this.streams;
    const ref = this.streams.intern(key);
    if (ref === length) this.#addStream(ref);
    return ref;
  }

  /** Returns the ref of the stream with this key; 0 when there is none. */
  findStream(key: StreamKey): number {
    return this.streams.find(key);
  }

  /** Returns a new copy of a stream's key. */
  readKey(ref: number): StreamKey {
    return this.streams.readKey(ref);
  }

  /** Yields the refs of streams that have profiles, ascending. */
  *refs(): Generator<number> {
    for (let ref = 1; ref < this.streams.length; ref += 1) {
      if (this.streams.isDefined(ref) && this.#profiles.count(ref) > 0) yield ref;
    }
  }

  /** Range of the times of all profiles; undefined when there are none. */
  get range(): TimeRange | undefined {
    return this.profileCount === 0 ? undefined : { from: this.#firstNanos, to: this.#lastNanos };
  }

  /** Returns the profiles of a stream in a range; undefined when there are none. */
  spanIn(ref: number, range: TimeRange): ProfileSpan | undefined {
    return this.#profiles.spanIn(ref, this.#countValueColumns(ref), range);
  }

  /** Returns the running sums over a span of a stream's profiles; see StreamProfiles. */
  spanSums(ref: number, span: ProfileSpan, valueColumn: number): SpanSums | undefined {
    return this.#profiles.spanSums(ref, span, valueColumn);
  }

  /**
   * Returns 'none', 'some' or 'all', depending on how many profiles of a stream are in a range.
   * Takes constant time.
   */
  presenceIn(ref: number, range: TimeRange): Presence {
    return this.#profiles.presenceIn(ref, this.#countValueColumns(ref), range);
  }

  /** Returns the number of a stream's profiles. */
  countProfiles(ref: number): number {
    return this.#profiles.count(ref);
  }

  /**
   * Returns true if a stream has a profile with this time and these low 32 bits of the content
   * hash.
   */
  holds(ref: number, timeNanos: bigint, contentHash: bigint): boolean {
    return this.#profiles.has(ref, this.#countValueColumns(ref), timeNanos, contentHash);
  }

  /**
   * Returns the sequence number of the last log segment that durably defines the stream; 0 = none.
   */
  loggedSegment(ref: number): number {
    return this.streams.loggedSegment(ref);
  }

  /** Records that the log segment with this sequence number durably defines the stream. */
  setLoggedSegment(ref: number, sequence: number): void {
    this.streams.setLoggedSegment(ref, sequence);
  }

  /**
   * Keeps the profiles in later results of `spanIn` unchanged until the returned function is
   * called.
   */
  pin(): () => void {
    return this.#profiles.pin();
  }

  /** Memory used by rows, profiles, streams, their index and symbols, in bytes. */
  get usedBytes(): number {
    const { arena, streams, samples, times, pairs, index, dictionary } = this;
    const profiles = this.#profiles;
    const own = arena.usedBytes + profiles.usedBytes + streams.usedBytes + samples.usedBytes;
    return own + times.usedBytes + pairs.usedBytes + index.usedBytes + dictionary.usedBytes;
  }

  /**
   * Adds a stream that the log defines, under the ref that it has in the log.
   *
   * Errors: AppError 'data-loss' when the ref belongs to another stream.
   */
  defineStream(ref: number, key: StreamKey): void {
    if (this.streams.define(ref, key)) this.#addStream(ref);
  }

  /**
   * Makes one durable profile visible, as `stage` and `show` do. The reader must be at the start of
   * the profile, just after its length.
   *
   * Errors: as in `stage`.
   */
  apply(reader: ByteReader): Applied {
    const staged = finishAtOnce(this.stage(reader));
    return typeof staged === 'string' ? staged : this.show(staged);
  }

  /**
   * Decodes the rows of one durable profile and sums them, in steps of about a millisecond. Nothing
   * else may be staged between two steps. The profile is not visible to queries yet, but the labels
   * of its samples may be. If the head already has the profile, nothing changes. Stand-ins replace
   * lost symbols.
   *
   * Errors: AppError 'data-loss' if the bytes are not a profile.
   */
  *stage(reader: ByteReader): Steps<StagedProfile | 'known' | 'no-stream'> {
    const head = decodeProfileHead(reader);
    const ref = head.stream;
    if (!this.streams.isDefined(ref)) return 'no-stream';
    if (head.valueColumnCount !== this.#countValueColumns(ref)) {
      throw new AppError(
        'data-loss',
        `cannot apply profile: it has ${head.valueColumnCount} values a row`,
      );
    }
    if (this.holds(ref, head.timeNanos, head.contentHash)) return 'known';
    const rows = yield* decodeRows(reader, head, this.arena);
    this.#standInForLost(rows);
    const { runSegment, runOffset } = this.arena;
    const staged = {
      ...head,
      runSegment,
      runOffset,
      runRows: head.rowCount,
      totals: [],
      counts: [],
      times: rows.times,
    };
    if (head.isLabelled) yield* this.#noteSampleLabels(staged);
    const summing = sumValueColumns(this.arena.segments[runSegment], staged);
    if (summing !== undefined) yield* summing;
    return staged;
  }

  /** Makes a staged profile visible. */
  show(staged: StagedProfile): Applied {
    const { stream: ref, valueColumnCount, timeNanos, times } = staged;
    // A batch may contain a profile twice.
    if (this.holds(ref, timeNanos, staged.contentHash)) return 'known';
    const profiles = this.#profiles;
    const isFirst = profiles.count(ref) === 0;
    profiles.push(ref, valueColumnCount, staged);
    if (isFirst) this.streamCount += 1;
    if (this.profileCount === 0 || timeNanos < this.#firstNanos) this.#firstNanos = timeNanos;
    if (this.profileCount === 0 || timeNanos > this.#lastNanos) this.#lastNanos = timeNanos;
    this.profileCount += 1;
    this.writeTimes.add(timeNanos);
    this.rowCount += staged.rowCount;
    if (times !== undefined) this.times.set(staged, times);
    // Whether the stream has sample labels is known only now, after the whole batch has been
    // staged.
    const hasUnlabelled = !staged.isLabelled && staged.rowCount > 0;
    if (hasUnlabelled && this.samples.has(ref)) this.samples.note(ref, 0, () => undefined);
    return 'stored';
  }

  *#noteSampleLabels(staged: StagedProfile): Steps<void> {
    const { stream: ref, rowCount, valueColumnCount } = staged;
    const { samples } = this;
    const onName = (name: StringIndex): void => this.#noteSampleName(ref, name);
    if (!samples.has(ref)) {
      samples.start(ref);
      // Earlier rows of the stream have no labels.
      if (this.#hasRows(ref)) samples.note(ref, 0, onName);
    }
    const { words } = this.arena.segments[staged.runSegment];
    const start = staged.runOffset * 2 + rowCount * (2 * valueColumnCount + 1);
    for (let row = 0; row < rowCount; row += 1) {
      const i = start + row;
      if (row === 0 || words[i] !== words[i - 1]) samples.note(ref, words[i], onName);
      if (row % labelsPerStep === labelsPerStep - 1) yield;
    }
  }

  #noteSampleName(ref: number, row: StringIndex): void {
    const name = this.dictionary.strings.text(row);
    if (this.streams.labelNamed(ref, this.pairs.numberOfName(name)) !== 0) return;
    this.index.addSampleName(ref, name);
  }

  /** Returns true if a profile of the stream has rows. */
  #hasRows(ref: number): boolean {
    const span = this.spanIn(ref, wholeTime);
    if (span === undefined) return false;
    for (let i = span.first; i < span.end; i += 1) if (span.columns.runRows[i] > 0) return true;
    return false;
  }

  #standInForLost(largest: LargestIds): void {
    const { stacks, sampleLabels } = this.dictionary;
    if (largest.stack < stacks.length && largest.sampleLabels < sampleLabels.length) return;
    const lost = Math.max(
      largest.stack - stacks.length,
      largest.sampleLabels - sampleLabels.length,
    );
    if (lost > lostRowsMax) {
      this.arena.release();
      throw new AppError('data-loss', 'cannot apply profile: its stacks are far from any known');
    }
    this.standIns += addLostStacks(this.dictionary, largest.stack + 1, largest.sampleLabels + 1);
  }

  #countValueColumns(ref: number): number {
    return this.streams.toStreamShape(ref).types.length;
  }

  /** Reserves space for a new stream's profiles and adds the stream to the index. */
  #addStream(ref: number): void {
    this.#profiles.addStream(ref);
    this.index.add(ref, this.streams.readLabels(ref), this.streams.toStreamShape(ref));
  }
}

const wholeTime: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
