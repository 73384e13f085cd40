// Tests that a server uses the native program without a restart if the program is built later.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseFlags } from '../../cmd/parca/flags.ts';
import { openSymbols } from '../../cmd/parca/open-symbols.ts';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { seededRandom } from '../../src/base/random.ts';
import { scratchDirectory } from '../../test/support/server.ts';

test('names are read again by the program as soon as it is there', async () => {
  const scratch = await scratchDirectory();
  after(() => scratch.remove());
  const inFolder = (name: string): string => join(scratch.path, name);
  writeFileSync(
    inFolder('a.c'),
    'int spin(int a) { return a * 3; }\nint main() { return spin(2); }\n',
  );
  const buildId = '00112233445566778899aabbccddeeff00112233';
  const flags = ['-g', '-O0', `-Wl,--build-id=0x${buildId}`, '-o', 'a.out', 'a.c'];
  execFileSync('cc', flags, { cwd: scratch.path });
  const symbols = execFileSync('nm', ['a.out'], { cwd: scratch.path }).toString();
  const address = Number.parseInt(/^([0-9a-f]+) T spin$/m.exec(symbols)?.[1] ?? '', 16);

  const clock = createFakeClock(1_790_000_000_000);
  const program = inFolder('parca-symbolizer');
  const { symbolizer, debuginfo, stop } = await openSymbols(
    {
      clock,
      files: createFiles(),
      random: seededRandom(1),
      logger: silentLogger,
      metrics: noMetrics,
    },
    parseFlags([`--storage-path=${inFolder('data')}`]),
    'test',
    { program },
  );
  after(() => stop());
  const content = readFileSync(inFolder('a.out'));
  await debuginfo.addFetched(
    buildId,
    (async function* () {
      yield content;
    })(),
  );
  const nameLine = async (): Promise<string> => {
    symbolizer.findFrames(buildId, address);
    await symbolizer.settled();
    const [{ functionName, line }] = symbolizer.findFrames(buildId, address) ?? [];
    return `${functionName}:${line}`;
  };
  assert.equal(await nameLine(), 'spin:1', 'by the reader in TypeScript');
  const { generation } = symbolizer;

  copyFileSync(new URL('../dist/parca-symbolizer', import.meta.url), program);
  await clock.advance(60_000);
  assert.ok(symbolizer.generation > generation, 'answers are made again');
  assert.equal(await nameLine(), 'spin:1');
});
