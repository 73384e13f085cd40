// Runs every script in this folder three times on the real write path, store and query engine: as
// written; with the store closed and reopened before the queries; and with ingest workers and a
// store that is closed and reopened after every load, so that each load is in its own part.
import { after, test } from 'node:test';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { seededRandom } from '../../src/base/random.ts';
import { DecodePool } from '../../src/ingest/decode-pool.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import type { Storage } from '../../src/storage/interface.ts';
import {
  runScript,
  scriptMachine,
  type ScriptMode,
  scripts,
  type ScriptStore,
} from './run-script.ts';

const workers = new DecodePool({ ...scriptMachine, size: 2, random: seededRandom(3) });
after(() => workers.close());

const modes: Readonly<Record<string, ScriptMode>> = {
  live: { closes: 'never' },
  replayed: { closes: 'before questions' },
  'in parts': { closes: 'after loads', decoder: workers },
};

for (const file of scripts) {
  for (const [name, mode] of Object.entries(modes)) {
    test(`${file}, ${name}`, (context) => runScript(context, file, () => new Store(), mode));
  }
}

/** A store in memory. */
class Store implements ScriptStore {
  readonly #random = seededRandom(7);
  readonly #files = new MemoryFiles(this.#random);
  #storage: Storage | undefined;

  async open(): Promise<Storage> {
    const files = this.#files;
    const random = this.#random;
    this.#storage ??= await openStore({ path: '/data', files, random, ...scriptMachine });
    return this.#storage;
  }

  async close(): Promise<void> {
    await this.#storage?.close();
    this.#storage = undefined;
  }
}
