// Crashes a store over and over on a simulated disk, and compares it with what it acknowledged.
import type { Fault } from '../../base/fake/file-faults.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { randomBelow, seededRandom, type Random } from '../../base/random.ts';
import { openEngine } from '../engine.ts';
import type { IncomingProfile, Storage } from '../interface.ts';
import { randomProfile, readProfiles, type ExpectedProfile } from './workload.ts';

/** What a run did, to show that faults and crashes do happen. */
export interface SimulationCounts {
  cycles: number;
  acknowledged: number;
  refused: number;
  powerLosses: number;
  kills: number;
}

const writers = 3;
const commitsPerWriter = 4;
/** Calls of a cycle's disk among which the last one is drawn; some cycles end before it. */
const callsMax = 60;
const faults: readonly Omit<Fault, 'skip'>[] = [
  { call: 'append', times: 1, errno: 'ENOSPC' },
  { call: 'append', times: 4, errno: 'ENOSPC' },
  { call: 'sync', times: 1, errno: 'EIO' },
  { call: 'sync', times: 2, errno: 'ENOSPC' },
  { call: 'truncate', times: 1, errno: 'EIO' },
  { call: 'create', times: 1, errno: 'ENOSPC' },
  { call: 'sync-directory', times: 1, errno: 'EIO' },
  { call: 'remove', times: 1, errno: 'EIO' },
];

/**
 * Runs `cycles` of open, check, write and crash from one seed. Invariants: what was acknowledged
 * is there exactly once and equal; what was not is there whole or not at all, and when it is not
 * there after a restart it never comes.
 *
 * Errors: an Error that says what was violated.
 */
export async function simulate(
  seed: number,
  cycles: number,
  counts: SimulationCounts,
): Promise<void> {
  const simulation = new Simulation(seededRandom(seed), counts);
  for (let cycle = 0; cycle < cycles; cycle += 1) await simulation.cycle();
}

class Simulation {
  private readonly random: Random;
  private readonly files: MemoryFiles;
  private readonly counts: SimulationCounts;
  private readonly acknowledged = new Map<string, string>();
  /** Sent, but not acknowledged before the crash: there or not. */
  private readonly open = new Map<string, string>();
  private time = 0n;

  constructor(random: Random, counts: SimulationCounts) {
    this.random = random;
    this.files = new MemoryFiles(random);
    this.counts = counts;
  }

  async cycle(): Promise<void> {
    const { files, random } = this;
    this.counts.cycles += 1;
    files.cutPowerAfter(randomBelow(random, callsMax));
    const off = files.untilPowerIsOff();
    await Promise.race([this.live(), off]);
    // Lets answers arrive that were on their way, and the dead process get stuck.
    for (let turn = 0; turn < 100; turn += 1) await turnOfEventLoop;
    files.clearFaults();
    if (random.uint32() & 1) {
      this.counts.powerLosses += 1;
      files.powerLoss();
    } else {
      this.counts.kills += 1;
      files.kill();
    }
  }

  /** One life of the process; stops for ever where the power goes. */
  private async live(): Promise<void> {
    const storage = await this.openStore();
    if (!storage) return;
    this.check(await readProfiles(storage));
    if (this.random.uint32() & 1) this.addFault();
    await Promise.all(Array.from({ length: writers }, () => this.write(storage)));
    if (this.random.uint32() & 1) await storage.close().catch(() => undefined);
  }

  private async openStore(): Promise<Storage | undefined> {
    const { files, random } = this;
    return openEngine({
      path: '/data',
      files,
      clock: createClock(),
      random,
      logger: silentLogger,
      metrics: noMetrics,
      limits: { rowSegmentBytes: 16_384, walSegmentBytesMax: 3_000 },
    });
  }

  private async write(storage: Storage): Promise<void> {
    for (let commit = 0; commit < commitsPerWriter; commit += 1) {
      const appender = storage.appender();
      const sent: ExpectedProfile[] = [];
      const profiles: IncomingProfile[] = [];
      for (let left = randomBelow(this.random, 3); left >= 0; left -= 1) {
        // Some arrive late.
        this.time += 1n;
        const timeNanos = this.random.uint32() & 7 ? this.time : -this.time;
        const options = { rows: 4, seriesCount: 3, functionCount: 40, timeNanos };
        const { profile, expected } = randomProfile(this.random, appender.dictionary, options);
        appender.append(profile);
        profiles.push(profile);
        sent.push(expected);
        this.open.set(expected.id, expected.content);
      }
      if ((this.random.uint32() & 15) === 0) {
        appender.rollback();
        for (const { id } of sent) this.open.delete(id);
        continue;
      }
      await this.commit(storage, () => appender.commit(), profiles, sent);
    }
  }

  /** Commits, and after a refusal often once more, as clients do. */
  private async commit(
    storage: Storage,
    first: () => Promise<void>,
    profiles: readonly IncomingProfile[],
    sent: readonly ExpectedProfile[],
  ): Promise<void> {
    try {
      await first();
    } catch {
      this.counts.refused += 1;
      if (this.random.uint32() & 1) return;
      const retry = storage.appender();
      for (const profile of profiles) retry.append(profile);
      await this.commit(storage, () => retry.commit(), profiles, sent);
      return;
    }
    this.counts.acknowledged += sent.length;
    for (const { id, content } of sent) {
      this.open.delete(id);
      this.acknowledged.set(id, content);
    }
  }

  private check(found: readonly ExpectedProfile[]): void {
    const seen = new Set<string>();
    for (const { id, content } of found) {
      const want = this.acknowledged.get(id) ?? this.open.get(id);
      if (want === undefined) throw new Error(`${id} came from nowhere`);
      if (want !== content) throw new Error(`${id} is not what was written`);
      if (seen.has(id)) throw new Error(`${id} is there twice`);
      seen.add(id);
      this.acknowledged.set(id, content);
    }
    for (const id of this.acknowledged.keys()) {
      if (!seen.has(id)) throw new Error(`${id} was acknowledged and is lost`);
    }
    this.open.clear();
  }

  private addFault(): void {
    const fault = faults[randomBelow(this.random, faults.length)];
    this.files.addFault({ ...fault, skip: randomBelow(this.random, 4) });
    // Faults come in pairs too: the second one in the handling of the first.
    if (this.random.uint32() & 1) {
      const second = faults[randomBelow(this.random, faults.length)];
      this.files.addFault({ ...second, skip: 0 });
    }
  }
}

const turnOfEventLoop = Promise.resolve();
