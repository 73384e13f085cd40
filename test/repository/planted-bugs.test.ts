// Every planted bug still applies: its file has the text that it replaces, exactly once.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { plantedBugs, type PlantedBug } from '../crash/planted-bugs.ts';
import { plantedFaults } from '../whole-server/planted-faults.ts';

const all: readonly PlantedBug[] = [...plantedBugs, ...plantedFaults];

test('every planted bug finds its text once', () => {
  const wrong = all.filter(({ file, find }) => {
    return !existsSync(file) || readFileSync(file, 'utf8').split(find).length !== 2;
  });
  assert.deepEqual(
    wrong.map(({ name, file }) => `${name}: ${file}`),
    [],
  );
});

test('the tests that find planted bugs are there', () => {
  const missing = all.filter(({ foundBy }) => foundBy !== undefined && !existsSync(foundBy));
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  );
});
