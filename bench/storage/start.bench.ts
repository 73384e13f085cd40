// Benchmark of a start, until the server is ready: with a directory shaped like 100 GB, and with an
// empty one.
import { join } from 'node:path';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { diskFigures } from '../figures.ts';
import { median, reportRatio } from '../measure.ts';
import { makeLargeDirectory } from './large-directory.ts';

const totalBytes = 100e9;
const turns = 5;
const goalMillis = 3_000;

async function startedMillis(storagePath: string): Promise<number> {
  const start = performance.now();
  const server = await startServer({ storagePath });
  const millis = performance.now() - start;
  // A kill leaves the log unchanged.
  await server.kill();
  return millis;
}

/** Number and size of files, and the disk space that they take. */
async function measure(path: string): Promise<string> {
  const { files, bytes, blocks } = await diskFigures(path);
  const taken = (blocks * 512) / 1e6;
  return `${files} files of ${(bytes / 1e9).toFixed(1)} GB, ${taken.toFixed(0)} MB of the disk`;
}

const large = await scratchDirectory();
const empty = await scratchDirectory();
try {
  const path = join(large.path, 'data');
  await makeLargeDirectory(path, totalBytes);
  console.log(await measure(path));
  const millis: { readonly large: number[]; readonly empty: number[] } = { large: [], empty: [] };
  for (let turn = -1; turn < turns; turn += 1) {
    const ofEmpty = await startedMillis(join(empty.path, `data-${turn}`));
    const ofLarge = await startedMillis(path);
    if (turn < 0) continue;
    millis.empty.push(ofEmpty);
    millis.large.push(ofLarge);
  }
  console.log(`empty: ${median(millis.empty).toFixed(0)} ms`);
  console.log(`100 GB: ${median(millis.large).toFixed(0)} ms`);
  reportRatio('start with 100 GB to 3 s', Math.min(...millis.large) / goalMillis, 1, false);
} finally {
  await large.remove();
  await empty.remove();
}
