// Tests of finding separate debug files by build id.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sharedBuildId, sharedFile } from '../../test/support/hostile/split-elf.ts';
import { fileBinary } from '../testing/samples.ts';
import { DebugFolders } from './debug-folders.ts';

const folder = mkdtempSync(join(tmpdir(), 'debug-folders-'));
after(() => rmSync(folder, { recursive: true }));

test('a debug file is found by its build id, also by a link, as RPM makes it', async () => {
  const find = (buildId: string): Promise<string | undefined> =>
    new DebugFolders(['/nowhere', folder]).read(fileBinary('/app', buildId), async (_file, path) =>
      path.slice(folder.length),
    );
  assert.equal(await find(sharedBuildId), undefined);
  const debugFileName = (buildId: string): string =>
    `.build-id/${buildId.slice(0, 2)}/${buildId.slice(2)}.debug`;
  const [name, other] = [sharedBuildId, 'ab'.repeat(20)].map(debugFileName);
  for (const one of [name, other]) mkdirSync(join(folder, one, '..'), { recursive: true });
  writeFileSync(join(folder, 'app.debug'), sharedFile());
  symlinkSync('../../app.debug', join(folder, name));
  // A link to the debug file of another build.
  symlinkSync('../../app.debug', join(folder, other));
  assert.equal(await find(sharedBuildId), `/${name}`);
  assert.equal(await find('ab'.repeat(20)), undefined);
});
