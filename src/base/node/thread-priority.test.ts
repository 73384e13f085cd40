import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const script = `
  const { Worker } = require('node:worker_threads');
  const { getPriority } = require('node:os');
  const source = (work) => \`
    const { lowerThreadPriority } = require(\${JSON.stringify(process.argv[1])});
    lowerThreadPriority('\${work}');
    require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority());\`;
  const readPriority = (work) => new Promise((resolve, reject) => {
    const worker = new Worker(source(work), { eval: true });
    worker.once('message', resolve).once('error', reject);
  });
  Promise.all(['awaited', 'background'].map(readPriority)).then(([awaited, background]) =>
    console.log(JSON.stringify({ main: getPriority(), awaited, background })));
`;

test(
  'threads go a few steps below the process, wherever it is',
  { skip: process.platform !== 'linux' && 'only Linux has priorities of threads' },
  async () => {
    const module = new URL('thread-priority.ts', import.meta.url).pathname;
    const run = promisify(execFile);
    // Priorities are relative to this process, whose priority may already be lowered or raised.
    const priorities = async (...command: readonly string[]): Promise<Record<string, number>> => {
      const [file, ...args] = [...command, process.execPath, '-e', script, module];
      return JSON.parse((await run(file, args)).stdout) as Record<string, number>;
    };
    const { main, awaited, background } = await priorities();
    assert.deepEqual([awaited, background], [Math.min(main + 5, 19), Math.min(main + 7, 19)]);
    const lowered = await priorities('nice', '-n', '13');
    const expected = Math.min(main + 13, 19);
    assert.deepEqual(lowered, {
      main: expected,
      awaited: Math.min(expected + 5, 19),
      background: Math.min(expected + 7, 19),
    });
  },
);
