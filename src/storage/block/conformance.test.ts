// Runs the conformance cases of storage on blocks. Every answer of this store is read from a block
// that is written for it.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { MemoryFiles } from '../../base/fake/memory-files.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { storageConformance } from '../fake/conformance.ts';
import { Head } from '../head/head.ts';
import type { Appender, IncomingProfile, Storage } from '../interface.ts';
import { PartList } from '../store/part-list.ts';
import type { Part } from '../part.ts';
import { PartsQuerier } from '../store/parts-querier.ts';
import { createMergePool } from '../sum/merge-pool.ts';
import { SumQuerier } from '../sum/sum-querier.ts';
import { encodeProfile } from '../head/profile-codec.ts';
import { memoryFiles, openBlockAt, writeHeadBlock } from './testing/block-files.ts';

class CutStorage implements Storage {
  readonly #head = new Head(new Dictionary([1, 2, 3]), 16_384);
  readonly #parts = new PartList<Part>();
  readonly #files: MemoryFiles;
  #cuts = 0;
  readonly querier = new SumQuerier(
    new PartsQuerier({ parts: this.#parts, onMissing: () => undefined }),
    createMergePool(),
  );

  constructor(files: MemoryFiles) {
    this.#files = files;
  }

  appender(): Appender {
    const head = this.#head;
    let batch: Uint8Array[] = [];
    return {
      dictionary: head.dictionary,
      append(profile: IncomingProfile) {
        const writer = new ByteWriter();
        const { labels, name, sampleTypes, periodType, durationNanos } = profile;
        const key = { labels, name, sampleTypes, periodType, delta: durationNanos !== 0n };
        encodeProfile(writer, head.internStream(key), profile);
        batch.push(writer.copy());
      },
      commit: async () => {
        for (const bytes of batch) head.apply(new ByteReader(bytes, 4));
        batch = [];
        await this.#cut();
      },
    };
  }

  /** Replaces the previous block with a block that has all profiles. */
  async #cut(): Promise<void> {
    this.#cuts += 1;
    const path = `/blocks/${this.#cuts}.block`;
    await writeHeadBlock(this.#files, path, this.#head, { id: `cut-${this.#cuts}`, rowsMax: 64 });
    const block = await openBlockAt(this.#files, path);
    this.#parts.replaceBlocks(this.#parts.blocks, block.profileCount > 0 ? [block] : []);
  }

  async rotate(): Promise<void> {
    // There is nothing to rotate, because every commit is already in a block.
  }

  async close(): Promise<void> {
    // There is nothing to close, because the files are in memory.
  }
}

storageConformance('blocks', async () => new CutStorage(await memoryFiles()));
