// Every attack, each on a server of its own in 1 GiB, next to another client.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ScratchDirectory, scratchDirectory } from '../../support/server.ts';
import { Arena, fillFolder } from '../arena.ts';
import { attacks } from '../attacks.ts';
import { faultsOf, rowOf } from '../verdict.ts';

const pace = { baselineMillis: 8_000, attackMillis: 15_000, settleMillis: 60_000, fillRounds: 6 };
const strictness = { countsWaits: false, slack: 1 };

let scratch: ScratchDirectory;
let filled: string;
before(async () => {
  // On a disk: files in memory would count towards the server's.
  scratch = await scratchDirectory('/var/tmp');
  filled = await fillFolder(join(scratch.path, 'filled'), pace.fillRounds);
});
after(() => scratch.remove());

for (const attack of attacks) {
  if (attack.door === 'prometheus' || attack.door === 'pyroscope') continue;
  test(`a server withstands ${attack.name}`, async (t) => {
    const folder = join(scratch.path, attack.name);
    const ground = { kind: 'ours', program: '', folder, filled } as const;
    const arena = await Arena.open(ground, attack.server ?? {}, pace.fillRounds);
    try {
      const trial = await arena.try(attack, pace);
      const faults = faultsOf(trial, strictness);
      t.diagnostic(rowOf(trial, faults));
      assert.deepEqual(faults, []);
    } finally {
      const isStopped = await arena.close();
      await rm(folder, { recursive: true, force: true });
      assert.ok(isStopped, 'the server stops after the attack');
    }
  });
}
