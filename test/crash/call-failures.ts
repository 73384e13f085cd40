// Runs a fixed workload once for each call to the disk, and lets that call fail. The store stays
// correct and usable.
//
// The workload is a sequence of lives: starts, work and ends of the store. A failing call affects
// only its own life, so each failure starts from the disk that the earlier lives left. Two of three
// lives start after a crash that may have lost the log's last group.
import { createFakeClock, type FakeClock } from '../../src/base/fake/clock.ts';
import { changesFiles, type CallRecord, type Errno } from '../../src/base/fake/file-faults.ts';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { AppError } from '../../src/base/errors.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { Oracle } from '../../src/storage/fake/oracle.ts';
import { readAnswer, readTexts } from '../../src/storage/fake/read-texts.ts';
import { internRecipe, randomRecipe, type Recipe } from '../../src/storage/fake/recipes.ts';
import { StoreUnderTest } from '../../src/storage/fake/store-under-test.ts';
import type { SeriesQuery, Storage } from '../../src/storage/interface.ts';
import { createMatcher } from '../../src/model/matcher.ts';

const path = '/disk/data';
const commitsPerLife = 8;
/** Number of lives after which the next one starts on an empty disk, so that reads stay fast. */
const livesPerStore = 6;
const startMillis = Date.UTC(2026, 0, 1);
const hourMillis = 3_600_000;
const lifeMillis = 7 * hourMillis;
/**
 * Retention period. Lives are seven hours apart, so the third life retires profiles of the first.
 */
const retentionNanos = BigInt(18 * hourMillis) * 1_000_000n;
/** Files that a closed storage directory may have. */
const knownFiles =
  /^\/disk\/data\/(LOCK|meta|reserve|wal\/\d+\.wal|blocks\/[\w-]+\.(block|deleted))$/;

/** Failing calls: the number of the first of them, and how many calls fail. */
export interface CallFailure {
  readonly number: number;
  readonly errno: Errno;
  /**
   * Number of failing calls; Infinity = all calls until the disk is repaired at the end of the
   * life.
   */
  readonly times: number;
}

/** Profiles of earlier lives: profiles that must exist, and profiles that may exist. */
interface Known {
  readonly stored: readonly Recipe[];
  readonly unsure: readonly Recipe[];
}

/** State of the disk and of the oracle at the start of a life. */
export interface LifeStart {
  readonly life: number;
  readonly files: MemoryFiles;
  readonly known: Known;
  /** Calls that this life makes if none fails. */
  readonly calls: readonly CallRecord[];
}

const nothingKnown: Known = { stored: [], unsure: [] };

/** Runs lives without failures until they have made `changes` calls that change files. */
export async function recordLives(changes: number): Promise<LifeStart[]> {
  const starts: LifeStart[] = [];
  let files = new MemoryFiles(seededRandom(1));
  let known: Known = nothingKnown;
  for (let left = changes; left > 0;) {
    const life = starts.length;
    if (life % livesPerStore === 0) {
      files = await emptyDisk();
      known = nothingKnown;
    }
    const before = files;
    files = files.copy(seededRandom(life));
    const run = new LifeRun(life, files, known, undefined);
    const calls = await run.live();
    starts.push({ life, files: before, known, calls });
    known = { stored: run.oracle.storedRecipes(), unsure: run.oracle.unsureRecipes() };
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
 * Repeats one life with one failure, then opens the store once more.
 *
 * Errors: an Error that says what is wrong.
 */
export async function failCall(start: LifeStart, failure: CallFailure): Promise<void> {
  const files = start.files.copy(seededRandom(start.life));
  const run = new LifeRun(start.life, files, start.known, failure);
  await run.live();
  if (failure.number % 2 === 0) files.powerLoss();
  await run.checkAfterwards();
}

class LifeRun {
  readonly oracle = new Oracle<Recipe>(false);
  readonly #life: number;
  readonly #files: MemoryFiles;
  readonly #failure: CallFailure | undefined;
  readonly #random: Random;
  readonly #clock: FakeClock;
  #refused: Recipe[] = [];
  /** Operations that wait until the disk works again. */
  readonly #later: Promise<void>[] = [];

  constructor(
    life: number,
    files: MemoryFiles,
    { stored, unsure }: Known,
    failure: CallFailure | undefined,
  ) {
    this.#life = life;
    this.#files = files;
    this.#failure = failure;
    this.#random = seededRandom(life * 7_919);
    this.#clock = createFakeClock(startMillis + life * lifeMillis);
    for (const recipe of stored) this.oracle.acknowledged(recipe);
    for (const recipe of unsure) this.oracle.sent(recipe);
  }

  /** Runs the life, and returns its calls. */
  async live(): Promise<readonly CallRecord[]> {
    const failure = this.#failure;
    const files = this.#files;
    if (this.#life % 3 !== 0) await this.#dieInWrite();
    const calls = files.faults.startRecording();
    if (failure) files.faults.addNumbered({ ...failure, skip: failure.number });
    const storage = await this.#open();
    this.#expire();
    await this.#query(storage, true);
    // Half of the power losses happen here. Later in a life, the profiles of the log are in blocks.
    if (this.#hasFailed() && failure !== undefined && failure.number % 4 === 0) return calls;
    for (let commit = 0; commit < commitsPerLife; commit += 1) await this.#write(storage);
    await this.#query(storage);
    await this.#maintain(storage);
    await this.#query(storage);
    if (failure?.times === Infinity) {
      files.clearFaults();
      await this.#clock.advance(60_000);
      await this.#drive(Promise.all(this.#later).then(() => undefined));
    }
    await this.#retry(storage);
    await this.#query(storage);
    await this.#drive(this.#tryTo(() => storage.close()));
    if (files.openHandles > 0) throw new Error(`${files.openHandles} files stay open`);
    return calls;
  }

  /**
   * Starts a process that dies while it syncs the log, so that the log's last group may be lost.
   */
  async #dieInWrite(): Promise<void> {
    const files = this.#files;
    const storage = await this.#open();
    this.#expire();
    for (let commit = 0; commit < 2; commit += 1) await this.#write(storage);
    const forGood = { times: Infinity, errno: 'EIO', followers: Infinity } as const;
    files.addFault({ call: 'sync', skip: 0, ...forGood });
    await this.#write(storage);
    if (this.#refused.length === 0) throw new Error('the last group was to be refused');
    files.kill();
    files.clearFaults();
    files.faults.failedCount = 0;
  }

  /** Checks the next start: all acknowledged profiles exist, and there are no leftover files. */
  async checkAfterwards(): Promise<void> {
    this.#files.clearFaults();
    const storage = await this.#open();
    this.#expire();
    this.oracle.checkRestart(await readTexts(storage));
    await this.#write(storage);
    // Maintenance removes leftover files within a minute.
    await this.#drive(storage.maintain());
    await this.#drive(storage.close());
    for (const name of this.#files.paths()) {
      const block = name.replace('.deleted', '.block');
      const isOrphan = this.#files.peek(block) === undefined;
      if (!knownFiles.test(name) || isOrphan) throw new Error(`${name} is left over`);
    }
  }

  async #open(): Promise<StoreUnderTest> {
    for (;;) {
      try {
        return await StoreUnderTest.open({
          path,
          files: this.#files.forProcess(),
          clock: this.#clock,
          random: this.#random,
          retention: { timeNanos: retentionNanos, sizeBytes: 0 },
          headBytesMax: 1 << 24,
          walSegmentBytesMax: 2_000,
        });
      } catch (error) {
        this.#excuse(error);
        // The disk works at the next start.
        this.#files.clearFaults();
      }
    }
  }

  async #write(storage: Storage): Promise<void> {
    const recipes: Recipe[] = [];
    for (let i = 0; i < 2; i += 1) {
      const millis = this.#clock.nowMillis();
      await this.#clock.advance(1_000);
      const timeNanos = BigInt(millis) * 1_000_000n;
      const shape = { rows: 3, seriesCount: 3, functionCount: 30 };
      recipes.push(randomRecipe(this.#random, { ...shape, timeNanos, mark: undefined }));
    }
    await this.#commit(storage, recipes).catch((error: unknown) => {
      this.#excuse(error);
      this.#refused.push(...recipes);
    });
  }

  async #commit(storage: Storage, recipes: readonly Recipe[]): Promise<void> {
    const appender = storage.appender();
    for (const recipe of recipes) {
      appender.append(internRecipe(appender.dictionary, recipe));
      this.oracle.sent(recipe);
    }
    await appender.commit();
    for (const recipe of recipes) this.oracle.acknowledged(recipe);
  }

  /** Runs a cut and maintenance, and in every other life a delete. */
  async #maintain(storage: StoreUnderTest): Promise<void> {
    await this.#drive(this.#tryTo(() => storage.rotate()));
    this.#expire();
    for (let pass = 0; pass < 3; pass += 1) {
      await this.#drive(storage.maintain());
      await this.#clock.advance(700_000);
    }
    if (this.#life % 2 === 1) await this.#drive(this.#tryTo(() => this.#delete(storage)));
  }

  /**
   * Advances the clock until the operation is done. While the disk fails, the operation may wait.
   */
  async #drive(work: Promise<void>): Promise<void> {
    let isDone = false;
    const watched = work.finally(() => {
      isDone = true;
    });
    watched.catch(() => undefined);
    for (let turn = 0; turn < 20 && !isDone; turn += 1) await this.#clock.advance(10_000);
    if (isDone) return watched;
    if (this.#failure?.times !== Infinity) throw new Error('something hangs');
    this.#later.push(work);
    return undefined;
  }

  async #tryTo(act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => this.#excuse(error));
  }

  async #delete(storage: StoreUnderTest): Promise<void> {
    const now = BigInt(this.#clock.nowMillis()) * 1_000_000n;
    const query: SeriesQuery = {
      matchers: [createMatcher('instance', '=', 'host-1')],
      profileType: undefined,
      range: { from: 0n, to: now - 3n * BigInt(hourMillis) * 1_000_000n },
    };
    this.oracle.beginDelete(
      ({ instance, timeNanos }) => instance === 'host-1' && timeNanos <= query.range.to,
    );
    let isDone = false;
    try {
      await storage.delete(query);
      isDone = true;
    } finally {
      this.oracle.endDelete(isDone);
    }
  }

  /** Allows the store to retire profiles that are too old or will be soon. */
  #expire(): void {
    const soon = BigInt(this.#clock.nowMillis() + hourMillis) * 1_000_000n;
    this.oracle.loosen(({ timeNanos }) => timeNanos < soon - retentionNanos);
  }

  /**
   * Retries refused writes on a working disk. The retries succeed, unless the failing call is one
   * of their calls.
   */
  async #retry(storage: Storage): Promise<void> {
    if (this.#refused.length === 0) return;
    await this.#commit(storage, this.#refused).catch((error: unknown) => {
      this.#excuse(error);
      return this.#commit(storage, this.#refused);
    });
    this.#refused = [];
  }

  /** Runs queries. Profiles in a complete answer after a start must not disappear later. */
  async #query(storage: Storage, isStart = false): Promise<void> {
    const before = this.oracle.storedRecipes();
    const possible = this.oracle.possibleRecipes();
    try {
      const { texts, missing } = await readAnswer(storage);
      if (missing.length > 0) this.#excuse(new Error(missing.join('\n')));
      if (isStart && missing.length === 0) this.oracle.checkRestart(texts);
      else this.oracle.checkDuring(texts, missing.length === 0 ? before : [], possible);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#excuse(error);
    }
  }

  /** Throws an error unless a call to the disk has failed. */
  #excuse(error: unknown): void {
    if (this.#hasFailed()) return;
    throw new Error(`life ${this.#life} failed by itself`, { cause: error });
  }

  #hasFailed(): boolean {
    return this.#files.faults.failedCount > 0;
  }
}
