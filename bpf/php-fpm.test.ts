// Tests of PHP functions in the workers of php-fpm, which serve one program after another.
//
// `TEST_PHP_FPMS` adds servers, as commands separated by ':', such as `chroot /srv/trixie
// php-fpm8.4`. They must be able to use the folder of temporary files under its path.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSampler } from './index.ts';
import type { Sampler } from './sampler.ts';
import { requestFastCgi } from './testing/fast-cgi.ts';
import { checkShares, commandsOf, functionName, samplerOptions } from './testing/interpreted.ts';
import { testdata } from './testing/programs.ts';
import {
  chooseStacks,
  completeShare,
  describeStacks,
  type SampledStack,
} from './testing/stacks.ts';

const cpuSeconds = 3;
const workers = 2;
const folder = mkdtempSync(join(tmpdir(), 'parca-fpm-'));
const source = readFileSync(testdata('functions.php'), 'utf8');

let sampler: Sampler;

before(() => {
  assert.ok(servers().length > 0, 'there is no php-fpm; TEST_PHP_FPMS may name it');
  sampler = openSampler(samplerOptions);
});
after(() => {
  sampler.close();
  rmSync(folder, { recursive: true });
});

/** Returns the commands of all installed servers. */
function servers(): string[][] {
  return [...globSync('/usr/sbin/php-fpm*').map((path) => [path]), ...commandsOf('TEST_PHP_FPMS')];
}

/**
 * Writes the program under a path and with a function of its own, both as long as those of the
 * other versions: without a cache, a worker has the functions of each at the same addresses.
 */
function writeProgram(version: string): string {
  const path = join(folder, version, 'functions.php');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source.replaceAll('plain', `pl${version}`));
  return path;
}

/** Returns the function that burns CPU, its line and the version of the program. */
function findPlace({ user }: SampledStack): string | undefined {
  const functions = user.flatMap(({ scriptFunction }) => scriptFunction ?? []);
  const at = functions.findIndex(({ name }) => name === 'burn');
  const caller = functions[at + 1];
  if (at < 0 || caller === undefined) return undefined;
  // The file of evaluated code has the place of its caller after the name.
  const version = basename(dirname(caller.fileName.replace(/\(.*/, '')));
  return `${version} ${caller.name}:${caller.line}`;
}

/** Runs a server while `use` sends requests to its socket; returns the stacks of its workers. */
async function sampleServer(
  [command = '', ...args]: readonly string[],
  use: (socket: string) => Promise<void>,
): Promise<SampledStack[]> {
  const socket = join(folder, 'socket');
  const settings = join(folder, 'fpm.conf');
  const lines = [
    '[global]',
    `error_log = ${join(folder, 'log')}`,
    '[www]',
    `listen = ${socket}`,
    'user = root',
    'pm = static',
    `pm.max_children = ${workers}`,
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const child = spawn(command, [...args, '-F', '-R', '-y', settings], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stacks: SampledStack[] = [];
  const take = (): void => {
    stacks.push(...chooseStacks(sampler.take(), ({ parentPid }) => parentPid === child.pid));
  };
  try {
    while (!existsSync(socket)) {
      assert.equal(child.exitCode, null, 'the server has ended');
      await sleep(20);
    }
    let isUsed = true;
    const used = use(socket).finally(() => (isUsed = false));
    while (isUsed) {
      await sleep(200);
      take();
    }
    await used;
    await sleep(200);
    take();
  } finally {
    child.kill();
    await ended;
    rmSync(socket, { force: true });
  }
  return stacks;
}

for (const command of servers()) {
  test(`workers of ${command.join(' ')}`, async () => {
    const versions = ['one', 'two', 'six'];
    const programs = versions.map(writeProgram);
    const used = new Map<string, number>();
    const serve = async (socket: string): Promise<void> => {
      for (let i = 0, seconds = 0; seconds < cpuSeconds / workers; i++) {
        const at = i % versions.length;
        const body = await requestFastCgi(socket, {
          REQUEST_METHOD: 'GET',
          SCRIPT_FILENAME: programs[at],
          QUERY_STRING: 'seconds=0.05',
        });
        for (const [place, spent] of Object.entries<number>(JSON.parse(body))) {
          seconds += spent;
          if (!/^(sort|worked):/.test(place)) {
            const key = `${versions[at]} ${place}`;
            used.set(key, (used.get(key) ?? 0) + spent);
          }
        }
      }
    };
    const stacks = await sampleServer(command, async (socket) => {
      await Promise.all(Array.from({ length: workers }, () => serve(socket)));
    });
    const own = stacks.filter((stack) => findPlace(stack) !== undefined);
    assert.ok(own.length > cpuSeconds * 600, `${own.length} of ${stacks.length} stacks`);
    const share = completeShare(own);
    assert.ok(share >= 0.99, `${share} complete: ${describeStacks(own)}`);
    checkShares(
      own.flatMap((stack) => findPlace(stack) ?? []).filter((place) => !place.includes(' :')),
      used,
    );
    // Without a cache, some functions are gone when they are read: each request has its own.
    const left = stacks.filter(({ user }) =>
      user.some((frame) => frame.scriptFunction !== undefined && functionName(frame) === ''),
    );
    assert.ok(left.length <= stacks.length * 0.2, `${left.length} of ${stacks.length} lack names`);
  });
}
