// A PHP of a version that is not known yet, and one with threads: an installed interpreter whose
// file says so. Functions have no names rather than wrong ones, stacks stay whole, and the reason
// is shown.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { openSampler } from './index.ts';
import { commandsOf, sampleProgram, samplerOptions } from './testing/interpreted.ts';
import { testdata } from './testing/programs.ts';
import { completeShare, describeStacks } from './testing/stacks.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-php-'));
after(() => rmSync(folder, { recursive: true }));

/** The first interpreter that is a program of this machine. */
const php = ['/usr/bin/php', ...commandsOf('TEST_PHPS').map(([program = '']) => program)].find(
  (path) => existsSync(path) && basename(path).startsWith('php'),
);

/** Copies the interpreter, and replaces a string in it with another one that is not longer. */
function copyWith(name: string, from: RegExp, to: string): string {
  assert.ok(php !== undefined, 'there is no PHP; TEST_PHPS may name it');
  const bytes = readFileSync(php);
  const found = from.exec(bytes.toString('latin1'));
  assert.ok(found !== null && found[0].length >= to.length, `${php} does not contain ${from}`);
  bytes.fill(0, found.index, found.index + found[0].length);
  bytes.write(to, found.index);
  const copy = join(folder, name);
  writeFileSync(copy, bytes);
  chmodSync(copy, 0o755);
  return copy;
}

async function checkUnknown(copy: string, reason: RegExp): Promise<void> {
  const sampler = openSampler(samplerOptions);
  const reasons = new Set<string>();
  const take: typeof sampler.take = () => {
    const batch = sampler.take();
    for (const { path, interpreter } of batch.binaries) if (path === copy) reasons.add(interpreter);
    return batch;
  };
  try {
    // The copy refuses extensions of the original.
    const command = [copy, '-n', testdata('functions.php'), '1'];
    const { stacks } = await sampleProgram({ take }, command);
    assert.ok(stacks.length > 100, `${stacks.length} stacks`);
    const names = stacks.flatMap(({ user }) =>
      user.flatMap(({ scriptFunction }) => scriptFunction ?? []),
    );
    assert.deepEqual(names, []);
    const share = completeShare(stacks);
    assert.ok(share >= 0.99, describeStacks(stacks));
    assert.match([...reasons].join(), reason);
  } finally {
    sampler.close();
  }
}

test('functions of an unknown version of PHP have no names, and the reason is known', async () => {
  const copy = copyWith('newer', /X-Powered-By: PHP\/\d[^\0]*/, 'X-Powered-By: PHP/8.99.1');
  await checkUnknown(copy, /^only native frames: PHP 8\.99\.1: the version is unknown$/);
});

test('functions of PHP with threads have no names, and the reason is known', async () => {
  const copy = copyWith('threads', /API20\d{6},NTS/, 'API20220829,TS');
  await checkUnknown(
    copy,
    /^only native frames: PHP \d\S+: builds with threads \(ZTS\) are unknown$/,
  );
});
