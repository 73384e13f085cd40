// The answer to samples of schema v1: the ids of the stacks that the server requests.
import { encodeNestedStream } from '../arrow/ipc-stream.ts';
import { strings } from '../arrow/nested-column.ts';
import { readStackIds, versionKey } from './record-reader.ts';

/** Encodes a stream with the single column `stacktrace_id`, uncompressed, as Parca sends it. */
function encodeStackIds(ids: readonly Uint8Array[]): Uint8Array {
  const column = strings('stacktrace_id', ids, false);
  return encodeNestedStream([column], ids.length, [[versionKey, 'v1']], undefined);
}

/**
 * Answers samples of schema v1 with the ids of their stacks; undefined if the samples have more
 * than `plainBytesMax` bytes after decompression. Errors: as in readRecord.
 */
export function answerStackIds(
  samples: Uint8Array,
  plainBytesMax?: number,
): Uint8Array | undefined {
  const ids = readStackIds(samples, plainBytesMax);
  return ids && encodeStackIds(ids);
}
