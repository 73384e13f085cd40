// The parts of a live server that are currently known: its blocks, and copies of its heads.
import type { Clock } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import { int64Max } from '../../base/int64.ts';
import { objectOutageMillis, rowSegmentBytes } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { HeadPart } from '../head/head-part.ts';
import { Head } from '../head/head.ts';
import type { ListedBlock, ListedLoss, PartsAnswer, PartSource } from '../part-source.ts';
import type { Part } from '../part.ts';
import { LogFollower } from '../wal/log-follower.ts';

/** A server that is asked for profiles that are not in the bucket yet. */
export interface LiveServer extends PartSource {
  /** Address of the server, for messages. */
  readonly name: string;
  close(): void;
}

interface LivePartsOptions {
  readonly server: LiveServer;
  /** Number of the server. It is a part of the ids of the server's heads. */
  readonly number: number;
  /** Maximum memory of the copies of the server's heads, in bytes. */
  readonly memoryBytesMax: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A head of the server, as a copy that follows the log of the head. */
interface FollowedHead {
  readonly follower: LogFollower;
  readonly part: Part;
}

export class LiveParts {
  readonly server: LiveServer;
  /** Blocks in the latest list, by id. */
  blocks: ReadonlyMap<string, ListedBlock> = new Map();
  gone: ReadonlySet<string> = new Set();
  losses: readonly ListedLoss[] = [];
  heads: readonly Part[] = [];
  /** Reason why the parts of the server are currently unknown; undefined if they are known. */
  problem: string | undefined = 'it was not asked yet';
  /** Number that grows when blocks or heads of the server change. */
  changes = 0;
  readonly #options: LivePartsOptions;
  #instance = '';
  #version = '';
  #followed = new Map<number, FollowedHead>();
  /** Monotonic time before which the server is not contacted again after a failure. */
  #asksFromMillis = -Infinity;

  constructor(options: LivePartsOptions) {
    this.#options = options;
    this.server = options.server;
  }

  /** Asks the server for changes. Never rejects; after a failure, `problem` has the reason. */
  async look(): Promise<void> {
    const { clock, logger, server } = this.#options;
    if (clock.monotonicMillis() < this.#asksFromMillis) return;
    try {
      let isWhole = false;
      while (!isWhole) isWhole = await this.#lookOnce();
      if (this.problem !== undefined) {
        logger.info('a live server answers', { server: server.name });
        this.changes += 1;
      }
      this.problem = undefined;
    } catch (error) {
      // Queries in the next few seconds do not wait for this server.
      this.#asksFromMillis = clock.monotonicMillis() + objectOutageMillis;
      const why = errorMessage(error);
      if (this.problem !== why) {
        logger.warn('cannot read a live server', { server: server.name, error: why });
        this.changes += 1;
      }
      this.problem = why;
    }
  }

  /** Sends one request. Returns true if all changes are now known. */
  async #lookOnce(): Promise<boolean> {
    const { server } = this.#options;
    const places = Array.from(this.#followed.values(), ({ follower }) => follower.place);
    const answer = await server.look({ instance: this.#instance, version: this.#version, places });
    if (answer.instance !== this.#instance) this.#followed = new Map();
    this.#instance = answer.instance;
    await this.#follow(answer);
    if (!answer.isWhole) {
      // The list is valid only together with the complete logs of the same instant.
      this.#version = '';
      return false;
    }
    this.gone = new Set(answer.gone);
    this.losses = answer.losses;
    if (answer.blocks === undefined) return true;
    this.blocks = new Map(answer.blocks.map((block) => [block.id, block]));
    this.#version = answer.version;
    for (const epoch of this.#followed.keys()) {
      if (!answer.heads.includes(epoch)) this.#followed.delete(epoch);
    }
    this.heads = Array.from(this.#followed.values(), ({ part }) => part);
    this.changes += 1;
    return true;
  }

  /**
   * Applies new log records. Errors: AppError 'resource-exhausted' when the heads are too large.
   */
  async #follow({ heads, stretches }: PartsAnswer): Promise<void> {
    const { memoryBytesMax } = this.#options;
    for (const epoch of heads) {
      if (!this.#followed.has(epoch)) this.#followed.set(epoch, this.#newHead(epoch));
    }
    for (const stretch of stretches) {
      await this.#followed.get(stretch.epoch)?.follower.add(stretch);
    }
    let bytes = 0;
    for (const { follower } of this.#followed.values()) bytes += follower.head.usedBytes;
    if (bytes <= memoryBytesMax) return;
    this.#instance = '';
    this.#followed = new Map();
    const why = `its heads take ${bytes} bytes, ${memoryBytesMax} are allowed`;
    throw new AppError('resource-exhausted', `cannot hold what is not in the bucket: ${why}`);
  }

  #newHead(epoch: number): FollowedHead {
    const { random, logger, clock, number } = this.#options;
    const seed = (): number => random.uint32() | 0;
    const head = new Head(new Dictionary([seed(), seed(), seed()]), rowSegmentBytes);
    const follower = new LogFollower(epoch, head, clock, logger);
    return { follower, part: new HeadPart(`head-${number}-${epoch}`, head, clock) };
  }

  /** Returns sentences about data of this server that is currently missing from answers. */
  missing(): ListedLoss[] {
    const lastNanos = int64Max;
    const { name } = this.server;
    if (this.problem !== undefined) {
      const what = `what server ${name} has not put into the bucket`;
      return [{ lastNanos, sentence: `cannot read ${what}: ${this.problem}` }];
    }
    const isDamaged = [...this.#followed.values()].some(({ follower }) => follower.hasLost);
    const damage = { lastNanos, sentence: `the log of server ${name} is damaged` };
    return isDamaged ? [...this.losses, damage] : [...this.losses];
  }
}
