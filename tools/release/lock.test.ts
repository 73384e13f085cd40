import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockedFor } from './lock.ts';

test('packages bring what they need, as Node finds it: their own version, or one further up', () => {
  const all = {
    '': {},
    'node_modules/a': { dependencies: { b: '2', c: '1' }, optionalDependencies: { d: '1' } },
    'node_modules/a/node_modules/b': { version: '2', dependencies: { c: '1' } },
    'node_modules/b': { version: '1', dependencies: { unused: '1' } },
    'node_modules/c': { peerDependencies: { e: '1', f: '1' }, peerDependenciesMeta: meta },
    'node_modules/d': { version: '1', dependencies: { none: '1' } },
    'node_modules/e': { version: '1' },
    'node_modules/f': { version: '1' },
    'node_modules/unused': { version: '1' },
  };
  assert.deepEqual(Object.keys(lockedFor(all, ['a', 'missing'])), [
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/d',
    'node_modules/e',
  ]);
});

const meta = { f: { optional: true } };
