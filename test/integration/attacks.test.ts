// Tests twenty attacks of a second each on one server with 1 GiB of memory, next to a normal
// client: the server survives, and the client gets its answers. abuse/full/abuse.test.ts has all
// attacks, and they last longer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ScratchDirectory, scratchDirectory } from '../support/server.ts';
import { Arena } from '../abuse/arena.ts';
import { attacks } from '../abuse/attacks.ts';
import { doorsByKind } from '../abuse/contender.ts';
import { findFaults } from '../abuse/verdict.ts';

const pace = { baselineMillis: 0, attackMillis: 600, settleMillis: 0, fillRounds: 1 };
/**
 * This test finds only crashes and requests without an answer, because eight answers in a second
 * say little about a 99th percentile. abuse/full/abuse.test.ts has time limits.
 */
const strictness = { countsWaits: false, slack: Infinity, allowsRefusals: true };

let scratch: ScratchDirectory;
let arena: Arena;
before(async () => {
  // The folder must be on a disk: files in memory would count as the server's memory.
  scratch = await scratchDirectory('/var/tmp');
  const ground = { kind: 'ours', program: '', folder: scratch.path, filled: undefined } as const;
  arena = await Arena.open(ground, {}, pace.fillRounds);
  await arena.rest(1_500);
});
after(async () => {
  const isStopped = await arena.close();
  await scratch.remove();
  assert.ok(isStopped, 'the server stops after the attacks');
});

const names = [
  'numeric-labels-small',
  'deep-stacks-small',
  'normal-pushes-small',
  'small-pushes-flood',
  'collapsed-lines-small',
  'profile-types',
  'gzip-bombs',
  'otlp-empty-messages-small',
  'label-names-small',
  'http2-resets',
  'nearest-values',
  'merges',
  'ranges-with-tiny-steps',
  'exports',
  'abandoned-questions',
  'source-map-brackets-small',
  'archives-small',
  'idle-connections',
  'relabel-growth',
  'self-profiles',
];
const quick = attacks.filter(
  ({ name, door }) => names.includes(name) && doorsByKind.ours.includes(door),
);
test('there are twenty attacks', () => assert.equal(quick.length, 20));

for (const attack of quick) {
  test(`another client is answered next to ${attack.name}`, async () => {
    const trial = await arena.try(attack, pace);
    assert.deepEqual(findFaults(trial, strictness), []);
  });
}
