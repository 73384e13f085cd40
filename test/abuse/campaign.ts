// Attacks one server after another: while a server's memory shrinks, the next server is attacked.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Arena, fillFolder, type Pace, type Trial } from './arena.ts';
import type { Attack } from './attack.ts';
import type { Kind } from './contender.ts';
import { warm } from './fill.ts';

/** Durations of attacks: a few seconds, or long enough to find memory that grows slowly. */
export const paces: Readonly<Record<'fast' | 'slow', Pace>> = {
  fast: { baselineMillis: 2_000, attackMillis: 5_000, settleMillis: 60_000, fillRounds: 2 },
  slow: { baselineMillis: 8_000, attackMillis: 15_000, settleMillis: 60_000, fillRounds: 6 },
};
/** Maximum number of servers whose memory may shrink at the same time; each has up to 1 GiB. */
const settlingMax = 6;

/** Facts of a run. */
export interface Campaign {
  readonly kind: Kind;
  /** Path of the peer's program. */
  readonly program: string;
  /**
   * Folder for the servers' files. It must be on a disk: files in memory would count as the
   * server's memory.
   */
  readonly folder: string;
  readonly pace: Pace;
  /** Receives each trial after its server is closed, or the reason why it failed. */
  readonly tell: (attack: Attack, outcome: Outcome) => void;
}

/** Result of one attack. */
export interface Outcome {
  readonly trial: Trial | undefined;
  /** Reason why the attack could not be tried; empty if it was. */
  readonly failure: string;
  /** Log of the server. */
  readonly log: string;
  readonly box: string;
}

/** Runs all attacks, each on a new server; resolves when the last server is closed. */
export async function runCampaign(attacks: readonly Attack[], campaign: Campaign): Promise<void> {
  const { kind, folder, pace } = campaign;
  const filled =
    kind === 'ours' ? await fillFolder(join(folder, 'filled'), pace.fillRounds) : undefined;
  const settling = new Set<Promise<void>>();
  for (const [i, attack] of attacks.entries()) {
    const { settled } = await attackOne(attack, join(folder, `attack${i}`), filled, campaign);
    const known = settled.finally(() => settling.delete(known));
    settling.add(known);
    if (pace.settleMillis === 0) await known;
    while (settling.size >= settlingMax) await Promise.race(settling);
  }
  await Promise.all(settling);
}

/** Attacks a server; `settled` resolves when its memory has shrunk, or after the longest wait. */
async function attackOne(
  attack: Attack,
  folder: string,
  filled: string | undefined,
  campaign: Campaign,
): Promise<{ readonly settled: Promise<void> }> {
  const { kind, program, pace } = campaign;
  let arena: Arena | undefined;
  const end = async (trial: Trial | undefined, failure: string): Promise<void> => {
    const log = arena?.contender.log() ?? '';
    const box = arena?.box.name ?? '';
    // A graceful stop would cut the head, and disturb the attack on another server.
    await arena?.close(pace.settleMillis === 0 ? 'stop' : 'kill');
    await rm(folder, { recursive: true, force: true });
    campaign.tell(attack, { trial, failure, log, box });
  };
  try {
    const ground = { kind, program, folder, filled };
    const open = await Arena.open(ground, attack.server ?? {}, pace.fillRounds);
    arena = open;
    const { target, hasPasswords } = open.contender;
    if ((kind === 'ours' || kind === 'parca') && !hasPasswords) await warm(target);
    const attacked = await open.attack(attack, pace);
    const settled = open.settle(attacked, pace.settleMillis).then(
      (trial) => end(trial, ''),
      (error: unknown) => end(undefined, String(error)),
    );
    return { settled };
  } catch (error) {
    return { settled: end(undefined, String(error)) };
  }
}
