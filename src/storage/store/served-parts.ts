// Lists the parts of a store for query servers, and reads them. The parts are blocks, and the log
// of heads.
import { AppError, errorCode } from '../../base/errors.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { partsLogBytesMax, servedBlockMillis } from '../limits.ts';
import { servedReadBytesMax } from '../../base/limits.ts';
import type { Block } from '../block/block.ts';
import { encodeDeletions } from '../files/deletions.ts';
import type { LostParts } from '../lost-parts.ts';
import type {
  ListedBlock,
  LogPlace,
  LogStretch,
  StorePartsAnswer,
  PartsQuestion,
  StorePartSource,
} from '../part-source.ts';
import type { LoggedSegment, WalSegments } from '../wal/segments.ts';
import type { PartList } from './part-list.ts';

interface ServedPartsOptions {
  readonly parts: PartList<Block>;
  /** Epochs of the heads in the list, oldest first. */
  readonly epochs: () => readonly number[];
  readonly segments: Pick<WalSegments, 'ofEpoch' | 'read'>;
  readonly lost: LostParts;
  readonly instance: string;
  readonly clock: Clock;
}

/**
 * Maximum number of attempts to read the list. An attempt fails if a head is cut meanwhile, because
 * its log then no longer exists.
 */
const looksMax = 5;

/** A block that was recently removed from the list. */
interface GoneBlock {
  readonly block: Block;
  readonly release: () => void;
  readonly timer: Timer;
}

/**
 * Serves the parts of a store. A list shows the parts at one instant, because the list changes
 * synchronously. A removed block stays readable for a while, so that running queries can finish.
 */
export class ServedParts implements StorePartSource {
  readonly #options: ServedPartsOptions;
  readonly #gone = new Map<string, GoneBlock>();
  /**
   * Monotonic time of the last request for the list. Blocks are read only by servers that request
   * the list.
   */
  #lookedMillis = -Infinity;
  #isClosed = false;

  constructor(options: ServedPartsOptions) {
    this.#options = options;
  }

  async look(question: PartsQuestion, signal?: AbortSignal): Promise<StorePartsAnswer> {
    this.#lookedMillis = this.#options.clock.monotonicMillis();
    for (let left = looksMax; ; left -= 1) {
      try {
        return await this.#lookOnce(question, signal);
      } catch (error) {
        // A head that was cut after the list was made no longer has a log.
        if (errorCode(error) !== 'not-found' || left === 1) throw error;
      }
    }
  }

  async readBlock(
    id: string,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    signal?.throwIfAborted();
    const listed = this.#options.parts.blocks.find((block) => block.id === id);
    const block = listed ?? this.#gone.get(id)?.block;
    if (block === undefined) throw new AppError('not-found', `cannot read block ${id}: it is gone`);
    const isInside = offset >= 0 && length >= 0 && offset + length <= block.fileBytes;
    if (!isInside || length > servedReadBytesMax) {
      const asked = `${length} bytes at ${offset} of ${block.fileBytes}`;
      const most = `at most ${servedReadBytesMax} at once`;
      throw new AppError('invalid-argument', `cannot read block ${id}: ${asked}, ${most}`);
    }
    const release = block.pin();
    try {
      return await block.readBytes(offset, offset + length, signal);
    } finally {
      release();
    }
  }

  /** Keeps removed blocks readable for a while if query servers may be reading them. */
  noteRemoved(blocks: readonly Block[]): void {
    const { clock } = this.#options;
    const isRead = clock.monotonicMillis() - this.#lookedMillis < servedBlockMillis;
    if (!isRead || this.#isClosed) return;
    for (const block of blocks) {
      if (this.#gone.has(block.id)) continue;
      const timer = clock.setTimer(servedBlockMillis, () => this.#release(block.id));
      this.#gone.set(block.id, { block, release: block.pin(), timer });
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const id of Array.from(this.#gone.keys())) this.#release(id);
  }

  #release(id: string): void {
    const gone = this.#gone.get(id);
    this.#gone.delete(id);
    gone?.timer.cancel();
    gone?.release();
  }

  async #lookOnce(question: PartsQuestion, signal?: AbortSignal): Promise<StorePartsAnswer> {
    const { parts, epochs, segments, lost, instance } = this.#options;
    const isSame = question.instance === instance;
    // There must be no await before the state of this instant is collected.
    const version = `${parts.version}.${parts.blocks.reduce((sum, it) => sum + it.version(), 0)}`;
    const blocks = isSame && question.version === version ? undefined : listBlocks(parts.blocks);
    const heads = epochs();
    const losses = lost.all();
    const logs = heads.map((epoch) => {
      const place = isSame ? question.places.find((one) => one.epoch === epoch) : undefined;
      return { epoch, place, log: segments.ofEpoch(epoch) };
    });
    const stretches: LogStretch[] = [];
    let room = partsLogBytesMax;
    let isWhole = true;
    for (const { epoch, place, log } of logs) {
      for (const { sequence, salt, end, offset } of stretchesFrom(log, place)) {
        const length = Math.min(end - offset, room);
        if (length < end - offset) isWhole = false;
        if (length === 0) continue;
        signal?.throwIfAborted();
        const bytes = await segments.read(sequence, offset, length);
        stretches.push({ epoch, sequence, salt, offset, bytes, end });
        room -= length;
      }
    }
    return { instance, version, blocks, heads, stretches, isWhole, losses };
  }
}

function listBlocks(blocks: readonly Block[]): ListedBlock[] {
  return blocks.map(({ id, fileBytes, deletions }) => ({
    id,
    fileBytes,
    deletions: deletions.length === 0 ? new Uint8Array(0) : encodeDeletions(deletions),
  }));
}

/** Returns the bytes of the log after a given position, segment by segment. */
function stretchesFrom(
  log: readonly LoggedSegment[],
  place: LogPlace | undefined,
): { sequence: number; salt: number; offset: number; end: number }[] {
  const from = place?.sequence ?? 0;
  return log
    .filter(({ sequence, bytes }) => sequence >= from && bytes > 0)
    .map(({ sequence, bytes, salt }) => {
      const offset = sequence === from ? (place?.offset ?? 0) : 0;
      return { sequence, salt, offset: Math.min(offset, bytes), end: bytes };
    });
}
