// Writes the profiles of a frozen head as blocks. There is one block for each window of time.
import { floorTo } from '../../base/int64.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { cutChunkRowsMax, cutWindowsMax } from '../limits.ts';
import type { Random } from '../../base/random.ts';
import { createBlockId, blockName } from '../files/block-names.ts';
import { type ChunkEncoder, createEncoderThread } from '../chunk/chunk-encoder.ts';
import { createBlockWriter, type BlockWriter } from '../block/block-writer.ts';
import { KeyCollector } from '../block/index/key-collector.ts';
import type { Cut } from './cut-queue.ts';
import type { Epoch } from '../wal/epoch.ts';
import type { Head } from '../head/head.ts';
import { HeadChunks } from '../head/head-chunks.ts';
import type { TimeRange } from '../interface.ts';
import { Pacer } from '../../base/pacer.ts';
import type { OpenBlock } from './block-directory.ts';
import { publishFile, temporaryPath } from '../../base/durable-files.ts';
import { windowNanos } from '../block/block-facts.ts';

interface CutPlace {
  readonly files: Files;
  /** Directory for the blocks. It must exist. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Opens a published block. */
  openBlock(id: string): Promise<OpenBlock>;
}

/** One block of a cut. */
interface PlannedBlock {
  readonly id: string;
  /** Time ranges of the profiles that go into the block. The ranges do not overlap. */
  readonly ranges: readonly TimeRange[];
  /** Length of the window; 0 = the ranges are not one window. */
  readonly windowNanos: bigint;
  isWritten: boolean;
  isPublished: boolean;
  opened: OpenBlock | undefined;
}

/** The cut of one head. A second attempt continues where the first attempt failed. */
export class HeadCut implements Cut<OpenBlock> {
  readonly #place: CutPlace;
  readonly #epoch: Epoch;
  readonly #signal: AbortSignal;
  readonly #chunks: HeadChunks;
  readonly #pacer: Pacer;
  #blocks: readonly PlannedBlock[] | undefined;
  /** Refs of the head's streams, in the order in which blocks store them. */
  #order: Uint32Array | undefined;

  constructor(place: CutPlace, epoch: Epoch, signal: AbortSignal) {
    this.#place = place;
    this.#epoch = epoch;
    this.#signal = signal;
    this.#chunks = new HeadChunks(epoch.head);
    this.#pacer = new Pacer(place.clock);
  }

  async write(): Promise<void> {
    // A query may sort late profiles in the meantime, but pinned profiles do not move.
    const unpin = this.#epoch.head.pin();
    const encoder = createEncoderThread();
    const stop = (): void => void encoder.close();
    this.#signal.addEventListener('abort', stop, { once: true });
    try {
      this.#blocks ??= await this.#plan();
      for (const block of this.#blocks) {
        if (block.isWritten) continue;
        await this.#writeBlock(block, this.#blocks.length, encoder);
        block.isWritten = true;
      }
    } finally {
      this.#signal.removeEventListener('abort', stop);
      await encoder.close();
      unpin();
    }
  }

  async publish(): Promise<readonly OpenBlock[]> {
    const opened: OpenBlock[] = [];
    for (const block of this.#blocks ?? []) {
      if (!block.isPublished) await this.#publishOne(block);
      block.isPublished = true;
    }
    for (const block of this.#blocks ?? []) {
      block.opened ??= await this.#place.openBlock(block.id);
      opened.push(block.opened);
    }
    return opened;
  }

  /** Publishes a block. An earlier attempt may already have renamed its file. */
  async #publishOne(block: PlannedBlock): Promise<void> {
    const { files, directory } = this.#place;
    const path = this.#blockPath(block);
    if (await files.exists(temporaryPath(path))) await publishFile(files, path);
    else await files.syncDirectory(directory);
  }

  async #plan(): Promise<PlannedBlock[]> {
    const { clock, random } = this.#place;
    const all = await this.#pausing(findWindows(this.#epoch.head));
    const kept = [...all].sort((a, b) => b.rows - a.rows).slice(0, cutWindowsMax);
    const ranges = kept.map(({ window }) => windowRange(window)).sort(byStart);
    const plan: Pick<PlannedBlock, 'ranges' | 'windowNanos'>[] = ranges.map((range) => ({
      ranges: [range],
      windowNanos,
    }));
    const { range } = this.#epoch.head;
    if (range && kept.length < all.length) {
      plan.push({ ranges: gapsBetween(ranges, range), windowNanos: 0n });
    }
    return plan.map((block) => ({
      ...block,
      id: createBlockId(clock.nowNanos(), random),
      isWritten: false,
      isPublished: false,
      opened: undefined,
    }));
  }

  async #writeBlock(block: PlannedBlock, cutCount: number, encoder: ChunkEncoder): Promise<void> {
    const { files, clock } = this.#place;
    const epoch = this.#epoch;
    const writer = await createBlockWriter({
      files,
      path: this.#blockPath(block),
      dictionary: epoch.head.dictionary,
      // The block is compacted soon, so fast reads matter more than a small size.
      isCold: false,
      facts: {
        id: block.id,
        level: 0,
        sources: [],
        epoch: epoch.number,
        cutCount,
        createdNanos: clock.nowNanos(),
        windowNanos: block.windowNanos,
      },
      pause: () => this.#pause(),
      encoder,
    });
    try {
      await this.#writeStreams(writer, block);
      await writer.finish();
    } catch (error) {
      // If the file cannot be removed now, the next attempt overwrites it.
      await writer.abandon().catch(() => undefined);
      throw error;
    }
  }

  async #writeStreams(writer: BlockWriter, { ranges }: PlannedBlock): Promise<void> {
    const { head } = this.#epoch;
    this.#order ??= await this.#sortedRefs();
    for (const ref of this.#order) {
      let isBegun = false;
      for (const range of ranges) {
        for (const chunk of this.#chunks.readChunks(ref, range, cutChunkRowsMax)) {
          if (!isBegun) writer.beginStream(head.readKey(ref));
          isBegun = true;
          await writer.addChunk(chunk, 0);
          await this.#pause();
        }
      }
    }
  }

  /**
   * Sorts the streams by key, so that streams with common labels are next to each other in a block.
   */
  async #sortedRefs(): Promise<Uint32Array> {
    const { head } = this.#epoch;
    const refs: number[] = [];
    const keys = new KeyCollector(head.pairs);
    for (const ref of head.refs()) {
      refs.push(ref);
      keys.addRows(head.streams.toStreamShape(ref), head.streams.readLabels(ref));
      await this.#pause();
    }
    const { order } = await keys.sort(() => this.#pause());
    return order.map((i) => refs[i]);
  }

  async #pausing<T>(steps: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await this.#pacer.pause();
    if (this.#signal.aborted) throw new AppError('unavailable', 'cannot cut the head: closing');
  }

  #blockPath({ id }: PlannedBlock): string {
    return `${this.#place.directory}/${blockName(id)}`;
  }
}

interface Window {
  /** Start of the window. */
  readonly window: bigint;
  readonly rows: number;
}

/** Finds the windows that have profiles. Yields after each stream. */
function* findWindows(head: Head): Generator<undefined, Window[]> {
  const { range } = head;
  if (range === undefined) return [];
  const first = floorToWindow(range.from);
  // In most heads, all profiles are in one window.
  if (first === floorToWindow(range.to)) return [{ window: first, rows: head.rowCount }];
  const rows = new Map<bigint, number>();
  for (const ref of head.refs()) {
    const span = head.spanIn(ref, range);
    if (span === undefined) continue;
    const { timeNanos, runRows } = span.columns;
    let window = floorToWindow(timeNanos[span.first]);
    let { to } = windowRange(window);
    for (let i = span.first; i < span.end; i += 1) {
      if (timeNanos[i] > to) {
        window = floorToWindow(timeNanos[i]);
        ({ to } = windowRange(window));
      }
      rows.set(window, (rows.get(window) ?? 0) + runRows[i] + 1);
    }
    yield;
  }
  return Array.from(rows, ([window, count]) => ({ window, rows: count }));
}

function floorToWindow(timeNanos: bigint): bigint {
  return floorTo(timeNanos, windowNanos);
}

/** Returns the range of a window. */
function windowRange(window: bigint): TimeRange {
  return { from: window, to: window + windowNanos - 1n };
}

function byStart(a: TimeRange, b: TimeRange): number {
  return a.from < b.from ? -1 : 1;
}

/** Returns the gaps in `whole` that no range covers. The ranges must be sorted. */
function gapsBetween(ranges: readonly TimeRange[], whole: TimeRange): TimeRange[] {
  const gaps: TimeRange[] = [];
  let { from } = whole;
  for (const range of ranges) {
    if (from < range.from) gaps.push({ from, to: range.from - 1n });
    from = range.to + 1n;
  }
  if (from <= whole.to) gaps.push({ from, to: whole.to });
  return gaps;
}
