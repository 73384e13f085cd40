// Tests of the menu of profile types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { friendlyName } from '../../../src/model/friendly-type.ts';
import { bestProfileType, typeChoices } from './profile-type.ts';

function makeOptions(...types: readonly string[]) {
  return types.map((value) => ({ value, label: friendlyName(value), group: 'x' }));
}

test('types of one meaning are one entry, which asks for all of them', () => {
  const go = 'memory:inuse_space:bytes:space:bytes';
  const node = 'memory:inuse_space:bytes:inuse_space:bytes';
  const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
  const pypprof = 'process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta';
  const delay = 'mutex:delay:nanoseconds:contentions:count';
  const choices = typeChoices(makeOptions(cpu, pypprof, go, node, delay));
  assert.deepEqual(
    choices.map(({ label, value, types }) => [label, value, types]),
    [
      ['CPU time', 'process_cpu:cpu', [cpu, pypprof]],
      ['Memory in use', 'memory:inuse_space', [go, node]],
      ['Mutex wait', delay, [delay]],
    ],
  );
});

test('no two entries have one name', () => {
  const choices = typeChoices(
    makeOptions(
      'parca_agent:samples:count:cpu:nanoseconds:delta',
      'parca_agent_cpu:samples:count:cpu:nanoseconds:delta',
      'memory:inuse_objects:count:space:bytes',
      'memory:objects:count:space:bytes',
    ),
  );
  const labels = choices.map(({ label }) => label);
  assert.equal(new Set(labels).size, labels.length, labels.join());
});

test('before any CPU profile, memory in use is shown rather than numbers of objects', () => {
  const heap = ['memory:inuse_objects:count:space:bytes', 'memory:inuse_space:bytes:space:bytes'];
  assert.equal(bestProfileType(heap), heap[1]);
  const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
  assert.equal(bestProfileType([...heap, cpu]), cpu);
});
