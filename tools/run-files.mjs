// Runs each test file in its own process, longest first, so that no core is idle at the end.
//
// Usage: node tools/run-files.mjs <files at once> <timeout in milliseconds> <pattern...>
import { globSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import report from './report.mjs';

/**
 * Files that take 8 s or more, longest first. The other files follow by size. Size alone is a bad
 * estimate for tests that wait or run programs: a core was idle for half a minute.
 */
const longFiles = [
  'test/e2e/ui.test.ts',
  'test/e2e/over-time.test.ts',
  'test/integration/attacks.test.ts',
  'test/whole-server/whole-server.test.ts',
  'test/e2e/services.test.ts',
  'test/integration/program.test.ts',
  'test/integration/contract.test.ts',
  'test/e2e/tasks.test.ts',
  'test/e2e/targets.test.ts',
  'test/fuzz/frames.test.ts',
  'test/fuzz/debuginfo.test.ts',
  'test/fuzz/arrow.test.ts',
  'test/integration/agent.test.ts',
  'test/fuzz/oracle.test.ts',
  'test/e2e/names.test.ts',
  'test/integration/names/names.test.ts',
  'test/integration/alerts.test.ts',
  'test/integration/storage/delete.test.ts',
];
// Fails if one of these files no longer exists.
for (const path of longFiles) statSync(path);

const [atOnce, timeout, ...patterns] = process.argv.slice(2);
const paths = new Set(patterns.flatMap((pattern) => globSync(pattern)));
const files = [
  ...longFiles.filter((path) => paths.delete(path)),
  ...[...paths].sort((a, b) => statSync(b).size - statSync(a).size),
].map((path) => resolve(path));

const events = run({ files, concurrency: Number(atOnce), timeout: Number(timeout) });
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
await pipeline(events, report, process.stdout, { end: false });
