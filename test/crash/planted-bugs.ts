// Bugs that the tests of storage must find: one replacement in one source file each.

export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Text of the source that is there exactly once, and what takes its place. */
  readonly find: string;
  readonly replace: string;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'log-sync-skipped',
    file: 'src/storage/wal-segments.ts',
    find: `      await segment.file.sync();
      if (!segment.isDurable)`,
    replace: '      if (!segment.isDurable)',
  },
  {
    name: 'directory-sync-skipped',
    file: 'src/storage/wal-segments.ts',
    find: 'if (!segment.isDurable) await this.place.files.syncDirectory(this.place.directory);',
    replace: '',
  },
  {
    name: 'acknowledged-early',
    file: 'src/storage/wal-writer.ts',
    find: '      await this.writeGroup(epoch, group);\n',
    replace: `      for (const { resolve } of group) resolve();
      await this.writeGroup(epoch, group);
`,
  },
  {
    name: 'failed-sync-retried',
    file: 'src/storage/wal-segments.ts',
    find: '      await this.giveUp(segment, error);\n      throw error;\n    }\n    segment.isDurable',
    replace: '      await segment.file.sync();\n    }\n    segment.isDurable',
  },
  {
    name: 'half-write-stays',
    file: 'src/storage/wal-segments.ts',
    find: 'await segment.file.truncate(segment.bytes);',
    replace: '',
  },
  {
    name: 'checksum-ignored',
    file: 'src/storage/wal-reader.ts',
    find: 'return checksum === header.payloadChecksum;',
    replace: 'return checksum === header.payloadChecksum || true;',
  },
  {
    name: 'torn-tail-stays',
    file: 'src/storage/replay.ts',
    find: '  if (end < size) await cut(context, segment, end, isEnd);\n',
    replace: '',
  },
  {
    name: 'refused-segments-count',
    file: 'src/storage/found-segments.ts',
    find: 'return previous.sequence < sequence ? 0 : size;',
    replace: 'return size;',
  },
  {
    name: 'retry-not-recognized',
    file: 'src/storage/head.ts',
    find: "if (this.holds(ref, head.timeNanos, head.contentHash)) return 'known';",
    replace: '',
  },
];
