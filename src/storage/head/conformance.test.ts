// Runs the conformance cases on the engine: with files in memory and on the real disk, and from
// heads, from blocks, and from both.
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import type { Files } from '../../base/files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { createFiles } from '../../base/node/files.ts';
import { seededRandom } from '../../base/random.ts';
import { openStore } from '../store/open-store.ts';
import { storageConformance } from '../fake/conformance.ts';
import type { Appender, Querier, Storage } from '../interface.ts';

const root = fs.mkdtempSync(join(os.tmpdir(), 'storage-conformance-'));
after(() => fs.rmSync(root, { recursive: true, force: true }));
const random = seededRandom(3);

/**
 * Returns true if a further check should follow this commit. Checks after all 200 commits would
 * take too long.
 */
const isItTime = (commits: number): boolean => commits <= 8 || commits % 40 === 0;

/** A store that `change` may replace with another one after each commit. */
class ChangingStorage implements Storage {
  readonly querier: Querier = {
    select: (query) => this.#current.querier.select(query),
    labelNames: (query) => this.#current.querier.labelNames(query),
    labelValues: (name, query) => this.#current.querier.labelValues(name, query),
    profileTypes: (range, matchers) => this.#current.querier.profileTypes(range, matchers),
    hasData: () => this.#current.querier.hasData(),
  };
  #current: Storage;
  readonly #change: (storage: Storage, commits: number) => Promise<Storage>;
  #commits = 0;
  #changing: Promise<void> = Promise.resolve();

  constructor(storage: Storage, change: (storage: Storage, commits: number) => Promise<Storage>) {
    this.#current = storage;
    this.#change = change;
  }

  appender(): Appender {
    const appender = this.#current.appender();
    return {
      dictionary: appender.dictionary,
      append: (profile) => appender.append(profile),
      commit: async () => {
        await appender.commit();
        this.#commits += 1;
        const commits = this.#commits;
        this.#changing = this.#changing.then(async () => {
          this.#current = await this.#change(this.#current, commits);
        });
        await this.#changing;
      },
    };
  }

  rotate(): Promise<void> {
    return this.#current.rotate();
  }

  close(): Promise<void> {
    return this.#current.close();
  }
}

const places = new WeakMap<Storage, { readonly path: string; readonly files: Files }>();

async function open(path: string, files: Files): Promise<Storage> {
  const clock = createClock();
  const limits = { rowSegmentBytes: 16_384, walSegmentBytesMax: 20_000, freeDiskBytesMin: 0 };
  const given = { clock, random, logger: silentLogger, metrics: noMetrics, limits };
  const storage = await openStore({ path, files, ...given });
  places.set(storage, { path, files });
  return storage;
}

async function reopen(storage: Storage): Promise<Storage> {
  await storage.close();
  const place = places.get(storage);
  if (!place) throw new Error('the store is not from here');
  return open(place.path, place.files);
}

async function rotated(storage: Storage): Promise<Storage> {
  await storage.rotate();
  return storage;
}

const openInMemory = (): Promise<Storage> => open('/data', new MemoryFiles(random));
const changing =
  (change: (storage: Storage, commits: number) => Promise<Storage>) => async (): Promise<Storage> =>
    new ChangingStorage(await openInMemory(), change);

storageConformance('engine in memory', openInMemory, reopen);
storageConformance(
  'engine cut after commits',
  changing(async (storage, commits) => (isItTime(commits) ? rotated(storage) : storage)),
);
storageConformance(
  'store opened again after commits',
  changing(async (storage, commits) => (isItTime(commits) ? reopen(storage) : storage)),
);
storageConformance(
  'engine of blocks and a head',
  changing(async (storage, commits) => {
    const isCut = commits % 3 === 1 && isItTime(commits);
    return isCut ? rotated(storage) : storage;
  }),
);
storageConformance(
  'engine of a head, cut while it is asked',
  changing(async (storage, commits) => {
    if (isItTime(commits)) void storage.rotate();
    return storage;
  }),
);
let count = 0;
storageConformance(
  'engine on disk',
  () => {
    count += 1;
    return open(join(root, `${count}`), createFiles());
  },
  reopen,
);
