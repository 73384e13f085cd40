// A table of samples -> an Arrow IPC stream, texts as dictionaries.
import type { ArrowColumn, BinaryValues } from '../arrow/column.ts';
import { encodeIpcStream } from '../arrow/ipc-stream.ts';
import type { FrameCompressor } from '../arrow/lz4-frame.ts';
import { sampleColumns, type SampleTable } from './sample-table.ts';

export function encodeSamplesArrow(table: SampleTable, compress: FrameCompressor): Uint8Array {
  const columns = sampleColumns.map((column): ArrowColumn => {
    const { name } = column;
    if (column.kind === 'integer') return { kind: 'integer', name, values: table[column.field] };
    const { indices, texts } = table[column.field];
    // Arrow's readers expect signed rows of dictionaries.
    const signed = new Int32Array(indices.buffer, indices.byteOffset, indices.length);
    const dictionary = binaryOf(texts);
    return { kind: 'dictionary', name, indices: signed, dictionary, isText: true };
  });
  return encodeIpcStream(columns, table.rowCount, compress);
}

function binaryOf(texts: readonly string[]): BinaryValues {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const offsets = new Int32Array(texts.length + 1);
  encoded.forEach((bytes, i) => {
    offsets[i + 1] = offsets[i] + bytes.length;
  });
  return { offsets, data: Buffer.concat(encoded) };
}
