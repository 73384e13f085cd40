// Gives random strings to the query parser and to completion. Prints counts as JSON, or how to
// repeat a failure.
//
// Use: node test/fuzz/queries.ts <first seed> <seeds> [failures to show]; a seed is 1,000 strings.
import assert from 'node:assert/strict';
import { AppError } from '../../src/base/errors.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { completionAt, completionText } from '../../src/promql-like/complete.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import { QueryError } from '../../src/promql-like/query.ts';
import { resolveProfileTypes } from '../../src/promql-like/resolve.ts';
import { randomFrom } from '../../src/query/testing/random-rows.ts';
import { withinCpuTime } from './cpu-time.ts';
import { randomQuery } from './random-query.ts';

const textsPerSeed = 1_000;
/**
 * Longest CPU time for a string in milliseconds. Strings take at most 40 ms; five times as much
 * would mean that the time grows too fast with the length.
 */
const millisMax = 250;
const typedLengthMax = 4_096;
const stored = [
  'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
  'memory:alloc_space:bytes:space:bytes',
];
const types = stored.map(parseProfileType);
/** Label values, some longer than usual. */
const values = ['', 'api', 'a'.repeat(200), `${'ab'.repeat(90)}世\n`, '\ud800'];

const [first, seeds, shownMax = 1] = process.argv.slice(2).map(Number);
let failures = 0;
const counts = { texts: 0, parsed: 0, 'refused with a place': 0 };

for (let seed = first; seed < first + seeds && failures < shownMax; seed += 1) {
  const random = randomFrom(seed * 104_729);
  for (let i = 0; i < textsPerSeed && failures < shownMax; i += 1) {
    const text = randomQuery(random);
    // The editor's parser continues after mistakes; its input is as long as people type.
    const typed = text.slice(0, typedLengthMax);
    const cursor = random(typed.length + 1);
    try {
      await withinCpuTime(millisMax, () => check(text));
      await withinCpuTime(millisMax, () => complete(typed, cursor));
    } catch (error) {
      failures += 1;
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.stderr.write(`text ${i}: ${JSON.stringify(text).slice(0, 2000)}\n`);
      process.stderr.write(`repeat it: node test/fuzz/queries.ts ${seed} 1\n`);
    }
    counts.texts += 1;
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = failures === 0 ? 0 : 1;

/** Fails unless the result is a query, or one of our errors with a position in the string. */
function check(text: string): void {
  try {
    const query = parseQuery(text);
    const { operand } = query;
    const sides = operand.kind === 'diff' ? [operand.base, operand.compared] : [];
    const selectors = operand.kind === 'diff' ? sides.map((side) => side.selector) : [operand];
    for (const { matchers } of selectors) {
      for (const { matches } of matchers) values.forEach((value) => matches(value));
    }
    counts.parsed += 1;
    selectors.forEach((selector) => resolveProfileTypes(selector, types));
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, 'invalid-argument');
    if (!(error instanceof QueryError)) return;
    const { from, to, line, column } = error.position;
    assert.ok(from >= 0 && from <= to && to <= text.length, `${from}-${to} of ${text.length}`);
    assert.ok(line >= 1 && column >= 1);
    counts['refused with a place'] += 1;
  }
}

/**
 * Checks that completion does not fail, and that the range that it replaces contains the cursor.
 */
function complete(text: string, cursor: number): void {
  const place = completionAt(text, cursor);
  const { from, to } = place.replace;
  assert.ok(from <= cursor && cursor <= to && to <= text.length, `${from}-${to} at ${cursor}`);
  completionText(place, 'not-ok "x"');
}
