// Tries every attack on a new server with 1 GiB of memory, next to a normal client. While the
// memory of one server shrinks, the next server is attacked. All attacks together take half an
// hour.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ScratchDirectory, scratchDirectory } from '../../support/server.ts';
import type { Attack } from '../attack.ts';
import { attacks } from '../attacks.ts';
import { type Outcome, paces, runCampaign } from '../campaign.ts';
import { doorsByKind } from '../contender.ts';
import { findFaults, makeRow, tableLine } from '../verdict.ts';

const strictness = { countsWaits: false, slack: 1 };
const ours = attacks.filter(({ door }) => doorsByKind.ours.includes(door));
const outcomes = new Map(ours.map((attack) => [attack, Promise.withResolvers<Outcome>()]));

let scratch: ScratchDirectory;
let campaign: Promise<void>;
before(async () => {
  // The folder must be on a disk: files in memory would count as the server's memory.
  scratch = await scratchDirectory('/var/tmp');
  campaign = runCampaign(ours, {
    kind: 'ours',
    program: '',
    folder: scratch.path,
    pace: paces.fast,
    tell: (attack: Attack, outcome) => outcomes.get(attack)?.resolve(outcome),
  });
});
after(async () => {
  await campaign;
  await scratch.remove();
});

for (const [attack, { promise }] of outcomes) {
  test(`a server withstands ${attack.name}`, async (t) => {
    const { trial, failure } = await promise;
    assert.equal(failure, '');
    assert.ok(trial);
    const faults = findFaults(trial, strictness);
    t.diagnostic(tableLine(makeRow(trial, faults)));
    assert.deepEqual(faults, []);
  });
}
