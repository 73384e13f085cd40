// Reads damaged gRPC frames, base64 of gRPC-Web and compressed messages: node test/fuzz/frames.ts
// TARGET SEED SECONDS
import assert from 'node:assert/strict';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decodeMessage } from '../../src/api/transport/call/request-body.ts';
import { RequestMemory } from '../../src/api/transport/call/request-memory.ts';
import {
  type Frame,
  frameMessage,
  FrameReader,
} from '../../src/api/transport/grpc/message-frames.ts';
import { decodeBase64Groups } from '../../src/api/transport/grpc/web.ts';
import { inflatedBytesMax } from '../../src/base/input-limits.ts';
import { finishAtOnce } from '../../src/base/pacer.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { loadLz4Frames } from '../../src/formats/arrow/lz4-frame.ts';
import { openContent } from '../../src/formats/gzip.ts';
import { unpack } from '../../src/formats/unpack.ts';
import { changed, runTarget } from './changed-bytes.ts';

const [target, seedText, secondsText] = process.argv.slice(2);
const random = seededRandom(Number(seedText));
const below = (count: number): number => randomBelow(random, count);
const messageBytesMax = 20_000;
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const alphabet = 'ABCDwxyz0189+/-_=== \n\u00ff';

/** Returns random bytes; some results compress well, others do not. */
function content(lengthMax: number): Buffer {
  const length = below(lengthMax);
  const step = 1 + below(40);
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i % step === 0 ? below(256) : i & 7)));
}

/** Cuts bytes into chunks of random lengths. */
function cutIntoChunks(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = from + 1 + below(below(4) === 0 ? 4 : 3_000);
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return chunks;
}

/** Reads all frames in chunks; the reader looks for frames after each chunk. */
function readFrames(chunks: readonly Uint8Array[]): (readonly [boolean, string])[] {
  const reader = new FrameReader(messageBytesMax);
  const frames: (readonly [boolean, string])[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    let frame: Frame | undefined;
    while ((frame = reader.next()) !== undefined) {
      assert.ok(frame.bytes.length <= messageBytesMax);
      frames.push([frame.compressed, Buffer.from(frame.bytes).toString('latin1')]);
    }
  }
  return frames;
}

/** Returns the result of a function, or the message of its error. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

/** Decodes base64 group by group, as the format specifies. */
function decodeSlowly(text: string): Buffer {
  const pieces = text.match(/[^=]+=*/g) ?? [];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
}

const compressLz4 = await loadLz4Frames();
const compressors: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
  ['deflate', deflateSync],
  ['br', (bytes) => brotliCompressSync(bytes, fastBrotli)],
  ['lz4', compressLz4],
];

/** Targets; each makes an input, and returns a function that reads it. */
const targets: Readonly<Record<string, () => () => void | Promise<void>>> = {
  grpc() {
    const frames = Array.from({ length: below(5) }, () => frameMessage(content(4_000), below(2)));
    const whole = Buffer.concat(frames);
    const input = below(4) === 0 ? whole : changed(whole, random);
    const chunks = cutIntoChunks(input);
    return () => {
      const inPieces = outcome(() => readFrames(chunks));
      assert.deepEqual(
        inPieces,
        outcome(() => readFrames([input])),
      );
      readFrames([input]);
    };
  },
  'grpc-web-text'() {
    const pieces = Array.from({ length: 1 + below(6) }, () =>
      below(3) === 0
        ? Array.from({ length: below(200) }, () => alphabet[below(alphabet.length)]).join('')
        : frameMessage(content(300)).toString('base64'),
    );
    const text = pieces.join('');
    return () => {
      const bytes = finishAtOnce(decodeBase64Groups(Buffer.from(text, 'latin1')));
      assert.deepEqual(bytes, decodeSlowly(text));
      readFrames([bytes]);
    };
  },
  compressed() {
    const [encoding, compress] = compressors[below(compressors.length)];
    const parts = Array.from({ length: 1 + below(3) }, () =>
      compress(below(8) === 0 ? Buffer.alloc(below(1 << 22)) : content(60_000)),
    );
    const whole = Buffer.concat(parts);
    const input = below(4) === 0 ? whole : changed(whole, random);
    const memory = new RequestMemory(
      { bytesMax: 1 << 30, connectionBytesMax: 1 << 30 },
      { add: () => undefined },
    );
    const check = (output: Uint8Array): void =>
      assert.ok(output === input || output.length <= inflatedBytesMax(input.length));
    return async () => {
      const lease = memory.lease({});
      try {
        if (encoding !== 'lz4') check(await decodeMessage(input, encoding, 1 << 26, lease));
      } finally {
        lease.release();
        assert.equal(memory.usedBytes, 0);
      }
      check(openContent(input).bytes);
      check(unpack(input, { what: 'cannot read profile' }));
    };
  },
};

await runTarget(targets[target], Number(secondsText));
