// `parcatool data copy`: moves the profiles of a data directory to ClickHouse.
import { silentLogger } from '../../../src/base/logger.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import type { Files } from '../../../src/base/files.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { createRandom } from '../../../src/base/node/random.ts';
import { copyBlock } from '../../../src/storage/offline/copy-blocks.ts';
import { openStore } from '../../../src/storage/store/open-store.ts';
import { type ClickHouseFlags, clickHousePassword } from '../../clickhouse-flags.ts';

/** Outcome of a copy. */
export interface CopyReport {
  readonly blocks: number;
  /** Blocks that an earlier copy to the same place has done. */
  readonly skipped: number;
  readonly profiles: number;
  readonly rows: number;
  readonly missing: readonly string[];
}

/**
 * Copies each block, notes it in the directory when everything of it has arrived, and passes over
 * those that are noted. The log is cut into blocks first.
 *
 * Errors: those of openStore and of ClickHouse.
 */
export async function copyToClickHouse(
  files: Files,
  path: string,
  flags: ClickHouseFlags,
): Promise<CopyReport> {
  const machine = {
    ...{ files, clock: createClock(), random: createRandom() },
    ...{ logger: silentLogger, metrics: noMetrics },
  };
  const password = await clickHousePassword(files, flags);
  const { openClickHouse } = await import('../../../src/storage/clickhouse/open.ts');
  const store = await openStore({ ...machine, path });
  try {
    await store.rotate();
    const target = await openClickHouse(machine, { ...flags, password, keepNanos: 0n });
    try {
      const notes = await openNotes(files, `${path}/copied-to-${flags.database}`);
      const report = { blocks: 0, skipped: 0, profiles: 0, rows: 0, missing: [] as string[] };
      for (const block of store.blocks()) {
        const mark = `${flags.urls.join()} ${block.id}`;
        if (notes.has(mark)) {
          report.skipped += 1;
          continue;
        }
        const { profileCount, rowCount, missing } = await copyBlock(block, target);
        report.blocks += 1;
        report.profiles += profileCount;
        report.rows += rowCount;
        report.missing.push(...missing);
        if (missing.length === 0) await notes.add(mark);
      }
      return report;
    } finally {
      await target.close();
    }
  } finally {
    await store.close();
  }
}

/** A file of lines that only grows. */
async function openNotes(
  files: Files,
  path: string,
): Promise<{ has(line: string): boolean; add(line: string): Promise<void> }> {
  const text = (await files.exists(path)) ? new TextDecoder().decode(await files.read(path)) : '';
  const lines = new Set(text.split('\n'));
  return {
    has: (line) => lines.has(line),
    async add(line) {
      const file = await files.open(path, { create: true });
      try {
        await file.append(new TextEncoder().encode(`${line}\n`));
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
