// Tests of the stages of a query and all their edits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { binaryGestures, functionGestures, searchStage, stackGestures } from './gestures.ts';
import * as stages from './stages.ts';

const both = 'diff(cpu | hide "x", cpu | show "y" | top 3) | invert';

test('each stage, and what the query is without it', () => {
  const check = (query: string, want: readonly (readonly [text: string, rest: string])[]): void =>
    assert.deepEqual(
      stages.listStages(query).map(({ text, rest }) => [text, rest]),
      want,
    );
  check('cpu{a="|"}', []);
  check('cpu{a="b"} | focus "x|y"', [['focus "x|y"', 'cpu{a="b"}']]);
  check('cpu | not stack "x" | by (a, b)|top 3', [
    ['not stack "x"', 'cpu | by (a, b)|top 3'],
    ['by (a, b)', 'cpu | not stack "x"|top 3'],
    ['top 3', 'cpu | not stack "x" | by (a, b)'],
  ]);
  check('diff(cpu | hide "x", cpu) | invert', [
    ['hide "x"', 'diff(cpu, cpu) | invert'],
    ['invert', 'diff(cpu | hide "x", cpu)'],
  ]);
  const sides = stages.listStages(both).map(({ text, side }) => [text, side]);
  assert.deepEqual(sides, [
    ['hide "x"', 'before'],
    ['show "y"', 'now'],
    ['top 3', 'now'],
    ['invert', undefined],
  ]);
});

test('stages move within their side, and separators stay', () => {
  const query = 'cpu | a "x"|top 3 | invert';
  assert.equal(stages.moveStage('cpu | focus "x"|top 3', 1, 0), 'cpu | top 3|focus "x"');
  assert.equal(
    stages.moveStage('cpu | focus "x" | top 3 | invert', 0, 2),
    'cpu | top 3 | invert | focus "x"',
  );
  assert.equal(stages.moveStage(both, 1, 2), both.replace('show "y" | top 3', 'top 3 | show "y"'));
  for (const [from, to] of [
    [0, 1],
    [3, 4],
    [0, -1],
  ])
    assert.equal(stages.moveStage(both, from, to), both);
  assert.equal(stages.keepStagesTo('cpu | focus "x" | top 3|invert', 0), 'cpu | focus "x"');
  assert.equal(stages.keepStagesTo(query, 9), query);
});

test('a stage is added once, after a comment on a line of its own', () => {
  assert.equal(stages.appendStage('cpu', 'invert'), 'cpu | invert');
  assert.equal(stages.appendStage('cpu | invert', 'invert'), 'cpu | invert');
  assert.equal(stages.appendStage('cpu # | no', 'top 3'), 'cpu # | no\n| top 3');
  assert.equal(stages.toggleInvert('cpu | invert'), 'cpu');
  assert.equal(stages.toggleInvert('cpu | invert | top 3'), 'cpu | invert | top 3 | invert');
});

test('a sandwich shows callees or callers, whichever way the stacks stand', () => {
  const check = (query: string, shows: 'callees' | 'callers', want: string): void =>
    assert.equal(stages.sandwich(query, 'a"b', shows), want);
  check('cpu', 'callees', 'cpu | sandwich "a\\"b"');
  check('cpu', 'callers', 'cpu | invert | sandwich "a\\"b"');
  check('cpu | invert', 'callees', 'cpu | sandwich "a\\"b"');
  check('cpu | invert', 'callers', 'cpu | invert | sandwich "a\\"b"');
  check('cpu | invert | top 3', 'callees', 'cpu | invert | top 3 | invert | sandwich "a\\"b"');
  const query = 'cpu | top 3 | sandwich "a"';
  assert.equal(stages.findSandwich(query), 'a');
  assert.equal(stages.findSandwich('cpu | invert | sandwich "a"'), undefined);
  assert.equal(stages.findSandwich('cpu | sandwich "a" | top 3'), undefined);
  assert.equal(stages.callersQuery(query), 'cpu | top 3 | invert | sandwich "a"');
  assert.equal(stages.withoutSandwich(query), 'cpu | top 3');
  const keep = (text: string) => stages.appendStage(text, 'stack "b"');
  assert.equal(stages.editCallers(query, keep), 'cpu | top 3 | stack "b" | sandwich "a"');
  assert.equal(stages.editCallers('cpu', keep), 'cpu | stack "b"');
  assert.equal(
    stages.editCallers(query, (text) => stages.sandwich(text, 'b', 'callees')),
    'cpu | top 3 | sandwich "b"',
  );
});

test('groups are added to the one `by` and taken from it', () => {
  assert.equal(stages.toggleGroup('cpu | top 3', 'file'), 'cpu | top 3 | by (file)');
  assert.equal(stages.toggleGroup('cpu | by ( a ) | top 3', 'file'), 'cpu | by (a, file) | top 3');
  assert.equal(stages.toggleGroup('cpu | by (a, file) | top 3', 'file'), 'cpu | by (a) | top 3');
  assert.equal(stages.toggleGroup('cpu | by (file) | top 3', 'file'), 'cpu | top 3');
  assert.deepEqual(stages.listGroups('cpu | by ("file", binary)'), ['"file"', 'binary']);
  assert.deepEqual(['file', 'pod', 'a b'].map(stages.groupWord), ['"file"', 'pod', '"a b"']);
});

test('every gesture makes a query that the server reads', () => {
  assert.deepEqual(edits(functionGestures('f.(*T[int]).g')), {
    s: 'cpu | sandwich "f.(*T[int]).g"',
    c: 'cpu | invert | sandwich "f.(*T[int]).g"',
    r: 'cpu | root "f.(*T[int]).g"',
    k: 'cpu | stack equals "f.(*T[int]).g"',
    d: 'cpu | not stack equals "f.(*T[int]).g"',
    h: 'cpu | frame drop equals "f.(*T[int]).g"',
  });
  assert.deepEqual(edits(functionGestures('libc.so+0x1f20')), {
    k: 'cpu | stack address 0x1f20',
    d: 'cpu | not stack address 0x1f20',
    h: 'cpu | frame drop address 0x1f20',
  });
  assert.deepEqual(edits(binaryGestures('/lib/libc.so.6')), {
    K: 'cpu | stack binary equals "libc.so.6"',
    D: 'cpu | not stack binary equals "libc.so.6"',
    H: 'cpu | frame drop binary equals "libc.so.6"',
    C: 'cpu | collapse binary equals "libc.so.6"',
    O: 'cpu | leaf binary equals "libc.so.6"',
    F: 'cpu | frame keep binary equals "libc.so.6"',
    X: 'cpu | not leaf binary equals "libc.so.6"',
  });
  assert.deepEqual(binaryGestures(''), []);
  assert.deepEqual(edits(stackGestures), {
    i: 'cpu | invert',
    R: 'cpu | collapse recursion',
    f: 'cpu | by (file)',
    b: 'cpu | by (binary)',
  });
});

test('a search becomes a stage that finds the same', () => {
  assert.equal(searchStage('a"b', 'text', 'keep'), 'stack "a\\"b"');
  assert.equal(searchStage('a.b', 'case', 'drop'), 'not stack matches "a\\\\.b"');
  assert.equal(searchStage('a|b', 'regex', 'keep'), 'stack matches "(?i)a|b"');
  for (const mode of ['text', 'case', 'regex'] as const) {
    parseQuery(`cpu | ${searchStage('a.(b)', mode, 'keep')}`);
  }
});

/**
 * Returns the edited query of each gesture by its key; throws for a query that the server cannot
 * parse.
 */
function edits(gestures: ReturnType<typeof functionGestures> | typeof stackGestures) {
  return Object.fromEntries(
    gestures.map(({ key, edit }) => {
      const query = edit('cpu', stages);
      parseQuery(query);
      return [key, query];
    }),
  );
}
