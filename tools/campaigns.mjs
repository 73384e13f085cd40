// Runs the randomized tests of the folder test/ for a given time.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './setup.mjs';

const piecesAtOnce = 2;

/**
 * Programs, with arguments that make each run for about a minute. Each prints how to reproduce a
 * failure.
 */
const pieces = [
  (seed) => ['whole-server/live.ts', seed, 60],
  (seed) => ['e2e/random-walk.ts', seed, 60],
  (seed) => ['crash/simulate.ts', seed, 200, 25],
  (seed) => ['crash/fail-calls.ts', 2_000, 400, seed % 400, 1],
  (seed) => ['crash/flip-bits.ts', seed, 32_768, 4],
  (seed) => ['crash/kill-server.ts', 15, seed],
  (seed) => ['crash/power-loss.ts', 'ext4', 5, 1 + (seed % 50_000)],
  (seed) => ['crash/power-loss.ts', 'ext4 noauto_da_alloc', 5, 1 + (seed % 50_000)],
  (seed) => ['crash/power-loss.ts', 'xfs', 5, 1 + (seed % 50_000)],
  (seed) => ['fuzz/oracle.ts', seed, 40, 40],
  (seed) => ['fuzz/queries.ts', seed, 10],
  (seed) => ['fuzz/filters.ts', seed, 10],
  (seed) => ['fuzz/arrow.ts', 'record', seed, 60],
  (seed) => ['fuzz/arrow.ts', 'lz4', seed, 60],
  (seed) => ['fuzz/debuginfo.ts', seed, 6],
  (seed) => ['fuzz/frames.ts', 'grpc', seed, 20],
  (seed) => ['fuzz/frames.ts', 'grpc-web-text', seed, 20],
  (seed) => ['fuzz/frames.ts', 'compressed', seed, 60],
  (seed) => ['fuzz/web-config.ts', seed, '60s'],
  (seed) => ['fuzz/imports.ts', seed, '30s', 1, 'otlp,otlp-json'],
  (seed) => ['fuzz/imports.ts', seed, '30s'],
];

/**
 * Runs the programs in turn with new seeds until the time is over.
 *
 * @param {number} minutes
 * @param {Record<string, string>} env environment of the tests
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runCampaigns(minutes, env) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const end = Date.now() + minutes * 60_000;
  const firstSeed = Date.now() % 100_000_000;
  let next = 0;
  const work = async () => {
    do {
      const [program, ...given] = pieces[next % pieces.length](firstSeed + next * 1_000);
      next += 1;
      const isGood = await runPiece(program, given, env);
      counts[isGood ? 'passed' : 'failed'] += 1;
    } while (Date.now() < end);
  };
  await Promise.all(Array.from({ length: piecesAtOnce }, work));
  return counts;
}

function runPiece(program, given, env) {
  return new Promise((resolve) => {
    // Two programs share two cores: without V8's helper threads for garbage collection, both take
    // 24 s instead of 28 s.
    const flags = ['--single-threaded-gc', join(root, 'test', program), ...given.map(String)];
    const child = spawn(env.TEST_NODE, flags, { cwd: root, env });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => (output += error.message));
    child.once('close', (code) => {
      const words = [program, ...given].join(' ');
      process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${words}\n`);
      if (code !== 0) process.stderr.write(`${output}\n`);
      resolve(code === 0);
    });
  });
}
