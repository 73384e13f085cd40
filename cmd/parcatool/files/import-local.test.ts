// Tests that profiles without build ids get the build ids of local files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Profile } from 'pprof-format';
import { cpuFile } from '../../../src/formats/gperftools/testing/cpu-file.ts';
import { readBuildId } from './debuginfo.ts';
import { importLocal } from './import-local.ts';

test('build ids come from the files of the memory map', async () => {
  const line = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .find((one) => / r-xp .*\/libc[.-]/.test(one));
  assert.ok(line !== undefined, 'node is linked with the C library');
  const path = /\S+$/.exec(line)?.[0] ?? '';
  const start = Number.parseInt(line.split('-')[0], 16);
  const file = cpuFile([[1, start + 16, start + 32]], `${line}\n`);
  const { profiles, hasLocalFacts } = await importLocal(file);
  assert.equal(hasLocalFacts, true);
  const { mapping, stringTable } = Profile.decode(profiles[0].pprof);
  const buildId = stringTable.strings[Number(mapping[0].buildId)];
  assert.match(buildId, /^[0-9a-f]{40}$/);
  assert.equal(buildId, await readBuildId(path));
  const absent = cpuFile([[1, 16]], '10-20 r-xp 00000000 08:01 12  /no/such/file\n');
  assert.equal((await importLocal(absent)).hasLocalFacts, false);
});
