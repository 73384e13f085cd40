// Reporter for node:test: one line per file, complete failures, and counts for `npm test`.
//
// Usage: node --test --test-reporter=./tools/report.mjs. The counts are written to the file
// TEST_COUNTS.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { inspect } from 'node:util';

const root = new URL('..', import.meta.url).pathname;

/**
 * Converts the runner's events to text. Lists the names of skipped tests and todo tests, which
 * count as skipped.
 */
export default async function* report(events) {
  const files = new Map();
  const problems = [];
  let current;
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') {
      if (data.message.trim() !== '') yield `  | ${data.message.trimEnd()}\n`;
    }
    const outcome = countOutcome(type, data);
    if (outcome === undefined) continue;
    // The runner delays a file's events until the events of all earlier files have been emitted.
    const name = relative(root, data.file ?? data.name);
    if (current !== undefined && current !== name) yield fileLine(current, files.get(current));
    current = name;
    const counts = files.get(name) ?? { passed: 0, failed: 0, skipped: 0, millis: 0 };
    files.set(name, counts);
    if (data.nesting === 0) counts.millis += data.details.duration_ms;
    counts[outcome.kind] += 1;
    if (outcome.why !== undefined) problems.push(`${name}: ${data.name}: ${outcome.why}`);
  }
  if (current !== undefined) yield fileLine(current, files.get(current));
  for (const problem of problems) yield `\n${problem}\n`;
  if (process.env.TEST_COUNTS !== undefined) {
    writeFileSync(process.env.TEST_COUNTS, JSON.stringify(addUp(files.values())));
  }
}

/** Returns the counts that an event adds; undefined for other events and suites. */
function countOutcome(type, data) {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  const error = data.details.error;
  if (type === 'test:fail' && error?.failureType !== 'subtestsFailed') {
    return { kind: 'failed', why: `FAILED\n${describe(error)}` };
  }
  if (data.skip !== undefined || data.todo !== undefined)
    return { kind: 'skipped', why: 'SKIPPED' };
  if (data.details.type === 'suite' || type === 'test:fail') return undefined;
  // For a file without tests, the runner reports the file itself as passed.
  if (data.nesting === 0 && data.name.endsWith('.test.ts')) {
    return { kind: 'failed', why: 'FAILED\n    the file has no tests' };
  }
  return { kind: 'passed' };
}

function fileLine(name, { passed, failed, skipped, millis }) {
  const mark = failed > 0 ? 'FAIL' : skipped > 0 ? 'skip' : 'ok  ';
  return `${mark} ${name} (${passed + failed + skipped} tests, ${Math.round(millis)} ms)\n`;
}

function addUp(counts) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of counts) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

function describe(error) {
  const cause = error?.cause ?? error;
  // Errors of fetch have the reason only in their cause.
  const text = cause instanceof Error ? inspect(cause) : String(cause);
  return text.replaceAll(/^/gm, '    ');
}
