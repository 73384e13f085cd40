// Tests that a read of a block ends when its last caller leaves, no matter where it hangs, and that
// no data is then reported as missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { internStack } from '../fake/intern.ts';
import { readSelection, type ReadSeries } from '../fake/read-selection.ts';
import { query } from '../fake/short-profiles.ts';
import { Head } from '../head/head.ts';
import type { Part } from '../part.ts';
import { PartList } from '../store/part-list.ts';
import { PartsQuerier } from '../store/parts-querier.ts';
import { applyProfile } from '../testing/fill-head.ts';
import { BlockCache } from './block-cache.ts';
import { openBlock } from './block.ts';
import type { ReadableFile } from './block-file.ts';
import { memoryFiles, writeHeadBlock } from './testing/block-files.ts';

const gone = new AppError('cancelled', 'the caller has gone');

/** A file with one read that hangs until its signal is aborted. */
class HangingFile implements ReadableFile {
  readonly #file: ReadableFile;
  readonly #hangAt: number;
  /** Called when the read hangs. */
  onHang: () => void = () => undefined;
  reads = 0;
  /** Number of hanging reads that were ended. */
  ended = 0;

  /**
   * Wraps a file. `hangAt` is the number of the read that hangs, counted from 0; read 0 is the
   * footer.
   */
  constructor(file: ReadableFile, hangAt: number) {
    this.#file = file;
    this.#hangAt = hangAt;
  }

  async read(into: Uint8Array, offset: number, signal?: AbortSignal): Promise<number> {
    this.reads += 1;
    if (this.reads - 1 === this.#hangAt) {
      await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          this.ended += 1;
          reject(new Error('the socket was closed'));
        });
        this.onHang();
      });
    }
    return this.#file.read(into, offset);
  }

  size(): Promise<number> {
    return this.#file.size();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function openWorld() {
  const files = await memoryFiles();
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  const stack = internStack(head.dictionary, ['leaf', 'main']);
  for (const job of ['a', 'b']) {
    applyProfile(head, { labels: { job }, time: 5n, rows: [[stack, 0, 7n]] });
  }
  await writeHeadBlock(files, '/blocks/a', head);
  const open = async (hangAt: number) => {
    const file = new HangingFile(await files.open('/blocks/a', { create: false }), hangAt);
    const cache = new BlockCache(1 << 24);
    const parts = new PartList<Part>();
    parts.addHead(await openBlock({ file, cache, logger: silentLogger, metrics: noMetrics }));
    const querier = new PartsQuerier({ parts, onMissing: assert.fail });
    const asked = query({ matchers: [['job', '=~', 'a|b']] });
    const ask = async (signal?: AbortSignal): Promise<ReadSeries[]> => {
      const selection = await querier.select(asked, signal);
      const series = await readSelection(selection);
      assert.deepEqual(selection.missing, []);
      return series;
    };
    return { file, ask };
  };
  return { open };
}

test('a read ends with its caller, whichever it is', async () => {
  const { open } = await openWorld();
  const { file: whole, ask: askAll } = await open(-1);
  const want = await askAll();
  assert.equal(want.length, 2);
  assert.ok(whole.reads > 5, `${whole.reads} reads`);
  for (let hangAt = 1; hangAt < whole.reads; hangAt += 1) {
    const { file, ask } = await open(hangAt);
    const caller = new AbortController();
    file.onHang = () => setImmediate(() => caller.abort(gone));
    await assert.rejects(ask(caller.signal), gone, `read ${hangAt}`);
    assert.equal(file.ended, 1, `read ${hangAt}`);
    assert.deepEqual(await ask(), want);
  }
});

test('a read that two callers share ends with the second', async () => {
  const { open } = await openWorld();
  const { file, ask } = await open(1);
  const hung = Promise.withResolvers<undefined>();
  file.onHang = () => hung.resolve(undefined);
  const callers = [new AbortController(), new AbortController()];
  const [first, second] = callers.map(({ signal }) => ask(signal));
  await hung.promise;
  callers[0].abort(gone);
  await assert.rejects(first, gone);
  assert.equal(file.ended, 0);
  callers[1].abort(gone);
  await assert.rejects(second, gone);
  assert.equal(file.ended, 1);
  assert.equal((await ask()).length, 2);
});
