// Writes the samples in blocks as files for other tools.
import { AppError } from '../../../src/base/errors.ts';
import type { File, Files } from '../../../src/base/files.ts';
import type { ArrowCompression } from '../../../src/formats/sample-table/arrow-file.ts';
import type { SampleTable } from '../../../src/formats/sample-table/sample-table.ts';
import type { Block } from '../../../src/storage/block/block.ts';
import { SampleRows } from './sample-rows.ts';

/** Rows per row group or Arrow file: about 20 MB in memory. */
const tableRows = 262_144;

export type ExportFormat = 'parquet' | 'arrow';

/** Files and rows written for a block. */
export interface ExportedBlock {
  readonly files: readonly string[];
  rows: number;
  /** Messages about data that could not be read. */
  readonly missing: string[];
}

/**
 * Writes `<id>.parquet`, or `<id>-1.arrow`, `<id>-2.arrow` and so on, to a folder. `compression`
 * applies to Arrow files.
 *
 * Errors: AppError 'failed-precondition' if a file exists already; I/O errors.
 */
export async function exportBlock(
  files: Files,
  block: Block,
  folder: string,
  format: ExportFormat,
  compression: ArrowCompression,
): Promise<ExportedBlock> {
  const names: string[] = [];
  const result = { files: names, rows: 0, missing: [] as string[] };
  const tables = readTables(block, result.missing);
  if (format === 'parquet') {
    const name = `${block.id}.parquet`;
    names.push(name);
    await withFile(files, `${folder}/${name}`, async (file) => {
      // The Parquet library is loaded on demand, because it has 50 modules that only this command
      // needs.
      const { ParquetFile } = await import('../../../src/formats/sample-table/parquet-file.ts');
      const parquet = new ParquetFile((bytes) => file.append(bytes), 'parcatool');
      for await (const table of tables) {
        result.rows += table.rowCount;
        await parquet.write(table);
      }
      await parquet.finish();
    });
    return result;
  }
  // The Arrow library is loaded on demand, because loading it takes 80 ms.
  const { encodeArrowFile } = await import('../../../src/formats/sample-table/arrow-file.ts');
  for await (const table of tables) {
    const name = `${block.id}-${names.length + 1}.arrow`;
    names.push(name);
    result.rows += table.rowCount;
    await withFile(files, `${folder}/${name}`, async (file) => {
      await file.append(await encodeArrowFile(table, compression));
    });
  }
  return result;
}

async function* readTables(block: Block, missing: string[]): AsyncGenerator<SampleTable> {
  const rows = new SampleRows(await block.dictionary(), tableRows);
  for await (const stream of block.streams((sentence) => missing.push(sentence))) {
    for await (const chunk of stream.chunks()) yield* rows.add(stream.key, chunk);
  }
  const last = rows.finish();
  if (last !== undefined) yield last;
}

async function withFile(
  files: Files,
  path: string,
  write: (file: File) => Promise<void>,
): Promise<void> {
  if (await files.exists(path)) {
    throw new AppError('failed-precondition', `cannot write ${path}: it is there already`);
  }
  const file = await files.open(path, { create: true });
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
