// Crashes a store repeatedly on a simulated disk, and compares its content with what it has
// acknowledged.
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import type { Errno, FileCall } from '../../base/fake/file-faults.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { AppError, errorCode } from '../../base/errors.ts';
import { sleep } from '../../base/clock.ts';
import { randomBelow, seededRandom, type Random } from '../../base/random.ts';
import { createMatcher } from '../../model/matcher.ts';
import type { SeriesQuery, Storage } from '../interface.ts';
import { startWorkers, type InternRecipe } from './intern-by-workers.ts';
import { Oracle } from './oracle.ts';
import { everything, readAnswer, readTexts } from './read-texts.ts';
import { internRecipe, randomRecipe, type Recipe } from './recipes.ts';
import { StoreUnderTest } from './store-under-test.ts';

/** Counts of events in a simulation, which show that faults and crashes do happen. */
export interface SimulationCounts {
  cycles: number;
  acknowledged: number;
  refused: number;
  queries: number;
  rotations: number;
  passes: number;
  deletes: number;
  powerLosses: number;
  kills: number;
  orderlyEnds: number;
  /** Number of disk calls that failed, and number of starts that failed because of such a call. */
  failedCalls: number;
  failedStarts: number;
  /** Number of cycles on a disk that acknowledges syncs without doing them. */
  liedCycles: number;
}

/** Returns counts that are all zero. */
export function noSimulationCounts(): SimulationCounts {
  return {
    cycles: 0,
    acknowledged: 0,
    refused: 0,
    queries: 0,
    rotations: 0,
    passes: 0,
    deletes: 0,
    powerLosses: 0,
    kills: 0,
    orderlyEnds: 0,
    failedCalls: 0,
    failedStarts: 0,
    liedCycles: 0,
  };
}

const path = '/disk/data';
const writers = 3;
const commitsPerWriter = 3;
/** Maximum number of disk changes in a cycle. The actual number is random. */
const changesMax = 80;
/** Rare disk changes. Every fourth cycle ends at one of them, and then only these are counted. */
const rareChanges: readonly FileCall[] = ['sync-directory', 'rename', 'remove', 'create'];
const rareChangesMax = 6;
/** Maximum number of calls that may fail after a first failure. */
const followersMax = 6;
const liesOneIn = 16;
const hourMillis = 3_600_000;
const startMillis = Date.UTC(2026, 0, 1);
/** Retention period. Every third seed uses it. */
const retentionNanos = 30n * 3_600_000_000_000n;
/** Largest age of a profile that a client sends again. The store recognizes retries for a day. */
const retriedMillis = 20 * hourMillis;
/**
 * Time between maintenance passes. It is long enough for retention, which trusts a time only if two
 * passes have seen it.
 */
const passMillis = 700_000;

const faults: readonly { call: FileCall; times: number; errno: Errno }[] = [
  { call: 'append', times: 1, errno: 'ENOSPC' },
  { call: 'append', times: 4, errno: 'ENOSPC' },
  { call: 'append', times: 1, errno: 'EIO' },
  { call: 'rewrite', times: 1, errno: 'EIO' },
  { call: 'sync', times: 1, errno: 'EIO' },
  { call: 'sync', times: 2, errno: 'ENOSPC' },
  { call: 'truncate', times: 1, errno: 'EIO' },
  { call: 'create', times: 1, errno: 'ENOSPC' },
  { call: 'sync-directory', times: 1, errno: 'EIO' },
  { call: 'rename', times: 1, errno: 'EIO' },
  { call: 'remove', times: 1, errno: 'EIO' },
  { call: 'open', times: 1, errno: 'EIO' },
  { call: 'read', times: 1, errno: 'EIO' },
  { call: 'size', times: 1, errno: 'EIO' },
  { call: 'list', times: 1, errno: 'EIO' },
];

/**
 * Runs `cycles` cycles of open, check, write, query and crash from one seed. Invariants: an
 * acknowledged profile exists once, unchanged. A profile whose commit was not answered exists
 * completely or not at all; if it is missing after a restart, it never appears unless it is sent
 * again. The store opens without help when the disk works. Errors: an Error that names the
 * violation and its cycle.
 */
export async function simulate(
  seed: number,
  cycles: number,
  counts: SimulationCounts,
): Promise<void> {
  const simulation = new Simulation(seed, counts);
  await simulation.startOver();
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    try {
      await simulation.cycle();
    } catch (error) {
      throw new Error(`violated in cycle ${cycle} of seed ${seed}`, { cause: error });
    }
  }
}

class Simulation {
  readonly #random: Random;
  #files: MemoryFiles;
  readonly #counts: SimulationCounts;
  #oracle: Oracle<Recipe>;
  #isBeyondRepair = false;
  readonly #lies: boolean;
  /** True for every other seed: profiles are interned as in a server with ingest workers. */
  readonly #hasWorkers: boolean;
  #internRecipe: InternRecipe = internRecipe;
  readonly #retentionNanos: bigint;
  /** Start of the time range whose profiles the store must keep; valid until the clock advances. */
  #keptFromNanos = 0n;
  /** The correct time at the start of a life. */
  #trueMillis = startMillis;
  #clock: FakeClock;
  /** Latest time that the wall clock has shown. */
  #latestMillis = startMillis;
  /** Time of the last profile that was not late. */
  #time = 0n;
  #recipeCount = 0n;

  constructor(seed: number, counts: SimulationCounts) {
    this.#random = seededRandom(seed);
    this.#files = new MemoryFiles(this.#random);
    this.#counts = counts;
    this.#lies = seed % liesOneIn === 0;
    this.#hasWorkers = seed % 2 === 1;
    this.#retentionNanos = seed % 3 === 0 ? retentionNanos : 0n;
    this.#oracle = new Oracle(this.#lies);

    this.#clock = createFakeClock(this.#trueMillis);
  }

  /** Starts with an empty disk; the store creates its directory itself. */
  async startOver(): Promise<void> {
    this.#files = new MemoryFiles(this.#random);
    this.#oracle = new Oracle(this.#lies);
    this.#isBeyondRepair = false;
    await this.#files.makeDirectory('/disk');
    await this.#files.syncDirectory('/');
    this.#files.liesAboutSync = this.#lies;
  }

  async cycle(): Promise<void> {
    if (this.#isBeyondRepair) await this.startOver();
    const files = this.#files;
    const random = this.#random;
    const counts = this.#counts;
    counts.cycles += 1;
    if (this.#lies) counts.liedCycles += 1;
    const life = new Life(files.untilPowerIsOff());
    if (this.#chance(4)) {
      const kind = rareChanges[randomBelow(random, rareChanges.length)];
      files.cutPowerAfter(randomBelow(random, rareChangesMax), kind);
    } else if (!this.#chance(4)) files.cutPowerAfter(randomBelow(random, changesMax));
    this.#clock = createFakeClock(this.#trueMillis);
    try {
      await life.until(this.#live(life));
    } finally {
      life.end();
    }
    this.#trueMillis += this.#clock.monotonicMillis() + 1_000;
    counts.failedCalls += files.faults.failedCount;
    files.faults.failedCount = 0;
    files.clearFaults();
    if (this.#chance(2)) {
      counts.powerLosses += 1;
      files.powerLoss();
    } else {
      counts.kills += 1;
      files.kill();
    }
  }

  /** Runs one life of the process; never resolves if the power fails. */
  async #live(life: Life): Promise<void> {
    // The disk may fail during recovery, while the store handles an earlier crash.
    const isFaultyStart = this.#chance(8);
    if (isFaultyStart) this.#addFault();
    const storage = await this.#openStore();
    if (!storage) return;
    if (this.#hasWorkers) this.#internRecipe = startWorkers();
    await this.#checkStart(storage, isFaultyStart);
    if (this.#chance(2)) this.#addFault();
    const work = [this.#query(storage), this.#maintain(life, storage)];
    work.push(...this.#retries(life, storage));
    for (let writer = 0; writer < writers; writer += 1) work.push(this.#write(life, storage));
    const done = Promise.all(work);
    void this.#moveTime(life, done);
    await done;
    if (this.#chance(2)) return;
    this.#counts.orderlyEnds += 1;
    await storage.close().catch(() => undefined);
  }

  /** Opens the store; undefined if a fault prevented it. */
  async #openStore(): Promise<StoreUnderTest | undefined> {
    const files = this.#files;
    const random = this.#random;
    const clock = this.#clock;
    try {
      return await StoreUnderTest.open({
        path,
        files: files.forProcess(),
        clock,
        random,
        retention: { timeNanos: this.#retentionNanos, sizeBytes: 0 },
        headBytesMax: 64_000,
        walSegmentBytesMax: 3_000,
      });
    } catch (error) {
      // A disk that lied may have lost data without which the store cannot open. The store then
      // reports 'data-loss'.
      const isBeyondRepair = this.#lies && errorCode(error) === 'data-loss';
      if (files.faults.failedCount === 0 && !isBeyondRepair) throw error;
      this.#counts.failedStarts += 1;
      if (isBeyondRepair) this.#isBeyondRepair = true;
      return undefined;
    }
  }

  async #checkStart(storage: Storage, isFaulty: boolean): Promise<void> {
    // A fault that did not affect the start may affect the answer.
    if (isFaulty || this.#lies) await this.#ask(storage, everything, this.#oracle.storedRecipes());
    else this.#oracle.checkRestart(await readTexts(storage));
  }

  /** Sends profiles again, as clients do: those whose commit was not answered, and some others. */
  #retries(life: Life, storage: Storage): Promise<void>[] {
    const from = BigInt(this.#latestMillis - retriedMillis) * 1_000_000n;
    const recipes = this.#oracle.storedRecipes().slice(-3).concat(this.#oracle.unsureRecipes());
    const young = recipes.filter(({ timeNanos }) => timeNanos > from);
    return this.#chance(2) ? [this.#commit(life, storage, young)] : [];
  }

  async #write(life: Life, storage: Storage): Promise<void> {
    for (let commit = 0; commit < commitsPerWriter; commit += 1) {
      if (this.#chance(4)) await nextTurn();
      const recipes: Recipe[] = [];
      for (let left = randomBelow(this.#random, 3); left >= 0; left -= 1) {
        recipes.push(this.#randomRecipe());
      }
      await this.#commit(life, storage, recipes);
    }
  }

  /**
   * Returns a random profile. Most profiles are in order and seconds apart, some are up to a day
   * late, and some have the same time as another profile.
   */
  #randomRecipe(): Recipe {
    const shape = { rows: 3, seriesCount: 3, functionCount: 12 };
    this.#recipeCount += 1n;
    if (this.#chance(8)) {
      const at = { timeNanos: this.#time, mark: this.#recipeCount };
      return randomRecipe(this.#random, { ...shape, ...at });
    }
    this.#time = BigInt(this.#trueNow()) * 1_000_000n;
    const late = this.#chance(8) ? BigInt(randomBelow(this.#random, 86_400)) * 1_000_000_000n : 0n;
    // The last digits of the time differ, so that no two late profiles have the same time.
    const timeNanos = this.#time - late - this.#recipeCount;
    return randomRecipe(this.#random, { ...shape, timeNanos, mark: undefined });
  }

  /** Commits profiles. Often commits again after a refusal, as clients do. */
  async #commit(life: Life, storage: Storage, recipes: readonly Recipe[]): Promise<void> {
    for (;;) {
      const appender = storage.appender();
      try {
        for (const recipe of recipes) {
          appender.append(this.#internRecipe(appender.dictionary, recipe));
        }
        if (this.#chance(16)) return;
        for (const recipe of recipes) this.#oracle.sent(recipe);
        await appender.commit();
        // A timer of a dead process may fire. The result is then ignored.
        if (life.isOver) return;
        for (const recipe of recipes) this.#oracle.acknowledged(recipe);
        this.#loosenExpired();
        this.#counts.acknowledged += recipes.length;
        return;
      } catch (error) {
        if (life.isOver) return;
        const isTooLate = errorCode(error) === 'aborted';
        if (this.#files.faults.failedCount === 0 && !isTooLate) throw error;
        this.#counts.refused += 1;
        if (!isTooLate && this.#chance(2)) return;
      }
    }
  }

  async #query(storage: Storage): Promise<void> {
    for (let left = randomBelow(this.#random, 3); left > 0; left -= 1) {
      if (this.#chance(2)) await nextTurn();
      const before = this.#oracle.storedRecipes();
      const query = this.#randomQuery();
      const expected = before.filter(({ timeNanos }) => isIn(query, timeNanos));
      await this.#ask(storage, query, expected);
      this.#counts.queries += 1;
    }
  }

  /** Does what the server does by timer or on request: cuts, maintenance passes, deletions. */
  async #maintain(life: Life, storage: StoreUnderTest): Promise<void> {
    if (this.#chance(3)) await this.#tryTo('rotations', () => storage.rotate());
    for (let left = this.#chance(3) ? 3 : 0; left > 0 && !life.isOver; left -= 1) {
      await storage.maintain();
      this.#counts.passes += 1;
      await sleep(this.#clock, passMillis);
    }
    // The process may be dead, and another life may have begun.
    if (life.isOver) return;
    if (this.#chance(4)) await this.#tryTo('deletes', () => this.#delete(life, storage));
  }

  async #tryTo(kind: 'rotations' | 'deletes', act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      this.#counts[kind] += 1;
    } catch (error) {
      const mayFail = this.#files.faults.failedCount > 0 || this.#lies;
      if (!mayFail || !(error instanceof AppError)) throw error;
    }
  }

  async #delete(life: Life, storage: StoreUnderTest): Promise<void> {
    const instance = `host-${randomBelow(this.#random, 3)}`;
    const query = { ...this.#randomQuery(), matchers: [createMatcher('instance', '=', instance)] };
    this.#oracle.beginDelete(
      (recipe) => recipe.instance === instance && isIn(query, recipe.timeNanos),
    );
    let isDone = false;
    try {
      await storage.delete(query);
      isDone = true;
    } finally {
      if (!life.isOver) this.#oracle.endDelete(isDone);
    }
  }

  /** Marks profiles that may disappear from now on because they will soon be too old. */
  #expire(aheadMillis: number): void {
    if (this.#retentionNanos === 0n) return;
    this.#keptFromNanos = BigInt(this.#trueNow() + aheadMillis) * 1_000_000n - this.#retentionNanos;
    this.#loosenExpired();
  }

  /**
   * Marks profiles that are too old, including late profiles. The first profile of a seed may be
   * from 1970.
   */
  #loosenExpired(): void {
    this.#oracle.loosen(({ timeNanos }) => timeNanos < this.#keptFromNanos);
  }

  #trueNow(): number {
    return this.#trueMillis + this.#clock.monotonicMillis();
  }

  /** Sends one query. The answer may be partial if a disk call has failed. */
  async #ask(storage: Storage, query: SeriesQuery, expected: readonly Recipe[]): Promise<void> {
    const { faults } = this.#files;
    const possible = this.#oracle.possibleRecipes();
    try {
      const { texts, missing } = await readAnswer(storage, query, this.#chance(4));
      const isPartial = missing.length > 0;
      if (isPartial && faults.failedCount === 0 && !this.#lies) throw new Error(missing.join('\n'));
      this.#oracle.checkDuring(texts, isPartial ? [] : expected, possible);
    } catch (error) {
      const mayFail = faults.failedCount > 0 || this.#lies;
      if (!mayFail || !(error instanceof AppError)) throw error;
    }
  }

  #randomQuery(): SeriesQuery {
    const now = BigInt(this.#trueNow()) * 1_000_000n;
    const to = now - BigInt(randomBelow(this.#random, 86_400)) * 1_000_000_000n;
    const from = to - BigInt(randomBelow(this.#random, 86_400)) * 1_000_000_000n;
    return { matchers: [], profileType: undefined, range: { from, to } };
  }

  /**
   * Advances the clock while `work` is pending, sometimes by hours. May also set the wall clock.
   */
  async #moveTime(life: Life, work: Promise<unknown>): Promise<void> {
    void work.then(
      () => life.end(),
      () => life.end(),
    );
    while (!life.isOver) {
      const step = this.#chance(8) ? hourMillis * randomBelow(this.#random, 5) : 10;
      this.#expire(step);
      await this.#clock.advance(step);
      this.#latestMillis = Math.max(this.#latestMillis, this.#clock.nowMillis());
      if (this.#chance(64)) await this.#jump();
    }
  }

  /** Sets the wall clock to a wrong time, too briefly for the server to trust it. */
  async #jump(): Promise<void> {
    const days = randomBelow(this.#random, 800) - 400;
    const millis = randomBelow(this.#random, 500_000);
    this.#expire(millis);
    this.#clock.setWallMillis(this.#trueNow() + days * 24 * hourMillis);
    this.#latestMillis = Math.max(this.#latestMillis, this.#clock.nowMillis());
    await this.#clock.advance(millis);
    this.#clock.setWallMillis(this.#trueNow());
  }

  #addFault(): void {
    const fault = faults[randomBelow(this.#random, faults.length)];
    const followers = this.#chance(4) ? randomBelow(this.#random, followersMax) : 0;
    this.#files.addFault({ ...fault, skip: randomBelow(this.#random, 4), followers });
    // Some faults come in pairs: the second hits the code that handles the first.
    if (this.#chance(2)) {
      const second = faults[randomBelow(this.#random, faults.length)];
      this.#files.addFault({ ...second, skip: 0 });
    }
  }

  #chance(oneIn: number): boolean {
    return randomBelow(this.#random, oneIn) === 0;
  }
}

/** One life of the process, which ends when the power fails. Each cycle has one life. */
class Life {
  isOver = false;
  readonly #off: Promise<void>;

  constructor(off: Promise<void>) {
    this.#off = off;
  }

  /** Resolves when the work is done, or soon after the power failed. */
  async until(work: Promise<void>): Promise<void> {
    await Promise.race([work, this.#off]);
    // This lets pending answers arrive, and lets the dead process stop at its next disk call.
    await nextTurn();
  }

  end(): void {
    this.isOver = true;
  }
}

function isIn({ range }: SeriesQuery, time: bigint): boolean {
  return time >= range.from && time <= range.to;
}

/** Waits until all ready callbacks have run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
