// Tests of the limit on the total size of a query's regular expressions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryPatternsSizeMax } from './limits.ts';
import { patternSize } from '../model/pattern.ts';
import { parseQuery } from './parse.ts';
import { QueryError } from './query.ts';

/** A large expression; `allowed` of them are within the limit. */
const large = 'a{150}';
const allowed = Math.floor(queryPatternsSizeMax / patternSize(large));

function refused(query: string, expression: string): void {
  assert.throws(
    () => parseQuery(query),
    (error) => {
      assert.ok(error instanceof QueryError);
      assert.match(error.message, /regular expressions up to here would have about \d+ steps/);
      assert.equal(query.slice(error.position.from, error.position.to), expression);
      return true;
    },
  );
}

test('expressions are counted together, wherever they stand', () => {
  assert.ok(allowed >= 3);
  const matcher = (i: number): string => `l${i}=~"${large}"`;
  const matchers = (count: number): string =>
    Array.from({ length: count }, (_, i) => matcher(i)).join(',');
  parseQuery(`cpu{${matchers(allowed)}}`);
  refused(`cpu{${matchers(allowed)},x!~"a\\x7b150}"}`, '"a\\x7b150}"');
  for (const stage of ['focus', 'hide', 'stack matches', 'frame keep file matches']) {
    parseQuery(`cpu{${matchers(allowed - 1)}} | ${stage} "${large}"`);
    refused(`cpu{${matchers(allowed)}} | ${stage} "${large}"`, `"${large}"`);
  }
  refused(`diff(cpu{${matchers(allowed)}}, cpu{${matcher(0)}})`, `"${large}"`);
});

test('only regular expressions count', () => {
  const many = Array.from({ length: 900 }, (_, i) => `web-${i}`).join('|');
  const lists = Array.from({ length: 3 }, (_, i) => `l${i}=~"${many}"`).join(',');
  parseQuery(`cpu{${lists},a="${large.repeat(20)}"} | stack "${large.repeat(20)}"`);
  // The first mistake is reported.
  assert.throws(() => parseQuery('cpu{a=~"(",b=~"\\q"}'), /missing closing/);
});
