// Tests of messages about ambiguous profile types, and of queries that are made from them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { formatProfileType, parseProfileType } from '../model/profile-type.ts';
import { readAmbiguity, withCandidate, type Ambiguity } from './ambiguity.ts';
import { parseQuery } from './parse.ts';
import { resolveProfileTypes } from './resolve.ts';

/** Returns the error message for a query. */
function findAmbiguity(query: string, known: readonly string[]): Ambiguity {
  const { operand } = parseQuery(query);
  const selector = operand.kind === 'diff' ? operand.compared.selector : operand;
  try {
    resolveProfileTypes(selector, known.map(parseProfileType));
  } catch (error) {
    const ambiguity = readAmbiguity(errorMessage(error));
    assert.ok(ambiguity !== undefined, errorMessage(error));
    return ambiguity;
  }
  return assert.fail('the type is not ambiguous');
}

const space = 'memory:alloc_space:bytes:space:bytes';
const objects = 'memory:cached_space:bytes:space:bytes';
const odd = 'memory:a, "b"\n:c\\::';

test('the candidates of a message put in the place of the short type', () => {
  const check = (query: string, candidate: string, want: string): void => {
    const ambiguity = findAmbiguity(query, [space, objects, odd]);
    assert.deepEqual(ambiguity.candidates.toSorted(), [odd, space, objects]);
    const chosen = withCandidate(query, ambiguity, candidate);
    assert.equal(chosen, want);
    const { operand } = parseQuery(want);
    const selector = operand.kind === 'diff' ? operand.compared.selector : operand;
    assert.equal(formatProfileType(resolveProfileTypes(selector, [])[0]), candidate);
  };
  check('memory', space, space);
  check('# a\n memory{job="memory"} # b', objects, `# a\n ${objects}{job="memory"} # b`);
  check('{"memory"} | top 3', space, `${space}{} | top 3`);
  check('{job="x", __name__="memory"}', space, `${space}{job="x"}`);
  check(
    'memory{job="x"} offset 1h',
    odd,
    String.raw`{__name__="memory:a, \"b\"\n:c\\::", job="x"} offset 1h`,
  );
  check('diff(memory offset 1h, memory)', space, `diff(memory offset 1h, ${space})`);
  check('diff(memory | invert, {"memory"})', space, `diff(memory{} | invert, ${space}{})`);
});

test('a message names some of many candidates', () => {
  const known = Array.from({ length: 9 }, (_, i) => `memory:t${i}:bytes::`);
  assert.deepEqual(findAmbiguity('memory', known).candidates, known.slice(0, 8));
});

test('other messages and other queries are none', () => {
  assert.equal(readAmbiguity('1:1: unknown profile type "a": known are a:b:c:d:e'), undefined);
  const ambiguity = { line: 2, column: 3, candidates: [space] };
  assert.equal(withCandidate('memory', ambiguity, space), undefined);
});
