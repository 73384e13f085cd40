// Writes tables of samples as a Parquet file with one row group for each table. Strings are stored
// in dictionaries, and pages are compressed with zstd.
import { zstdCompressSync } from '../../base/threads/zlib.ts';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { sampleColumns, type SampleTable } from './sample-table.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

const schema: Schema = [
  { name: 'samples', num_children: sampleColumns.length },
  ...sampleColumns.map(({ name, kind }): Schema[number] =>
    kind === 'integer'
      ? { name, type: 'INT64', repetition_type: 'REQUIRED' }
      : { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
  ),
];

/** A file that is being written; `append` is called with its bytes, in order. */
export class ParquetFile {
  readonly #append: (bytes: Uint8Array) => Promise<void>;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;

  constructor(append: (bytes: Uint8Array) => Promise<void>, createdBy: string) {
    this.#append = append;
    const compressors = { ZSTD: (input: Uint8Array) => zstdCompressSync(input) };
    const codec = 'ZSTD';
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema,
      codec,
      compressors,
      createdBy,
    });
  }

  /** Adds a row group. */
  async write(table: SampleTable): Promise<void> {
    const columnData = sampleColumns.map((column) => {
      const { name } = column;
      if (column.kind === 'integer') return { name, data: table[column.field] };
      const { indices, texts } = table[column.field];
      const data = Array.from(indices, (row) => texts[row]);
      return { name, data };
    });
    await this.#writer.write({ columnData, rowGroupSize: Math.max(1, table.rowCount) });
    await this.#flush();
  }

  /** Writes the footer. */
  async finish(): Promise<void> {
    await this.#writer.finish();
    await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#append(this.#bytes.getBytes().slice());
    this.#bytes.index = 0;
  }
}
