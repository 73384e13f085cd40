// Runs seeds of a program in this folder, in one process for each core that tests may use.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { runProgram } from '../crash/run-program.ts';

const processes = 2;

/**
 * Runs `program` with seeds from 1 on and the arguments `more`, and returns the sums of its counts.
 * If it fails, the error contains its output.
 */
export async function checkPieces(
  t: TestContext,
  program: string,
  seeds: number,
  more: readonly number[] = [],
): Promise<Record<string, number>> {
  const each = seeds / processes;
  const runs = Array.from({ length: processes }, (_, i) =>
    runProgram(`../fuzz/${program}`, [1 + i * each, each, ...more]),
  );
  const sums: Record<string, number> = {};
  for (const { code, stdout, stderr } of await Promise.all(runs)) {
    assert.equal(code, 0, stderr);
    const counts: Record<string, number> = JSON.parse(stdout);
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  t.diagnostic(JSON.stringify(sums));
  return sums;
}
