// Tests of the conditions in requests for labels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { parseMatch } from './match.ts';
import { printSelector } from './print.ts';

function read(text: string): string | undefined {
  const selector = parseMatch(text);
  return selector && printSelector(selector);
}

test('selectors, bare conditions and nothing', () => {
  const check = (text: string, want: string | undefined): void =>
    assert.equal(read(text), want, text);
  check('', undefined);
  check(' \n', undefined);
  check('# all', undefined);
  check('{}', '{}');
  check('job="x"', '{job="x"}');
  check(`job != 'x', pod=~"a|b,",`, '{job!="x", pod=~"a|b,"}');
  check('"not-ok"!~`x`', '{"not-ok"!~"x"}');
  check('# of one job\njob="x" # that is all', '{job="x"}');
  // Words of the query language are label names here.
  check('offset="1h", diff="}", by="a"', '{offset="1h", diff="}", by="a"}');
  check('__name__="process_cpu", job="x"', 'process_cpu{job="x"}');
  check('{job="x"}', '{job="x"}');
  check('process_cpu{job="x"}', 'process_cpu{job="x"}');
  check('process_cpu', 'process_cpu{}');
});

test('mistakes are where they are written', () => {
  const check = (text: string, want: string): void => {
    try {
      read(text);
    } catch (error) {
      assert.equal(errorMessage(error), want);
      return;
    }
    assert.fail(`${text} was read`);
  };
  check('job=', '1:5: expected a quoted label value, got the end of the conditions');
  check('job=x', '1:5: expected a quoted label value, got "x"');
  check('job="x"} | top {b="c"', '1:16: expected a number, got "{"');
  check('job="x" | invert', '1:9: expected "," or the closing bracket, got "|"');
  check('job="x', '1:5: unterminated string, expected a closing "');
  check(
    'job=~"("',
    '1:6: cannot compile regular expression of label job: ' +
      'error parsing regexp: missing closing ): `(`',
  );
});
