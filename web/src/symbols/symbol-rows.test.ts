// Tests of the rows of the symbols page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf, type BuildFacts } from '../rpc/symbols.ts';
import { symbolRows } from './symbol-rows.ts';

const facts = (buildId: string, state: BuildFacts['state']): BuildFacts => {
  return { buildId, state, reason: '', notes: [], files: [] };
};

test('what hides most comes first, also what the server was not asked for', () => {
  const rows = symbolRows([facts('aa', 'unnamed'), facts('bb', 'named'), facts('cc', 'named')], {
    unnamed: [
      { build: 'bb', binary: '/bin/b', self: 25n },
      { build: 'dd', binary: '/bin/d', self: 50n },
      { build: '', binary: '[vdso]', self: 5n },
    ],
    whole: 100n,
  });
  assert.deepEqual(
    rows.map(({ buildId, state, binary, hidden }) => [buildId, state, binary, hidden]),
    [
      ['dd', 'unasked', '/bin/d', 0.5],
      ['bb', 'named', '/bin/b', 0.25],
      ['aa', 'unnamed', '', 0],
      ['cc', 'named', '', 0],
    ],
  );
  assert.deepEqual(symbolRows([], undefined), []);
});

test('the name of a file says what it is', () => {
  const kinds = ['a.debug', 'app.js.map', 's.tar', 's.tar.zst', 's.tgz'].map(kindOf);
  assert.deepEqual(kinds, ['debuginfo', 'source-map', 'sources', 'sources', 'sources']);
});
