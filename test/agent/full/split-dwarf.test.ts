// Tests function names of programs with split DWARF, or with DWARF that several programs share: the
// agent finds the separate files where the build left them, and uploads them.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchDirectory, startServer } from '../../support/server.ts';
import {
  agentFlags,
  cleaner,
  countSamples,
  readStacks,
  startAgent,
  waitForRequests,
} from '../support.ts';

/** `inlined_work` has no symbol; its name is only in the DWARF. */
const source = `
#include <time.h>
struct counter { unsigned long sum; };
static inline __attribute__((always_inline)) void inlined_work(struct counter *c, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) { c->sum += i * i; __asm__ volatile("" : "+m"(c->sum)); }
}
__attribute__((noinline)) void outer_work(struct counter *c) { inlined_work(c, 1000000); }
int main(void) {
  struct counter c = {0};
  clock_t end = clock() + 300 * CLOCKS_PER_SEC;
  while (clock() < end) outer_work(&c);
  return c.sum == 1;
}
`;

const cleanLater = cleaner();
const scratch = await scratchDirectory();
cleanLater(() => scratch.remove());

/** Builds programs with these names in a new folder; returns the folder. */
function build(names: readonly string[], ...flags: readonly string[]): string {
  const folder = join(scratch.path, names[0]);
  mkdirSync(folder);
  writeFileSync(join(folder, 'work.c'), source);
  for (const name of names) {
    run(folder, 'gcc', '-O2', ...flags, '-c', 'work.c', '-o', `${name}.o`);
    run(folder, 'gcc', '-Wl,--build-id', '-o', name, `${name}.o`);
  }
  return folder;
}

function run(cwd: string, command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { cwd, stdio: 'pipe' });
}

const dwz = process.env['TEST_DWZ'] ?? 'dwz';

/** Builds the programs; returns their paths. */
function buildAll(): string[] {
  const loose = build(['t-dwo'], '-gdwarf-5', '-gsplit-dwarf');
  const packed = build(['t-dwp'], '-gdwarf-4', '-gsplit-dwarf');
  run(packed, 'dwp', '-e', 't-dwp', '-o', 't-dwp.dwp');
  run(packed, 'rm', 't-dwp.dwo');
  const old = build(['t-dwz4', 't-other4'], '-gdwarf-4');
  run(old, dwz, '-m', 'common.debug', '-M', 'common.debug', 't-dwz4', 't-other4');
  const five = build(['t-dwz5', 't-other5'], '-gdwarf-5');
  run(five, dwz, '-5', '-m', 'common.debug', '-M', 'common.debug', 't-dwz5', 't-other5');
  return [join(loose, 't-dwo'), join(packed, 't-dwp'), join(old, 't-dwz4'), join(five, 't-dwz5')];
}

test('programs with split and shared DWARF have inlined calls, by what the agent uploads', async () => {
  const paths = buildAll();
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  cleanLater(() => server.stop());
  const running = paths.map((path) => spawn(path, { stdio: 'ignore' }));
  for (const one of running) cleanLater(async () => void one.kill('SIGKILL'));
  const pids = running.map(({ pid }) => pid).join(',');
  const flags = agentFlags(server, join(scratch.path, 'queue'), 997);
  const agent = await startAgent([...flags, '--log-level=debug', `--profiling-pids=${pids}`]);
  cleanLater(() => agent.stop());
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    let [all, named] = [0, 0];
    for (let i = 0; i < 100 && (all < 500 || named < all * 0.9); i += 1) {
      await waitForRequests(agent, 1);
      const stacks = await readStacks(server, `comm="${name}"`);
      all = countSamples(stacks);
      named = countSamples(stacks, (frames) => frames.includes('inlined_work'));
    }
    assert.ok(
      all >= 500 && named >= all * 0.9,
      `${named} of ${all} samples of ${name}\n${agent.log()}`,
    );
  }
});
