// Tests of Python functions with the kernel of this machine: each installed interpreter runs
// testdata/functions.py, whose functions measure their own CPU time.
//
// `TEST_PYTHONS` adds interpreters, as commands separated by ':', such as `chroot /srv/sid
// python3.14`. They must be able to read testdata/ under its path.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
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
import {
  completeShare,
  describeStacks,
  type SampledStack,
  type StackFrame,
} from './testing/stacks.ts';

const cpuSeconds = 2;
const script = testdata('functions.py');

let sampler: Sampler;

before(() => {
  sampler = openSampler(samplerOptions);
});
after(() => sampler.close());

/** Returns the commands of all installed interpreters. */
function interpreters(): string[][] {
  const versions = join(homedir(), '.pyenv/versions');
  const ofPyenv = existsSync(versions) ? readdirSync(versions) : [];
  const folders = [
    '/usr/bin',
    '/usr/local/bin',
    ...ofPyenv.map((one) => join(versions, one, 'bin')),
  ];
  const isKnown = (name: string): boolean => /^python3\.([89]|1[0-5])$/.test(name);
  const found = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter(isKnown)
        .map((name) => [join(folder, name)]),
    );
  return [...found, ...commandsOf('TEST_PYTHONS')];
}

const isOwn = ({ scriptFunction }: StackFrame): boolean => scriptFunction?.fileName === script;

/** Returns the names of the program's functions in a stack, leaf first. */
function ownNames({ user }: SampledStack): string[] {
  return user.filter(isOwn).map(functionName);
}

/**
 * Returns the function that burns CPU and its line, such as "plain:34"; undefined if there is none.
 */
function findPlace({ user }: SampledStack): string | undefined {
  const functions = user.flatMap(({ scriptFunction }) => scriptFunction ?? []);
  const at = functions.findIndex(({ name, fileName }) => name === 'burn' && fileName === script);
  const caller = functions[at + 1];
  return at < 0 || caller === undefined ? undefined : `${caller.name}:${caller.line}`;
}

/** Returns the names as this version has them. Only Python 3.11 and later have qualified names. */
function shortened(used: ReadonlyMap<string, number>, minor: number): Map<string, number> {
  if (minor >= 11) return new Map(used);
  return new Map([...used].map(([key, seconds]) => [key.replace(/^.*\./, ''), seconds]));
}

/**
 * Returns the share of stacks that consist of the given functions of the program, not counting
 * `burn`.
 */
function computeShare(
  stacks: readonly SampledStack[],
  place: RegExp,
  isRight: (stack: SampledStack) => boolean,
): number {
  const of = stacks.filter((stack) => place.test(findPlace(stack) ?? ''));
  assert.ok(of.length > 20, `${of.length} stacks of ${place}`);
  return of.filter(isRight).length / of.length;
}

for (const command of interpreters()) {
  const version = execFileSync(command[0], [...command.slice(1), '--version'], {
    encoding: 'utf8',
  });
  const minor = Number(/^Python 3\.(\d+)/.exec(version)?.[1]);
  test(`${version.trim()} of ${command.join(' ')}`, async () => {
    const { stacks, used } = await sampleProgram(sampler, [...command, script, String(cpuSeconds)]);
    const own = stacks.filter((stack) => ownNames(stack).includes('main') || findPlace(stack));
    assert.ok(own.length > cpuSeconds * 600, `${own.length} of ${stacks.length} stacks`);
    const share = completeShare(own);
    assert.ok(share >= 0.99, `${share} complete: ${describeStacks(own)}`);
    // Code that was run by `exec` may be freed before the agent reads it.
    const places = own
      .flatMap((stack) => findPlace(stack) ?? [])
      .filter((place) => !/^:|:0$/.test(place));
    checkShares(places, shortened(used, minor));
    const recursion = computeShare(own, /^recursive:/, (stack) => {
      return ownNames(stack).filter((name) => name === 'recursive').length === 201;
    });
    assert.ok(recursion >= 0.99, `${recursion} of the recursion is whole`);
    const awaited = computeShare(own, /^inner:/, (stack) => {
      return ownNames(stack).join(' ').includes('inner outer');
    });
    assert.ok(awaited >= 0.99, `${awaited} of what is awaited has who awaits it`);
    const sorted = computeShare(own, /<lambda>:/, (stack) => {
      return hasNativeBetween(stack, /<lambda>$/, 'sorted_by_key');
    });
    assert.ok(sorted >= 0.99, `${sorted} of the keys are called by a sort in C`);
    const threads = computeShare(own, /^in_thread:/, ({ user }) => {
      const names = user.flatMap(({ scriptFunction }) => scriptFunction?.name ?? []).join(' ');
      return /in_thread (Thread\.)?run (Thread\.)?_bootstrap_inner/.test(names);
    });
    assert.ok(threads >= 0.99, `${threads} of the threads have their start`);
    const left = stacks.filter(({ user }) =>
      user.some(({ scriptFunction }) => scriptFunction?.name === ''),
    );
    // Some stacks of `exec` lack names, because its code exists for only 20 ms, but is read 50 ms
    // later.
    const isRare = left.length <= stacks.length * 0.03;
    assert.ok(isRare, `${left.length} of ${stacks.length} have functions without names`);
  });
}
