// Attacks one server after the other: while one waits for its memory, the next is attacked.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Arena, fillFolder, type Pace, type Trial } from './arena.ts';
import type { Attack } from './attack.ts';
import type { Kind } from './contender.ts';
import { warm } from './fill.ts';

/** Attacks last some seconds; those of a slow pace find what grows slowly. */
export const paces: Readonly<Record<'fast' | 'slow', Pace>> = {
  fast: { baselineMillis: 2_000, attackMillis: 5_000, settleMillis: 60_000, fillRounds: 2 },
  slow: { baselineMillis: 8_000, attackMillis: 15_000, settleMillis: 60_000, fillRounds: 6 },
};
/** Servers that wait for their memory at once; each has up to a GiB. */
const settlingMax = 6;

/** Facts of a run. */
export interface Campaign {
  readonly kind: Kind;
  /** Path of the program of a peer. */
  readonly program: string;
  /** Folder of files of the servers. On a disk: files in memory would count towards the server's. */
  readonly folder: string;
  readonly pace: Pace;
  /** Receives each trial when its server has been closed, or the reason why there is none. */
  readonly tell: (attack: Attack, outcome: Outcome) => void;
}

/** End of one attack. */
export interface Outcome {
  readonly trial: Trial | undefined;
  /** Reason why there is no trial; empty if there is one. */
  readonly failure: string;
  /** Log of the server. */
  readonly log: string;
  readonly box: string;
}

/** Tries all attacks, each on a server of its own; resolves when the last server is closed. */
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

/** Attacks a server; `settled` resolves when its memory is back, or when it is given up. */
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
    // A stop in order would cut the head, next to the attack on another server.
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
