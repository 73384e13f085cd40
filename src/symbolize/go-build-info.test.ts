// Tests of Go's build information with generated files; test/interop/go-build-info.test.ts uses
// real files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { seededRandom } from '../base/random.ts';
import type { GoBuild } from '../model/go-build.ts';
import { bytesSource, readElf } from './elf-file.ts';
import { readGoBuild } from './go-build-info.ts';
import { makeElf } from './testing/make-elf.ts';
import {
  makeGoBuild,
  makeGoBuildHead,
  makeGoModules,
  makeGoProgram,
  makeOldGoProgram,
} from './testing/make-go-build.ts';

const revision = '0123456789abcdef0123456789abcdef01234567';
const lines = [
  'path\tgithub.com/acme/shop/cmd/shop',
  'mod\tgithub.com/acme/shop\tv1.2.3+dirty\th1:abc=',
  'dep\tgithub.com/acme/cart\tv0.1.0\th1:def=',
  'build\t-buildmode=exe',
  'build\tvcs=git',
  `build\tvcs.revision=${revision}`,
  'build\tvcs.modified=true',
  '',
].join('\n');
const wanted: GoBuild = {
  goVersion: 'go1.22.3',
  module: 'github.com/acme/shop',
  version: 'v1.2.3+dirty',
  revision,
  isModified: true,
};

async function read(bytes: Uint8Array): Promise<GoBuild | undefined> {
  return readGoBuild(await readElf(bytesSource(bytes)));
}

const modules = makeGoModules(lines);

test('both formats have the same facts', async () => {
  assert.deepEqual(await read(makeGoProgram(makeGoBuild('go1.22.3', modules))), wanted);
  assert.deepEqual(await read(makeOldGoProgram('go1.17.13', modules)), {
    ...wanted,
    goVersion: 'go1.17.13',
  });
});

test('what is not said is empty', async () => {
  const none = { module: '', version: '', revision: '', isModified: false };
  const without = makeGoBuild('go1.22.3', new Uint8Array(0));
  assert.deepEqual(await read(makeGoProgram(without)), { goVersion: 'go1.22.3', ...none });
  const devel = makeGoModules('mod\tshop\t(devel)\t\n');
  const long = makeGoModules(`mod\t${'x'.repeat(2_000)}\tv1\t\n`);
  const module = 'shop';
  assert.deepEqual(await read(makeGoProgram(makeGoBuild('go1.22.3', devel))), {
    ...none,
    goVersion: 'go1.22.3',
    module,
  });
  assert.equal((await read(makeGoProgram(makeGoBuild('go1.22.3', long))))?.module, '');
  assert.equal(
    await read(makeElf([{ name: '.text', type: 1, content: makeGoBuildHead(2) }])),
    undefined,
  );
});

test('damaged and hostile sections say nothing', async () => {
  const good = makeGoBuild('go1.22.3', modules);
  assert.equal(await read(makeGoProgram(good.subarray(0, 20))), undefined);
  assert.equal(await read(makeGoProgram(good.subarray(0, good.length - 20))), undefined);
  const endless = Buffer.concat([makeGoBuildHead(2), new Uint8Array(20).fill(0xff)]);
  assert.equal(await read(makeGoProgram(endless)), undefined);
  // Addresses outside of the file, and a length above all limits.
  assert.equal(await read(makeOldGoProgram('go1.17.13', modules, 0x70_0000)), undefined);
  const huge = makeGoBuildHead(0);
  huge.writeBigUInt64LE(0x60_0000n, 16);
  huge.writeBigUInt64LE(0x60_0000n, 24);
  const data = Buffer.alloc(16);
  data.writeBigUInt64LE(0x60_0000n, 0);
  data.writeBigUInt64LE(2n ** 60n, 8);
  assert.equal(await read(makeGoProgram(huge, data)), undefined);
  const large = makeElf([{ name: '.go.buildinfo', type: 1, content: good, size: 2 ** 40 }]);
  await assert.rejects(read(large), { code: 'resource-exhausted' });
});

test('random damage is an AppError or an answer', async () => {
  const random = seededRandom(31);
  for (const program of [
    makeGoProgram(makeGoBuild('go1.22.3', modules)),
    makeOldGoProgram('go1.17.13', modules),
  ]) {
    for (let round = 0; round < 500; round += 1) {
      const damaged = program.slice();
      for (let i = 0; i < 4; i += 1) {
        damaged[random.uint32() % damaged.length] = random.uint32() & 0xff;
      }
      await read(damaged).catch((error: unknown) => assert.ok(error instanceof AppError));
    }
  }
});
