// Tests of Ruby functions with the kernel of this machine: each installed interpreter runs
// testdata/functions.rb, whose functions measure their own CPU time.
//
// `TEST_RUBIES` adds interpreters, as commands separated by ':', such as `chroot /srv/trixie ruby`.
// They must be able to read testdata/ under its path.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openSampler } from './index.ts';
import type { Sampler } from './sampler.ts';
import {
  checkShares,
  commandsOf,
  functionName,
  hasNativeBetween,
  sampleProgram,
  samplerOptions,
} from './testing/interpreted.ts';
import { testdata } from './testing/programs.ts';
import { completeShare, describeStacks, type SampledStack } from './testing/stacks.ts';

const cpuSeconds = 2;
const script = testdata('functions.rb');

let sampler: Sampler;

before(() => {
  sampler = openSampler(samplerOptions);
});
after(() => sampler.close());

/** Returns the commands of all installed interpreters. */
function interpreters(): string[][] {
  const own = ['/usr/bin/ruby', '/usr/local/bin/ruby'].filter((path) => existsSync(path));
  return [...own.map((path) => [path]), ...commandsOf('TEST_RUBIES')];
}

/** Returns the names of the Ruby functions in a stack, leaf first. */
function names({ user }: SampledStack): string[] {
  return user.map(functionName).filter((name) => name !== '');
}

/**
 * Returns the function that burns CPU and its line, such as "Object#plain:34"; undefined if there
 * is none.
 */
function findPlace({ user }: SampledStack): string | undefined {
  const functions = user.flatMap(({ scriptFunction }) => scriptFunction ?? []);
  const called = functions.findIndex(({ name }) => name === 'Array#sort');
  if (functions[called + 1]?.name === 'Object#in_c') return 'Array#sort:0';
  const at = functions.findIndex(({ name }) => name === 'Object#burn');
  const caller = functions[at + 1];
  return at < 0 || caller === undefined ? undefined : `${caller.name}:${caller.line}`;
}

/** Returns the share of a function's stacks that are correct. */
function computeShare(
  stacks: readonly SampledStack[],
  place: RegExp,
  isRight: (stack: SampledStack) => boolean,
): number {
  const of = stacks.filter((stack) => place.test(findPlace(stack) ?? ''));
  assert.ok(of.length > 20, `${of.length} stacks of ${place}`);
  return of.filter(isRight).length / of.length;
}

/** Returns true if the names in a stack end with these, from the leaf on. */
function endsWith(stack: SampledStack, ...ends: readonly string[]): boolean {
  return names(stack).slice(-ends.length).join(' < ') === ends.join(' < ');
}

const ofMain = ['Object#main', '<main>'];

for (const command of interpreters()) {
  const version = execFileSync(command[0], [...command.slice(1), '--version'], {
    encoding: 'utf8',
  });
  test(`${version.trim()} of ${command.join(' ')}`, async () => {
    const { stacks, used } = await sampleProgram(sampler, [...command, script, String(cpuSeconds)]);
    const own = stacks.filter((stack) => findPlace(stack) !== undefined);
    assert.ok(own.length > cpuSeconds * 600, `${own.length} of ${stacks.length} stacks`);
    const share = completeShare(own);
    assert.ok(share >= 0.99, `${share} complete: ${describeStacks(own)}`);
    checkShares(
      own.flatMap((stack) => findPlace(stack) ?? []),
      used,
    );
    const recursion = computeShare(own, /^Object#recursive:/, (stack) => {
      return names(stack).filter((name) => name === 'Object#recursive').length === 201;
    });
    assert.ok(recursion >= 0.99, `${recursion} of the recursion is whole`);
    const sorted = computeShare(own, /sorted_by_key:/, (stack) => {
      const between = ['Array#each', 'Enumerable#sort_by', 'Object#sorted_by_key'];
      return (
        endsWith(stack, 'block in Object#sorted_by_key', ...between, ...ofMain) &&
        hasNativeBetween(stack, /^block in Object#sorted_by_key$/, 'Array#each')
      );
    });
    assert.ok(sorted >= 0.99, `${sorted} of the keys are called by a sort in C`);
    const listed = computeShare(own, /Shop\.list:/, (stack) => {
      const around = ['Array#each', 'block in Shop.list', 'Array#each', 'Shop.list'];
      return endsWith(stack, 'block (2 levels) in Shop.list', ...around, ...ofMain);
    });
    assert.ok(listed >= 0.99, `${listed} of the blocks in blocks are whole`);
    // A fiber has its own stack, so the stack ends at the fiber's block.
    const fibers = computeShare(own, /in_fiber:/, (stack) => {
      return endsWith(stack, 'Object#burn', 'block in Object#in_fiber');
    });
    assert.ok(fibers >= 0.99, `${fibers} of the fibers are whole`);
    const threads = computeShare(own, /^Object#in_thread:/, (stack) => {
      const starts = ['block (2 levels) in Object#main'];
      return endsWith(stack, 'Object#burn', 'Object#in_thread', ...starts);
    });
    assert.ok(threads >= 0.99, `${threads} of the threads have their start`);
    const left = stacks.filter(({ user }) =>
      user.some(({ scriptFunction }) => scriptFunction?.name === ''),
    );
    const isRare = left.length <= stacks.length * 0.01;
    assert.ok(isRare, `${left.length} of ${stacks.length} have functions without names`);
  });
  const [ruby, ...args] = [...command, '--yjit'];
  const { stdout } = spawnSync(ruby, [...args, '--version'], { encoding: 'utf8' });
  if (!stdout.includes('YJIT')) continue;
  test(`compiled functions of ${stdout.trim()}`, async () => {
    const compiling = [ruby, ...args, '--yjit-call-threshold=2'];
    const { stacks, used } = await sampleProgram(sampler, [
      ...compiling,
      script,
      String(cpuSeconds),
    ]);
    const places = stacks.flatMap((stack) => findPlace(stack) ?? []);
    assert.ok(places.length > cpuSeconds * 600, `${places.length} of ${stacks.length} stacks`);
    checkShares(places, used);
    // In compiled code, the running instruction is outdated, so the line is unknown.
    const running = stacks
      .filter(({ user }) => user[0]?.binary.kind === 'anonymous')
      .flatMap(({ user }) => user.flatMap((it) => it.scriptFunction ?? [])[0] ?? []);
    assert.ok(running.length > 100, `${running.length} stacks of compiled code`);
    assert.deepEqual(
      running.filter(({ line }) => line !== 0),
      [],
    );
  });
}
