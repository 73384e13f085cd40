// Runs test files, each in a process, the largest first, so that the last ones are short and no
// core waits long.
//
// Use: node tools/run-files.mjs <files at once> <timeout in milliseconds> <pattern...>
import { globSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import report from './report.mjs';

const [atOnce, timeout, ...patterns] = process.argv.slice(2);
const paths = new Set(patterns.flatMap((pattern) => globSync(pattern)));
const files = [...paths]
  .sort((a, b) => statSync(b).size - statSync(a).size)
  .map((path) => resolve(path));

const events = run({ files, concurrency: Number(atOnce), timeout: Number(timeout) });
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1;
});
await pipeline(events, report, process.stdout, { end: false });
