// Damaged bytes for readers, one input after the other: read, or refused by an error of ours.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../src/base/errors.ts';
import { type Random, randomBelow } from '../../src/base/random.ts';
import { withinCpuTime } from './cpu-time.ts';

/** CPU time of one input, of some 10 KB. */
const millisMax = 1_000;
/** Inputs in one turn of the event loop. */
const turnInputs = 1_000;
/** Growth of the process's memory over all inputs. */
const memoryBytesMax = 1024 * 1024 * 1024;
/** Numbers that lengths and offsets go wrong at. */
const edges = [0, 1, -1, 2, 7, 8, 255, 65_535, 2 ** 31 - 1, -(2 ** 31), 1_000_000, 1_000_001];

/** Returns a copy with some bytes changed, cut out or repeated. */
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
 * Makes inputs and reads them, for `seconds`; prints counts as JSON. Throws for errors that are
 * none of ours, and for inputs that take too much.
 */
export async function runTarget(
  make: () => () => void | Promise<void>,
  seconds: number,
): Promise<void> {
  const counts = { inputs: 0, read: 0, refused: 0 };
  const startBytes = process.memoryUsage().rss;
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    // Node frees memory of native code, such as LZ4 frames, only between turns of its loop.
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
