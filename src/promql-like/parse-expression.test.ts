// Tests of expressions: their meaning, and messages about mistakes with their positions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import type { Expression } from './expression.ts';
import { parseExpression } from './parse-expression.ts';
import { seriesQuery } from './recorded-series.ts';

/** Prints with all parentheses: `(a + b)`. */
function print(expression: Expression): string {
  if (expression.kind === 'number') return String(expression.value);
  if (expression.kind === 'negative') return `-${print(expression.operand)}`;
  if (expression.kind === 'function') return `${expression.name}(${print(expression.operand)})`;
  if (expression.kind === 'aggregation') {
    const { operator, grouping, operand } = expression;
    const word = grouping.isWithout ? 'without' : 'by';
    return `${operator} ${word} (${grouping.names.join(', ')}) (${print(operand)})`;
  }
  if (expression.kind === 'window') {
    const { name, query, windowNanos, markSide } = expression;
    const side = markSide === undefined ? '' : ` ${markSide} mark`;
    return `${name}(${query.text.trim()} [${windowNanos / 1_000_000_000n}]${side})`;
  }
  if (expression.kind === 'series') {
    const offset = expression.offsetNanos / 1_000_000_000n;
    return seriesQuery(expression) + (offset === 0n ? '' : ` offset ${offset}`);
  }
  const { left, operator, matching, right } = expression;
  const word = matching?.isOn === true ? 'on' : 'ignoring';
  const labels = matching === undefined ? '' : ` ${word} (${matching.names.join(', ')})`;
  return `(${print(left)} ${operator}${labels} ${print(right)})`;
}

function check(text: string, want: string): void {
  let found: string;
  try {
    found = print(parseExpression(text));
  } catch (error) {
    found = errorMessage(error);
  }
  assert.equal(found, want, text);
}

test('operators bind as in PromQL', () => {
  check('1 + 2 * 3 - 4', '((1 + (2 * 3)) - 4)');
  check('-1 * 2 % 3', '((-1 * 2) % 3)');
  check('(1 + 2) * .5e3', '((1 + 2) * 500)');
  check(
    'rate(a[1m]) > 1 and rate(b[1m]) < 2 or rate(c[1m])',
    '(((rate(a [60]) > 1) and (rate(b [60]) < 2)) or rate(c [60]))',
  );
  check('rate(a[1m]) - 1 > inf', '((rate(a [60]) - 1) > Infinity)');
  check(
    'rate(a[1m]) unless on (x, "a.b") rate(b[1m])',
    '(rate(a [60]) unless on (x, a.b) rate(b [60]))',
  );
  check('rate(a[1m]) / ignoring () rate(b[1m])', '(rate(a [60]) / ignoring () rate(b [60]))');
});

test('a query ends where its window begins', () => {
  check(
    'cores(process_cpu{job="a[b"} offset 1d | focus `x]` | by (pod) # of [all]\n [5m])',
    'cores(process_cpu{job="a[b"} offset 1d | focus `x]` | by (pod) # of [all] [300])',
  );
  check("total({job='\\'['}[1h30m])", "total({job='\\'['} [5400])");
  check('self_share(cpu<job="x"> [1m])', 'self_share(cpu<job="x"> [60])');
});

test('a window may be limited to one side of a mark', () => {
  check(
    'rate(a[1m] since mark) / rate(a[1m] before mark)',
    '(rate(a [60] since mark) / rate(a [60] before mark))',
  );
  check('rate(a[1m] sinse mark)', '1:12: unexpected "sinse": did you mean since?');
  check('rate(a[1m] since)', '1:17: unexpected ")"');
});

test('recorded series are selected as in PromQL', () => {
  check('a', 'recorded{record="a"}');
  check(
    'a:b{job="x",pod!~"y|z",} offset 1m > 1',
    '(recorded{record="a:b", job="x", pod!~"y|z"} offset 60 > 1)',
  );
  check('{__name__=~"a.*", job != \'x\'}', 'recorded{record=~"a.*", job!="x"}');
  check(
    'sum by (job) (rate:x) / on (job) cores',
    '(sum by (job) (recorded{record="rate:x"}) / on (job) recorded{record="cores"})',
  );
  check('-a offset -5m', '-recorded{record="a"} offset -300');
});

test('functions and aggregations', () => {
  check('sum(rate(a[1m])) by (x)', 'sum by (x) (rate(a [60]))');
  check('count without (x,) (abs(rate(a[1m])))', 'count without (x) (abs(rate(a [60])))');
  check('absent(rate(a[1m]) # x\n)', 'absent(rate(a [60]))');
});

test('mistakes', () => {
  check('', '1:1: unexpected end of the expression');
  check('cores(cpu)', '1:7: expected a query and its window, such as process_cpu{job="api"} [5m]');
  check('core(cpu[5m])', '1:1: core is not supported: did you mean cores?');
  check('histogram_quantile(0.9, a)', '1:1: histogram_quantile is not supported');
  check('2 * topk (3, a)', '1:5: topk is not supported');
  check('a[5m]', '1:2: ranges of recorded series are not supported');
  check('{}', '1:1: expected a name or a condition');
  check('a{b=="c"}', '1:3: expected =, !=, =~ or !~, got ==');
  check('a offset 5x', '1:10: expected a duration such as 1h30m, got 5x');
  check('a @ 5', '1:3: unexpected "@"');
  check('cores(cpu[5m]) >', '1:17: unexpected end of the expression');
  check('cores(cpu[5x])', '1:11: expected a window such as 5m or 1h30m, got 5x');
  check('cores(cpu[0s])', '1:11: expected a window such as 5m or 1h30m, got 0s');
  check('cores(cpu | by job [5m])', '1:16: expected "(", got "job"');
  check(
    'rate(a[5m] offset 1h)',
    '1:12: offset stands in the query, in front of its window: memory offset 1d [5m]',
  );
  check('rate(diff(a, b)[5m])', '1:6: a diff has no value in a window');
  check('rate(a @ 1 to 2 [5m])', '1:8: a window has no @: it ends at each evaluation');
  check(
    'self_share(a | by (job) [5m])',
    '1:16: self_share gives a value for each function, so by has no meaning',
  );
  check(
    'function_cores(a | by (job) [5m])',
    '1:20: function_cores gives a value for each function, so by has no meaning',
  );
  check('1 > 2', '1:3: expected a query on one side, got two numbers');
  check('rate(a[5m]) and 1', '1:13: and needs a query on both sides');
  check('rate(a[5m]) * on (x) 1', '1:13: labels are matched only between queries');
  check('sum(1)', '1:1: expected a query in it, got a number');
  const many = Array.from({ length: 17 }, () => 'rate(a[1m])').join(' + ');
  check(many, '1:225: there are more than 16 queries');
  check(`${'('.repeat(9)}1${')'.repeat(9)}`, '1:9: parentheses are nested more than 8 deep');
});
