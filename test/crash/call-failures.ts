// A fixed workload in which every call of the disk fails once: the store stays right and usable.
//
// The workload is a sequence of lives of a process. A call that fails only changes the life it is
// in, so each failure starts from the disk as the lives before it left it.
import { createFakeClock, type FakeClock } from '../../src/base/fake/clock.ts';
import { changesFiles, type CallRecord, type Errno } from '../../src/base/fake/file-faults.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { openEngine } from '../../src/storage/engine.ts';
import { Oracle } from '../../src/storage/fake/oracle.ts';
import { readAnswer, readTexts } from '../../src/storage/fake/read-texts.ts';
import { internRecipe, randomRecipe, type Recipe } from '../../src/storage/fake/recipes.ts';
import type { Storage } from '../../src/storage/interface.ts';

const path = '/disk/data';
const commitsPerLife = 14;
/** Then an empty disk: reading all of it must stay cheap. */
const livesPerStore = 6;
const startMillis = Date.UTC(2026, 0, 1);
const lifeMillis = 3_600_000;

/** What becomes of the call with a number, and of those behind it. */
export interface CallFailure {
  readonly number: number;
  readonly errno: Errno;
  /** Infinity: until the disk is well again, at the end of the life. */
  readonly times: number;
}

/** The disk and the oracle when a life begins. */
export interface LifeStart {
  readonly life: number;
  readonly files: MemoryFiles;
  readonly stored: readonly Recipe[];
  /** All calls of this life, when none fails. */
  readonly calls: readonly CallRecord[];
}

/** Runs the workload without failures until its lives have made `changes` calls that change files. */
export async function recordLives(changes: number): Promise<LifeStart[]> {
  const starts: LifeStart[] = [];
  let files = new MemoryFiles(seededRandom(1));
  let stored: readonly Recipe[] = [];
  for (let left = changes; left > 0;) {
    const life = starts.length;
    if (life % livesPerStore === 0) {
      files = await emptyDisk();
      stored = [];
    }
    const before = files;
    files = files.copy(seededRandom(life));
    const calls = files.faults.startRecording();
    const run = new LifeRun(life, files, stored, undefined);
    await run.live();
    starts.push({ life, files: before, stored, calls });
    stored = run.oracle.storedRecipes();
    left -= calls.filter(({ call }) => changesFiles(call)).length;
  }
  return starts;
}

async function emptyDisk(): Promise<MemoryFiles> {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/disk');
  await files.syncDirectory('/');
  return files;
}

/**
 * Repeats one life with one failure, then starts once more.
 *
 * Errors: an Error that says what is wrong.
 */
export async function failCall(start: LifeStart, failure: CallFailure): Promise<void> {
  const files = start.files.copy(seededRandom(start.life));
  const run = new LifeRun(start.life, files, start.stored, failure);
  await run.live();
  if (failure.number % 2 === 0) files.powerLoss();
  await run.checkAfterwards();
}

class LifeRun {
  readonly oracle = new Oracle<Recipe>(false);
  private readonly life: number;
  private readonly files: MemoryFiles;
  private readonly failure: CallFailure | undefined;
  private readonly random: Random;
  private readonly clock: FakeClock;
  private refused: Recipe[] = [];

  constructor(
    life: number,
    files: MemoryFiles,
    stored: readonly Recipe[],
    failure: CallFailure | undefined,
  ) {
    this.life = life;
    this.files = files;
    this.failure = failure;
    this.random = seededRandom(life * 7_919);
    this.clock = createFakeClock(startMillis + life * lifeMillis);
    for (const recipe of stored) this.oracle.acknowledged(recipe);
  }

  async live(): Promise<void> {
    const { failure, files } = this;
    if (failure) files.faults.addNumbered({ ...failure, skip: failure.number });
    const storage = await this.open();
    await this.query(storage);
    for (let commit = 0; commit < commitsPerLife; commit += 1) await this.write(storage);
    await this.query(storage);
    if (failure?.times === Infinity) {
      files.clearFaults();
      await this.clock.advance(30_000);
    }
    await this.retry(storage);
    await this.query(storage);
    await storage.close().catch((error: unknown) => this.excuse(error));
    if (files.openHandles > 0) throw new Error(`${files.openHandles} files stay open`);
  }

  /** What is there after the next start: all that was acknowledged, and no file too much. */
  async checkAfterwards(): Promise<void> {
    this.files.clearFaults();
    const storage = await this.open();
    this.oracle.checkRestart(await readTexts(storage));
    await this.write(storage);
    await storage.close();
    for (const name of this.files.paths()) {
      if (!/\/(LOCK|meta|wal\/\d+\.wal)$/.test(name)) throw new Error(`${name} is left over`);
    }
  }

  private async open(): Promise<Storage> {
    for (;;) {
      try {
        return await openEngine({
          path,
          files: this.files,
          clock: this.clock,
          random: this.random,
          logger: silentLogger,
          metrics: noMetrics,
          limits: { rowSegmentBytes: 16_384, walSegmentBytesMax: 4_000 },
        });
      } catch (error) {
        this.excuse(error);
        // Whoever starts it again finds the disk well.
        this.files.clearFaults();
      }
    }
  }

  private async write(storage: Storage): Promise<void> {
    const recipes: Recipe[] = [];
    for (let i = 0; i < 2; i += 1) {
      const millis = this.clock.nowMillis();
      await this.clock.advance(1_000);
      const timeNanos = BigInt(millis) * 1_000_000n;
      const shape = { rows: 3, seriesCount: 3, functionCount: 30 };
      recipes.push(randomRecipe(this.random, { ...shape, timeNanos, mark: undefined }));
    }
    await this.commit(storage, recipes).catch((error: unknown) => {
      this.excuse(error);
      this.refused.push(...recipes);
    });
  }

  private async commit(storage: Storage, recipes: readonly Recipe[]): Promise<void> {
    const appender = storage.appender();
    for (const recipe of recipes) {
      appender.append(internRecipe(appender.dictionary, recipe));
      this.oracle.sent(recipe);
    }
    await appender.commit();
    for (const recipe of recipes) this.oracle.acknowledged(recipe);
  }

  /** The disk is well again: what was refused is taken now. */
  private async retry(storage: Storage): Promise<void> {
    if (this.refused.length > 0) await this.commit(storage, this.refused);
    this.refused = [];
  }

  private async query(storage: Storage): Promise<void> {
    const before = this.oracle.storedRecipes();
    const { texts, missing } = await readAnswer(storage);
    if (missing.length > 0) this.excuse(new Error(missing.join('\n')));
    this.oracle.checkDuring(texts, missing.length === 0 ? before : []);
  }

  /** An error is one only when no call of the disk has failed. */
  private excuse(error: unknown): void {
    if (this.files.faults.failedCount > 0) return;
    throw new Error(`life ${this.life} failed by itself`, { cause: error });
  }
}
