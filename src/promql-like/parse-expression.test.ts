// Tests of expressions: their meaning, and messages about mistakes with their positions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import type { Expression } from './expression.ts';
import { parseExpression } from './parse-expression.ts';
import { seriesQuery } from './recorded-series.ts';

/** Prints an expression with all parentheses: `(a + b)`. */
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
    const { name, query, windowNanos, markSide, offsetNanos } = expression;
    const offset = offsetNanos === 0n ? '' : ` offset ${offsetNanos / 1_000_000_000n}`;
    const side = markSide === undefined ? offset : ` ${markSide} mark`;
    return `${name}(${query.text.trim()} [${windowNanos / 1_000_000_000n}]${side})`;
  }
  if (expression.kind === 'series') {
    const offset = expression.offsetNanos / 1_000_000_000n;
    return seriesQuery(expression) + (offset === 0n ? '' : ` offset ${offset}`);
  }
  if (expression.kind === 'range') {
    const { name, series, windowNanos } = expression;
    return `${name}(${print(series)} [${windowNanos / 1_000_000_000n}])`;
  }
  if (expression.kind === 'functions') {
    const { name, window, isRange, matchers, labels } = expression;
    const conditions = matchers.map((one) => `${one.operator}${one.value}`).join(' ');
    const fixed = labels.map((one) => one.value).join(' ');
    return `${name}${isRange ? ' over' : ''} {${conditions}} {${fixed}} ${print(window)}`;
  }
  if (expression.kind === 'ranking') {
    const { operator, count, grouping, operand } = expression;
    const word = grouping.isWithout ? 'without' : 'by';
    return `${operator} ${word} (${grouping.names.join(', ')}) (${print(count)}, ${print(operand)})`;
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

test('functions of series over time', () => {
  check(
    'avg_over_time(job:cores{job="x"}[5m]) / 2',
    '(avg_over_time(recorded{record="job:cores", job="x"} [300]) / 2)',
  );
  check(
    'increase({__name__=~"a|b"} [1h] offset 1d)',
    'increase(recorded{record=~"a|b"} offset 86400 [3600])',
  );
  check('rate(a[5m] offset 1h)', 'rate(a [300] offset 3600)');
  const rate = parseExpression('rate(job:cores{job="x"} offset 1m [5m] offset 1h)');
  assert.ok(rate.kind === 'window' && rate.series !== undefined);
  assert.equal(print(rate.series), 'rate(recorded{record="job:cores", job="x"} offset 3660 [300])');
  check(
    'max_over_time + increase',
    '(recorded{record="max_over_time"} + recorded{record="increase"})',
  );
});

test('the largest and the smallest samples', () => {
  check('topk(3, a)', 'topk by () (3, recorded{record="a"})');
  check('bottomk by (x) (1 + 1, a > 2)', 'bottomk by (x) ((1 + 1), (recorded{record="a"} > 2))');
  check('topk without (x) (1, a)', 'topk without (x) (1, recorded{record="a"})');
});

test('series of functions stand for queries', () => {
  check(
    'parca_function_cores{job="api", pod=~"a|b", function!~"runtime.*"}',
    'parca_function_cores {!~runtime.*} {api} ' +
      'function_cores(cpu{job="api", pod=~"a|b"} [300])',
  );
  check(
    '{__name__="parca_function_self_share"}',
    'parca_function_self_share {} {} self_share(cpu{} [300])',
  );
  check(
    'topk(5, avg_over_time(parca_function_share{job="a"}[1h] offset 1d))',
    'topk by () (5, parca_function_share over {} {a} ' +
      'function_share(cpu{job="a"} [3600] offset 86400))',
  );
});

test('mistakes', () => {
  check('', '1:1: unexpected end of the expression');
  check('cores(cpu)', '1:7: expected a query and its window, such as process_cpu{job="api"} [5m]');
  check('core(cpu[5m])', '1:1: core is not supported: did you mean cores?');
  check('histogram_quantile(0.9, a)', '1:1: histogram_quantile is not supported');
  check('2 * quantile (3, a)', '1:5: quantile is not supported');
  check(
    'stddev_over_time(a[5m])',
    '1:1: stddev_over_time is not supported: did you mean sum_over_time?',
  );
  check('a[5m]', '1:2: a window of a series needs a function, such as avg_over_time(x [5m])');
  check('increase(a)', '1:10: increase needs a window of a series, such as x [5m]');
  const subquery = 'subqueries are not supported: a window stands next to the name of a series';
  check('max_over_time(a[1h:5m])', `1:19: ${subquery}`);
  check('avg_over_time(sum(a)[5m])', `1:18: ${subquery}`);
  check('a sum(b)', '1:3: unexpected "sum"');
  check('sum(a)[5m]', `1:7: ${subquery}`);
  check('topk(a, a)', '1:6: topk needs a number of samples');
  check('topk(a)', '1:7: unexpected ")"');
  check('topk(1, 2)', '1:1: expected a query in it, got a number');
  check('a > bool 5', '1:5: bool is not supported');
  check('a * on (x) group_left b', '1:12: group_left is not supported');
  check('2 ^ 3', '1:3: ^ is not supported');
  check(
    'max_over_time(parca_function_cores[5m])',
    '1:1: max_over_time of parca_function_cores is not supported: record it by a rule',
  );
  check('{}', '1:1: expected a name or a condition');
  check('a{b=="c"}', '1:3: expected =, !=, =~ or !~, got ==');
  check('a offset 5x', '1:10: expected a duration such as 1h30m, got 5x');
  check('a @ 5', '1:3: @ is not supported');
  check('cores(cpu[5m]) >', '1:17: unexpected end of the expression');
  check('cores(cpu[5x])', '1:11: expected a window such as 5m or 1h30m, got 5x');
  check('cores(cpu[0s])', '1:11: expected a window such as 5m or 1h30m, got 0s');
  check('cores(cpu | by job [5m])', '1:16: expected "(", got "job"');
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
