// Bugs that the tests of the store must find; each is a replacement in one source file.
import type { SourceReplacement } from './replace-source.ts';

interface PlantedBug extends SourceReplacement {
  /**
   * Test that must fail; by default the simulation. Bugs that the simulation does not find, or only
   * after 20 to 60 seconds, have their own test.
   */
  readonly foundBy?: string;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'log-sync-skipped',
    file: 'src/storage/wal/segments.ts',
    find: `      await segment.file.sync();
      if (!segment.isDurable)`,
    replace: '      if (!segment.isDurable)',
  },
  {
    name: 'directory-sync-skipped',
    file: 'src/storage/wal/segments.ts',
    find: 'if (!segment.isDurable) await this.#place.files.syncDirectory(this.#place.directory);',
    replace: '',
  },
  {
    name: 'acknowledged-early',
    file: 'src/storage/wal/writer.ts',
    find: '      await this.#writeGroup(epoch, group);\n',
    replace: `      for (const { resolve } of group) resolve();
      await this.#writeGroup(epoch, group);
`,
  },
  {
    name: 'failed-sync-retried',
    file: 'src/storage/wal/segments.ts',
    find: '      await this.#giveUp(segment, error);\n      throw error;\n    }\n    segment.isDurable',
    replace: '      await segment.file.sync();\n    }\n    segment.isDurable',
  },
  {
    name: 'half-write-stays',
    file: 'src/storage/wal/segments.ts',
    find: 'await segment.file.truncate(segment.bytes);',
    replace: '',
  },
  {
    name: 'checksum-ignored',
    file: 'src/storage/wal/scan-segment.ts',
    find: 'return checksum === header.payloadChecksum;',
    replace: 'return checksum === header.payloadChecksum || true;',
    foundBy: 'src/storage/store/open-store.test.ts',
  },
  {
    name: 'torn-tail-stays',
    file: 'src/storage/wal/replay.ts',
    find: '  if (end < size) await truncate(context, segment, end, isEnd);\n',
    replace: '',
    foundBy: 'src/storage/store/open-store.test.ts',
  },
  {
    name: 'last-group-believed-durable',
    file: 'src/storage/wal/replay.ts',
    find: 'if (isEnd && unsure < end) await file.rewrite(unsure, end);',
    replace: '',
    foundBy: 'src/storage/store/restart.test.ts',
  },
  {
    name: 'refused-segments-count',
    file: 'src/storage/wal/find-segments.ts',
    find: 'return previous.sequence < sequence ? 0 : size;',
    replace: 'return size;',
    foundBy: 'src/storage/store/open-store.test.ts',
  },
  {
    name: 'retry-not-recognized',
    file: 'src/storage/head/head.ts',
    find: "if (this.holds(ref, head.timeNanos, head.contentHash)) return 'known';",
    replace: '',
    // Only a retry in the same group reaches this code, and the simulation does not retry.
    foundBy: 'src/storage/store/open-store.test.ts',
  },
  {
    name: 'names-of-blocks-not-synced-at-start',
    file: 'src/storage/store/block-directory.ts',
    find: `    await this.#files.syncDirectory(this.path);
    const { opened`,
    replace: '    const { opened',
  },
  {
    name: 'block-not-synced',
    file: 'src/storage/block/block-writer.ts',
    find: `    await this.#file.sync();
    await this.#file.close();`,
    replace: '    await this.#file.close();',
  },
  {
    name: 'block-rename-not-synced',
    file: 'src/base/durable-files.ts',
    find: '  await files.syncDirectory(parentFolder(path));\n',
    replace: '',
  },
  {
    name: 'log-removed-before-the-blocks-are-there',
    file: 'src/storage/store/cut-queue.ts',
    find: '      blocks = await cut.publish();',
    replace: `      await removeLog(epoch.number);
      blocks = await cut.publish();`,
  },
  {
    name: 'log-of-a-later-epoch-removed',
    file: 'src/storage/wal/segments.ts',
    find: 'this.#kept.filter((kept) => kept.epoch === epoch)) {',
    replace: 'this.#kept.filter((kept) => kept.epoch >= epoch)) {',
  },
  {
    name: 'unfinished-cut-counts',
    file: 'src/storage/store/block-directory.ts',
    find: 'if (count === facts.cutCount) finished',
    replace: 'if (count > 0) finished',
  },
  {
    name: 'cut-loses-profiles',
    file: 'src/storage/store/head-cut.ts',
    find: 'this.#chunks.readChunks(ref, range, cutChunkRowsMax)',
    replace:
      'this.#chunks.readChunks(ref, { ...range, to: range.to - 600_000_000_000n }, cutChunkRowsMax)',
  },
  {
    name: 'retry-of-what-a-block-has-not-recognized',
    file: 'src/storage/store/retry-filter.ts',
    find: '    if (latestNanos === undefined) return commit.profiles;',
    replace: '    if (latestNanos !== 0n) return commit.profiles;',
  },
  {
    name: 'retention-off-by-a-block',
    file: 'src/storage/maintenance/retention.ts',
    find: 'range.to < oldest && byTimeLeft',
    replace: 'range.from < oldest && byTimeLeft',
    foundBy: 'src/storage/maintenance/retention.test.ts',
  },
  {
    name: 'deletion-not-durable',
    file: 'src/base/durable-files.ts',
    find: '    await file.sync();\n',
    replace: '',
  },
  {
    name: 'deletion-ignored-by-compaction',
    file: 'src/storage/maintenance/stream-merger.ts',
    find: 'return this.source.deleted.some(({ from, to }) => from <= timeNanos && timeNanos <= to);',
    replace: 'return timeNanos === 1n;',
  },
  {
    name: 'deletion-ignored-by-reads',
    file: 'src/storage/block/block.ts',
    find: '    this.#leftOut = deletions;',
    replace: '    this.#leftOut = deletions.slice(1);',
  },
  {
    name: 'compacted-block-does-not-say-what-it-replaces',
    file: 'src/storage/maintenance/compact.ts',
    find: '        sources: request.sources,',
    replace: '        sources: [],',
  },
  {
    name: 'symbols-mixed-up-by-compaction',
    file: 'src/model/dictionaries/symbol-translator.ts',
    find: '    this.#functions[row] = added;',
    replace: '    this.#functions[row] = added === 3 ? 2 : added;',
  },
  {
    name: 'rows-of-ingest-workers-taken-as-they-are',
    file: 'src/ingest/symbol-replica.ts',
    find: 'stacks[row] = translator.stack(stacks[row]);',
    replace: 'translator.stack(stacks[row]);',
  },
  {
    name: 'symbols-of-ingest-workers-sent-to-a-dictionary-that-is-over',
    file: 'src/ingest/symbol-sender.ts',
    find: '    this.#sent = symbolCounts(this.#current);\n    this.#isFirst = true;',
    replace: '    this.#isFirst = true;',
  },
  {
    name: 'checksum-of-a-block-ignored',
    file: 'src/storage/block/bytes/piece.ts',
    find: '!== piece.crc) {',
    replace: '!== piece.crc && salt === 0.5) {',
    foundBy: 'src/storage/block/block-damage.test.ts',
  },
  {
    name: 'checksum-of-deletions-ignored',
    file: 'src/storage/files/deletions.ts',
    find: '.u32() !== crc32c(bytes, 0, end)) {',
    replace: '.u32() === -1) {',
    foundBy: 'src/storage/files/deletions.test.ts',
  },
  {
    name: 'rollup-off-by-a-profile',
    file: 'src/storage/maintenance/rollup-builder.ts',
    find: `    if (startNanos !== this.#startNanos) this.close(period);
    this.#startNanos = startNanos;
    this.#sums.add(rows);`,
    replace: `    this.#sums.add(rows);
    if (startNanos !== this.#startNanos) this.close(period);
    this.#startNanos = startNanos;`,
    foundBy: 'src/storage/maintenance/maintenance.test.ts',
  },
];
