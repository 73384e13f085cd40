// Tests of the symbols page's rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKind, type BuildFacts } from '../rpc/symbols.ts';
import { namesSentence, symbolRows } from './symbol-rows.ts';

const facts = (buildId: string, state: BuildFacts['state']): BuildFacts => {
  return { buildId, binary: `/of/${buildId}`, state, reason: '', notes: [], files: [] };
};

test('what hides most comes first, also what the server was not asked for', () => {
  const ofCpu = { unnamed: [{ build: 'bb', binary: '/bin/b', self: 1n }], whole: 100n };
  const builds = [facts('aa', 'unnamed'), facts('bb', 'named'), facts('cc', 'named')];
  const ofAgent = {
    unnamed: [
      { build: 'bb', binary: '/bin/b', self: 25n },
      { build: 'dd', binary: '/bin/d', self: 50n },
      { build: '', binary: '[vdso]', self: 5n },
    ],
    whole: 100n,
  };
  const rows = symbolRows(builds, [ofCpu, ofAgent]);
  assert.deepEqual(
    rows.map(({ buildId, state, binary, hidden }) => [buildId, state, binary, hidden]),
    [
      ['dd', 'unasked', '/bin/d', 0.5],
      ['bb', 'named', '/bin/b', 0.25],
      ['aa', 'unnamed', '/of/aa', 0],
      ['cc', 'named', '/of/cc', 0],
    ],
  );
  assert.deepEqual(symbolRows([], []), []);
  assert.match(namesSentence(ofCpu, 1), /^1\.0\D* has no names, in one build id\.$/);
  assert.match(namesSentence(ofAgent, 1), /^75\.0\D* has no names, in 2 build ids\.$/);
  const all = { unnamed: [], whole: 100n };
  assert.equal(namesSentence(all, 0), 'everything has names.');
  assert.match(namesSentence(all, 2), /callers lack some, in 2 build ids/);
});

test('the name of a file says what it is', () => {
  const kinds = ['a.debug', 'app.js.map', 's.tar', 's.tar.zst', 's.tgz'].map(findKind);
  assert.deepEqual(kinds, ['debuginfo', 'source-map', 'sources', 'sources', 'sources']);
});
