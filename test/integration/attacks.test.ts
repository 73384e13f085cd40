// Twenty attacks of a second each on one server in 1 GiB, next to another client: the server lives,
// and that client gets its answers. abuse/full/abuse.test.ts has the others, and long ones.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ScratchDirectory, scratchDirectory } from '../support/server.ts';
import { Arena } from '../abuse/arena.ts';
import { attacks } from '../abuse/attacks.ts';
import { doorsByKind } from '../abuse/contender.ts';
import { findFaults } from '../abuse/verdict.ts';

const pace = { baselineMillis: 0, attackMillis: 600, settleMillis: 0, fillRounds: 1 };
/**
 * Only what ends a server or leaves requests without an answer is found here, as eight answers in a
 * second tell little of a 99th percentile. abuse/full/abuse.test.ts has the limits of time.
 */
const strictness = { countsWaits: false, slack: Infinity, allowsRefusals: true };

let scratch: ScratchDirectory;
let arena: Arena;
before(async () => {
  // On a disk: files in memory would count towards the server's.
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
