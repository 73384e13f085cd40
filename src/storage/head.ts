// The head: all streams and rows in memory, and the one function that makes a profile visible.
import { assert } from '../base/assert.ts';
import type { ByteReader } from '../base/bytes.ts';
import { AppError } from '../base/errors.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { labelValue } from '../model/labels.ts';
import type { SampleLabelsIndex, StringIndex } from '../model/rows.ts';
import type { TimeRange } from './interface.ts';
import { LabelIndex } from './label-index.ts';
import {
  decodeProfileHead,
  decodeRows,
  type LargestIds,
  type ProfileHead,
} from './record-codec.ts';
import { RowArena } from './row-arena.ts';
import { streamKeyText, type StreamKey } from './stream-key.ts';
import { Stream, type StoredProfiles } from './stream.ts';
import { addLostStacks } from './symbol-codec.ts';

/** More stand-ins than this are not a lost record, but a record that is not ours. */
const lostRowsMax = 1 << 24;

/** What became of a profile that was applied. */
export type Applied = 'stored' | 'known' | 'no-stream';

/** Streams by ref; rows in the arena; postings. Only what is durable gets in here. */
export class Head {
  readonly dictionary: Dictionary;
  readonly index = new LabelIndex();
  readonly arena: RowArena;
  /** By ref; a hole is a stream whose definition never became durable. Row 0 is not used. */
  readonly streams: (Stream | undefined)[] = [undefined];
  profileCount = 0;
  rowCount = 0;
  streamCount = 0;
  /** Stacks and sample labels that stand in for those of a lost log record. */
  standIns = 0;
  private firstNanos = 0n;
  private lastNanos = 0n;
  private readonly byKey = new Map<string, Stream>();
  private readonly sum = new BigInt64Array(1);

  constructor(dictionary: Dictionary, rowSegmentBytes: number) {
    this.dictionary = dictionary;
    this.arena = new RowArena(rowSegmentBytes);
  }

  /**
   * The ref of the stream with this key, made when it is new. It is not found by queries while
   * empty.
   */
  streamOf(key: StreamKey): number {
    const text = streamKeyText(key);
    const known = this.byKey.get(text);
    if (known !== undefined) return known.ref;
    return this.addStream(text, new Stream(this.streams.length, copyKey(key))).ref;
  }

  /** The ref of the stream with this key, 0 when there is none. */
  findStream(key: StreamKey): number {
    return this.byKey.get(streamKeyText(key))?.ref ?? 0;
  }

  /** What identifies a stream; made anew for each call. */
  keyOf(ref: number): StreamKey {
    return this.streamAt(ref).key;
  }

  /** Refs of the streams that have profiles, ascending. */
  *refs(): Generator<number> {
    for (const stream of this.streams) {
      if (stream !== undefined && stream.profileCount > 0) yield stream.ref;
    }
  }

  /** The times of all profiles; undefined while there is none. */
  get range(): TimeRange | undefined {
    return this.profileCount === 0 ? undefined : { from: this.firstNanos, to: this.lastNanos };
  }

  /** The profiles of a stream in a range. */
  profilesIn(ref: number, range: TimeRange): StoredProfiles {
    return this.streamAt(ref).profilesIn(range);
  }

  /** Whether a stream has the profile of this time and content (its low 32 bits). */
  holds(ref: number, timeNanos: bigint, contentHash: bigint): boolean {
    return this.streamAt(ref).has(timeNanos, contentHash);
  }

  /** Sequence of the last log segment that defines the stream durably; 0 = none. */
  loggedSegment(ref: number): number {
    return this.streamAt(ref).loggedSegment;
  }

  /** Notes that a log segment defines the stream durably. */
  setLoggedSegment(ref: number, sequence: number): void {
    this.streamAt(ref).loggedSegment = sequence;
  }

  /**
   * Defines a stream as the log has it.
   *
   * Errors: AppError 'data-loss' when the ref is another stream's.
   */
  defineStream(ref: number, key: StreamKey): void {
    const text = streamKeyText(key);
    const known = this.byKey.get(text);
    if (known?.ref === ref) return;
    if (known !== undefined || this.streams[ref] !== undefined || ref > this.streams.length + 1e6) {
      throw new AppError('data-loss', `cannot define stream ${ref}: it contradicts another one`);
    }
    this.addStream(text, new Stream(ref, key));
  }

  /**
   * Makes one durable profile visible: decodes its rows, sums them, adds them to their stream.
   * The reader is at the profile, behind its length. A profile that is there already changes
   * nothing. Rows whose symbols are lost get stand-ins.
   *
   * Errors: AppError 'data-loss' when the bytes are not a profile.
   */
  apply(reader: ByteReader): Applied {
    const head = decodeProfileHead(reader);
    const stream = this.streams[head.stream];
    if (stream === undefined) return 'no-stream';
    if (head.planeCount !== stream.types.length) {
      throw new AppError(
        'data-loss',
        `cannot apply profile: it has ${head.planeCount} values a row`,
      );
    }
    if (stream.has(head.timeNanos, head.contentHash)) return 'known';
    const largest = decodeRows(reader, head, this.arena);
    this.standInForLost(largest);
    this.addProfile(stream, head);
    return 'stored';
  }

  private addProfile(stream: Stream, head: ProfileHead): void {
    const { arena } = this;
    const { runSegment, runOffset } = arena;
    const { rowCount, isLabelled } = head;
    if (stream.profileCount === 0) this.streamCount += 1;
    stream.grow();
    this.sumPlanes(stream, rowCount);
    if (isLabelled) this.noteSampleLabels(stream, rowCount, head.planeCount);
    else if (rowCount > 0) stream.sampleLabels.add(0);
    stream.push({
      timeNanos: head.timeNanos,
      durationNanos: head.durationNanos,
      period: head.period,
      contentHash: head.contentHash,
      runSegment,
      runOffset,
      runRows: rowCount,
      isLabelled,
    });
    const { timeNanos } = head;
    if (this.profileCount === 0 || timeNanos < this.firstNanos) this.firstNanos = timeNanos;
    if (this.profileCount === 0 || timeNanos > this.lastNanos) this.lastNanos = timeNanos;
    this.profileCount += 1;
    this.rowCount += rowCount;
  }

  /** Sets total and count of the profile that comes next, from the run that was made last. */
  private sumPlanes(stream: Stream, rows: number): void {
    const { values, words } = this.arena.segments[this.arena.runSegment];
    const { sum } = this;
    for (let plane = 0; plane < stream.types.length; plane += 1) {
      const start = this.arena.runOffset + plane * rows;
      let count = 0;
      sum[0] = 0n;
      for (let i = start; i < start + rows; i += 1) {
        sum[0] += values[i];
        if ((words[2 * i] | words[2 * i + 1]) !== 0) count += 1;
      }
      stream.total[plane][stream.profileCount] = sum[0];
      stream.count[plane][stream.profileCount] = count;
    }
  }

  private noteSampleLabels(stream: Stream, rows: number, planes: number): void {
    const { words } = this.arena.segments[this.arena.runSegment];
    const start = this.arena.runOffset * 2 + rows * (2 * planes + 1);
    for (let i = start; i < start + rows; i += 1) {
      const row = words[i];
      if (stream.sampleLabels.has(row)) continue;
      stream.sampleLabels.add(row);
      this.noteSampleNames(stream, row as SampleLabelsIndex);
    }
  }

  private noteSampleNames(stream: Stream, row: SampleLabelsIndex): void {
    const { sampleLabels, strings } = this.dictionary;
    for (let i = sampleLabels.entryStart[row]; i < sampleLabels.entryStart[row + 1]; i += 1) {
      if (sampleLabels.text[i] === 0) continue;
      const name = strings.text(sampleLabels.key[i] as StringIndex);
      if (stream.sampleLabelNames.has(name)) continue;
      stream.sampleLabelNames.add(name);
      if (labelValue(stream.key.labels, name) === '') this.index.addSampleName(stream, name);
    }
  }

  private standInForLost(largest: LargestIds): void {
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

  private streamAt(ref: number): Stream {
    const stream = this.streams[ref];
    assert(stream !== undefined, 'the stream is defined');
    return stream;
  }

  private addStream(text: string, stream: Stream): Stream {
    assert(this.streams[stream.ref] === undefined, 'a ref belongs to one stream');
    while (this.streams.length <= stream.ref) this.streams.push(undefined);
    this.streams[stream.ref] = stream;
    this.byKey.set(text, stream);
    this.index.add(stream);
    return stream;
  }
}

/** The caller's arrays may be reused after append. */
function copyKey(key: StreamKey): StreamKey {
  return {
    labels: key.labels.map(({ name, value }) => ({ name, value })),
    name: key.name,
    sampleTypes: key.sampleTypes.map(({ type, unit }) => ({ type, unit })),
    periodType: { type: key.periodType.type, unit: key.periodType.unit },
    delta: key.delta,
  };
}
