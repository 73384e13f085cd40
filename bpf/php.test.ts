// Tests of PHP functions with the kernel of this machine: each installed interpreter runs
// testdata/functions.php, whose functions measure their own CPU time.
//
// `TEST_PHPS` adds interpreters, as commands separated by ':', such as `chroot /srv/trixie php`.
// They must be able to read testdata/ under its path.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
const script = testdata('functions.php');

let sampler: Sampler;

before(() => {
  assert.ok(interpreters().length > 0, 'there is no PHP; TEST_PHPS may name it');
  sampler = openSampler(samplerOptions);
});
after(() => sampler.close());

/** Returns the commands of all installed interpreters. */
function interpreters(): string[][] {
  const own = ['/usr/bin/php', '/usr/local/bin/php'].filter((path) => existsSync(path));
  return [...own.map((path) => [path]), ...commandsOf('TEST_PHPS')];
}

/** Returns the names of the PHP functions in a stack, leaf first. */
function names({ user }: SampledStack): string[] {
  return user.map(functionName).filter((name) => name !== '');
}

/** Returns the functions that measure their own time. */
const measured = /^(sort|worked)$/;

/**
 * Returns the function that burns CPU and its line, such as "plain:34"; undefined if there is none.
 */
function findPlace({ user }: SampledStack): string | undefined {
  const functions = user.flatMap(({ scriptFunction }) => scriptFunction ?? []);
  const top = functions[0];
  if (top !== undefined && measured.test(top.name)) return `${top.name}:${top.line}`;
  const at = functions.findIndex(({ name }) => name === 'burn');
  const caller = functions[at + 1];
  return at < 0 || caller === undefined ? undefined : `${caller.name}:${caller.line}`;
}

/** Checks that the stacks of a place are right, but for one of a hundred. */
function checkStacks(
  stacks: readonly SampledStack[],
  place: RegExp,
  isRight: (stack: SampledStack) => boolean,
): void {
  const of = stacks.filter((stack) => place.test(findPlace(stack) ?? ''));
  assert.ok(of.length > 20, `${of.length} stacks of ${place}`);
  const wrong = of.filter((stack) => !isRight(stack));
  const first = wrong[0] && names(wrong[0]).join(' < ');
  const isRare = wrong.length <= Math.max(1, of.length / 100);
  assert.ok(isRare, `${wrong.length} of ${of.length} stacks of ${place}, such as ${first}`);
}

/** Returns true if the names in a stack end with these, from the leaf on. */
function endsWith(stack: SampledStack, ...ends: readonly string[]): boolean {
  return names(stack).slice(-ends.length).join(' < ') === ends.join(' < ');
}

const ofMain = ['main', 'functions.php'];

/** Modes of opcache's compiler; '' if it is off. */
const compilers = ['', 'tracing', 'function'];

function flagsOf(compiler: string): string[] {
  const settings = ['enable_cli=1', 'jit_buffer_size=32M', `jit=${compiler}`];
  return compiler === '' ? [] : settings.flatMap((setting) => ['-d', `opcache.${setting}`]);
}

/** Prints the version, then 1 if functions are compiled. */
const facts =
  "echo PHP_VERSION, ' ', (int) (function_exists('opcache_get_status') && " +
  "(opcache_get_status()['jit']['on'] ?? false));";

for (const command of interpreters()) {
  for (const compiler of compilers) {
    const [php, ...args] = [...command, ...flagsOf(compiler)];
    const [version, isCompiling] = execFileSync(php, [...args, '-r', facts], {
      encoding: 'utf8',
    }).split(' ');
    if (compiler !== '' && isCompiling !== '1') continue;
    test(`PHP ${version} of ${command.join(' ')} ${compiler}`.trim(), async () => {
      const { stacks, used } = await sampleProgram(sampler, [
        php,
        ...args,
        script,
        String(cpuSeconds),
      ]);
      // In compiled code, the running operation is outdated, so the line is unknown.
      const [worked] = [...used.keys()].filter((place) => place.startsWith('worked:'));
      const placeOf = (stack: SampledStack): string | undefined => {
        const place = findPlace(stack);
        return compiler !== '' && place === 'worked:0' ? worked : place;
      };
      const own = stacks.filter((stack) => findPlace(stack) !== undefined);
      assert.ok(own.length > cpuSeconds * 600, `${own.length} of ${stacks.length} stacks`);
      const share = completeShare(own);
      assert.ok(share >= 0.99, `${share} complete: ${describeStacks(own)}`);
      checkShares(
        own.flatMap((stack) => placeOf(stack) ?? []),
        used,
      );
      checkStacks(own, /^recursive:/, (stack) => {
        return names(stack).filter((name) => name === 'recursive').length === 201;
      });
      checkStacks(own, /^\{closure(}|:sortedByKey)/, (stack) => {
        // In PHP 8.2, other closures have the same name.
        const isOther = !names(stack).includes('sortedByKey');
        return (
          isOther ||
          (endsWith(stack, 'usort', 'sortedByKey', ...ofMain) &&
            hasNativeBetween(stack, /^\{closure/, 'usort'))
        );
      });
      checkStacks(own, /Shop::(\{closure|listed)/, (stack) => {
        return endsWith(stack, 'array_map', 'Shop::listed', ...ofMain);
      });
      checkStacks(own, /^inner:/, (stack) => {
        return endsWith(stack, 'burn', 'inner', 'between', 'generated', ...ofMain);
      });
      checkStacks(own, /^Shop::__destruct:/, (stack) => {
        return endsWith(stack, 'burn', 'Shop::__destruct', ...ofMain);
      });
      const left = stacks.filter(({ user }) =>
        user.some(({ scriptFunction }) => scriptFunction?.name === ''),
      );
      const isRare = left.length <= stacks.length * 0.01;
      assert.ok(isRare, `${left.length} of ${stacks.length} have functions without names`);
    });
  }
}
