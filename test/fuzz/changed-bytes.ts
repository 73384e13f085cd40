// Gives damaged inputs to readers; each input must be read, or refused with one of our errors.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../src/base/errors.ts';
import { type Random, randomBelow } from '../../src/base/random.ts';
import { withinCpuTime } from './cpu-time.ts';

/** CPU milliseconds that one input of about 10 KB may take. */
const millisMax = 1_000;
/** Number of inputs in one turn of the event loop. */
const turnInputs = 1_000;
/** Bytes by which the memory of the process may grow in total. */
const memoryBytesMax = 1024 * 1024 * 1024;
/** Numbers at which lengths and offsets often go wrong. */
const edges = [0, 1, -1, 2, 7, 8, 255, 65_535, 2 ** 31 - 1, -(2 ** 31), 1_000_000, 1_000_001];

/** Returns a copy with some bytes changed, removed or repeated. */
export function changed(bytes: Uint8Array, by: Random): Uint8Array<ArrayBuffer> {
  let copy = Buffer.from(bytes);
  for (let i = 1 + randomBelow(by, 1 + randomBelow(by, 6)); i > 0 && copy.length > 8; i -= 1) {
    const at = randomBelow(by, copy.length - 4);
    const kind = randomBelow(by, 8);
    if (kind < 3) copy[at] = randomBelow(by, 256);
    else if (kind < 6) copy.writeInt32LE(edges[randomBelow(by, edges.length)], at & ~3);
    else if (kind === 6) copy.copyWithin(at, randomBelow(by, copy.length));
    else if (randomBelow(by, 4) === 0) copy = copy.subarray(0, at);
  }
  return new Uint8Array(copy);
}

/**
 * Makes inputs and reads them, for `seconds`; prints counts as JSON. Throws for errors that are not
 * ours, and for inputs that take too much time or memory.
 */
export async function runTarget(
  make: () => () => void | Promise<void>,
  seconds: number,
): Promise<void> {
  const counts = { inputs: 0, read: 0, refused: 0 };
  const startBytes = process.memoryUsage().rss;
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    // Node frees native memory, such as that of LZ4 frames, only between turns of its event loop.
    if (counts.inputs % turnInputs === 0) await setImmediate();
    const read = make();
    counts.inputs += 1;
    await withinCpuTime(millisMax, async () => {
      try {
        await read();
        counts.read += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const codes = ['invalid-argument', 'resource-exhausted', 'unimplemented'];
        assert.ok(codes.includes(error.code), error.message);
        assert.match(error.message, /./);
        counts.refused += 1;
      }
    });
  }
  const grownBytes = process.memoryUsage().rss - startBytes;
  assert.ok(grownBytes < memoryBytesMax, `memory grew by ${grownBytes} bytes`);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}
