// The whole store and its maintenance. Its limits are so small that tests can interrupt it at many
// points.
import type { Clock } from '../../base/clock.ts';
import type { Files } from '../../base/files.ts';
import { silentLogger, type Logger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { openStore } from '../store/open-store.ts';
import type { Querier, Storage, Appender, DeletedSeries, SeriesQuery } from '../interface.ts';
import { compactBlocks } from '../maintenance/compact.ts';
import { Maintenance } from '../maintenance/maintenance.ts';
import type { RetentionLimits } from '../maintenance/retention.ts';

export interface StoreMachine {
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly retention: RetentionLimits;
  readonly headBytesMax: number;
  readonly walSegmentBytesMax: number;
  readonly logger?: Logger;
}

type Engine = Awaited<ReturnType<typeof openStore>>;

/** The store as the server runs it, except that maintenance passes run on demand. */
export class StoreUnderTest implements Storage {
  readonly querier: Querier;
  readonly #engine: Engine;
  readonly #maintenance: Maintenance<ReturnType<Engine['blocks']>[number]>;

  private constructor(engine: Engine, machine: StoreMachine) {
    this.#engine = engine;
    this.querier = engine.querier;
    const { files, clock, random, path, retention, logger = silentLogger } = machine;
    this.#maintenance = new Maintenance(
      {
        files,
        clock,
        random,
        logger,
        metrics: noMetrics,
        blocks: () => engine.blocks(),
        openBlock: (id) => engine.openBlock(id),
        replaceBlocks: (removed, added) => engine.replaceBlocks(removed, added),
        rotate: () => engine.rotate(),
      },
      {
        storagePath: path,
        retention,
        compactor: { compact: (request, signal) => compactBlocks(files, request, signal) },
      },
    );
  }

  /** Opens the store. Errors: as in openStore. */
  static async open(machine: StoreMachine): Promise<StoreUnderTest> {
    const { logger = silentLogger, headBytesMax, walSegmentBytesMax } = machine;
    const engine = await openStore({
      ...machine,
      logger,
      metrics: noMetrics,
      limits: {
        rowSegmentBytes: 16_384,
        walSegmentBytesMax,
        headBytesMax,
        diskReserveBytes: 2_048,
        freeDiskBytesMin: 4_096,
        freeDiskShareMin: 0,
      },
    });
    return new StoreUnderTest(engine, machine);
  }

  appender(): Appender {
    return this.#engine.appender();
  }

  /** Runs retention and the compactions that are due. */
  maintain(): Promise<void> {
    return this.#maintenance.runPass();
  }

  rotate(): Promise<void> {
    return this.#engine.rotate();
  }

  delete(query: SeriesQuery): Promise<DeletedSeries> {
    return this.#maintenance.delete(query);
  }

  async close(): Promise<void> {
    await this.#maintenance.close();
    await this.#engine.close();
  }
}
