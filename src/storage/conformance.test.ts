// The engine keeps the promises of the seam, on files in memory and on the real disk.
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import type { Files } from '../base/files.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { createClock } from '../base/node/clock.ts';
import { createFiles } from '../base/node/files.ts';
import { seededRandom } from '../base/random.ts';
import { openEngine } from './engine.ts';
import { storageConformance } from './fake/conformance.ts';
import type { Storage } from './interface.ts';

const root = fs.mkdtempSync(join(os.tmpdir(), 'storage-conformance-'));
after(() => fs.rmSync(root, { recursive: true, force: true }));
const random = seededRandom(3);
const places = new WeakMap<Storage, { readonly path: string; readonly files: Files }>();

async function open(path: string, files: Files): Promise<Storage> {
  const clock = createClock();
  const limits = { rowSegmentBytes: 16_384, walSegmentBytesMax: 20_000 };
  const given = { clock, random, logger: silentLogger, metrics: noMetrics, limits };
  const storage = await openEngine({ path, files, ...given });
  places.set(storage, { path, files });
  return storage;
}

async function reopen(storage: Storage): Promise<Storage> {
  await storage.close();
  const place = places.get(storage);
  if (!place) throw new Error('the store is not from here');
  return open(place.path, place.files);
}

let count = 0;
storageConformance('engine in memory', () => open('/data', new MemoryFiles(random)), reopen);
storageConformance(
  'engine on disk',
  () => {
    count += 1;
    return open(join(root, `${count}`), createFiles());
  },
  reopen,
);
