// Tests a Python version that is not known yet: an installed interpreter in whose file the version
// was changed. Its functions must have no names instead of wrong names, its stacks must stay
// complete, and the reason must be shown.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { openSampler } from './index.ts';
import { sampleProgram, samplerOptions } from './testing/interpreted.ts';
import { pythonProgram, testdata } from './testing/programs.ts';
import { completeShare, describeStacks } from './testing/stacks.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-python-'));
after(() => rmSync(folder, { recursive: true }));

const python = pythonProgram();
const facts = `
import sys, sysconfig
find = sysconfig.get_config_var
library = find('INSTSONAME') if find('Py_ENABLE_SHARED') else ''
print(sys.hexversion, sys.prefix, find('LIBDIR'), library, sep='\\n')
`;
const [version, prefix, libraries, library] = execFileSync(python, ['-c', facts], {
  encoding: 'utf8',
}).split('\n');

/** Start of a note with a build id: lengths of its name and of the id, kind, name. */
const buildIdNote = Buffer.from('040000001400000003000000474e5500', 'hex');

/**
 * Copies a file, and changes its version, which is 3.11 or newer, to 3.16. The copy gets another
 * build id, because the original may run at the same time.
 */
function copyAsNewer(path: string): string {
  const bytes = readFileSync(path);
  const known = Buffer.alloc(4);
  known.writeUInt32LE(Number(version));
  let count = 0;
  for (let at = bytes.indexOf(known); at >= 0; at = bytes.indexOf(known, at + 4)) {
    bytes[at + 2] = 16;
    count += 1;
  }
  assert.ok(count > 0, `${path} does not contain version ${Number(version).toString(16)}`);
  const note = bytes.indexOf(buildIdNote);
  assert.ok(note >= 0, `${path} has no build id`);
  bytes[note + buildIdNote.length] ^= 0xff;
  const copy = join(folder, basename(path));
  copyFileSync(path, copy);
  writeFileSync(copy, bytes);
  return copy;
}

test('functions of an unknown version of Python have no names, and the reason is known', async () => {
  const isShared = library !== '';
  const copy = copyAsNewer(isShared ? join(libraries, library) : python);
  const settings = [`PYTHONHOME=${prefix}`, ...(isShared ? [`LD_PRELOAD=${copy}`] : [])];
  const sampler = openSampler(samplerOptions);
  const reasons = new Set<string>();
  const take: typeof sampler.take = () => {
    const batch = sampler.take();
    for (const { path, interpreter } of batch.binaries) if (path === copy) reasons.add(interpreter);
    return batch;
  };
  try {
    const command = ['env', ...settings, isShared ? python : copy, testdata('functions.py'), '1'];
    const { stacks } = await sampleProgram({ take }, command);
    assert.ok(stacks.length > 100, `${stacks.length} stacks`);
    // Until exec, the child is a copy of this process.
    const isOfNode = /^node:|\.[cm]?[jt]s$/;
    const names = stacks
      .flatMap(({ user }) => user.flatMap(({ scriptFunction }) => scriptFunction ?? []))
      .filter(({ fileName }) => !isOfNode.test(fileName))
      .map(({ name, fileName }) => `${name} ${fileName}`);
    assert.deepEqual([...new Set(names)].slice(0, 20), []);
    assert.ok(completeShare(stacks) >= 0.99, describeStacks(stacks));
    assert.equal(reasons.size, 1);
    assert.match([...reasons].join(), /Python 3\.16\.\d+: versions after 3\.15 are unknown$/);
  } finally {
    sampler.close();
  }
});
