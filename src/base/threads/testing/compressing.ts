// A thread that does nothing but what it must not be ended in, and says when it begins.
import { parentPort } from 'node:worker_threads';
import { gunzip, gzipSync, zstdCompressSync, zstdDecompressSync } from '../zlib.ts';

const raw = new Uint8Array(200);
const stored = zstdCompressSync(raw);
const zipped = gzipSync(raw, {});
void gunzip(zipped, {});
parentPort?.postMessage('begins');
for (;;) {
  zstdDecompressSync(stored, {});
  // Its callback never comes; many of them are begun when the thread ends.
  void gunzip(zipped, {});
}
