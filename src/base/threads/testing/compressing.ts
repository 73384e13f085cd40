// A thread that does nothing but what it must not be ended in, and says when it begins.
import { parentPort } from 'node:worker_threads';
import { gzip, zstdCompressSync, zstdDecompressSync } from '../zlib.ts';

/** Their callbacks never come, so that they are under way when the thread ends; each takes memory. */
const startedMax = 100;
const raw = new Uint8Array(200);
const stored = zstdCompressSync(raw);
parentPort?.postMessage('begins');
for (let round = 0; ; round += 1) {
  zstdDecompressSync(stored, {});
  if (round < startedMax) void gzip(raw);
}
