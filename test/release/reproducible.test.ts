// Tests that a release always has the same bytes: it is made again from another clone of the same
// commit, in a folder whose path has another length, and with another umask, locale and time zone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { scratchDirectory } from '../support/server.ts';
import { artefact, run } from './released.ts';

const root = new URL('../../', import.meta.url).pathname;
const scratch = await scratchDirectory('/var/tmp');
after(() => scratch.remove());

test('a second clone gives the same checksums', () => {
  const clone = join(scratch.path, 'a folder with a long name/clone');
  run('git', ['clone', '--quiet', '--no-hardlinks', root, clone]);
  const output = join(scratch.path, 'output');
  const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'Asia/Kathmandu', INIT_CWD: clone };
  const release = `umask 077 && exec "$0" tools/release.mjs "$1"`;
  run('sh', ['-c', release, process.execPath, output], { cwd: clone, env, stdio: 'pipe' });
  const sums = readFileSync(join(output, 'SHA256SUMS'), 'utf8');
  assert.equal(sums, readFileSync(artefact(/^SHA256SUMS$/), 'utf8'));
  assert.ok(sums.split('\n').length > 15, sums);
  // The checksum file matches the archives.
  run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: output });
});
