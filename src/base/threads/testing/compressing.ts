// A thread that constantly does work that must not be interrupted, and reports when it starts.
import { parentPort } from 'node:worker_threads';
import { gzip, zstdCompressSync, zstdDecompressSync } from '../zlib.ts';

/**
 * Maximum number of asynchronous calls in progress. Their callbacks never run, because the thread
 * ends first.
 */
const startedMax = 100;
const raw = new Uint8Array(200);
const stored = zstdCompressSync(raw);
parentPort?.postMessage('begins');
for (let round = 0; ; round += 1) {
  zstdDecompressSync(stored, {});
  if (round < startedMax) void gzip(raw);
}
