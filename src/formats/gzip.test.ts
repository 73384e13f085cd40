// Tests of gunzip with a bounded output, and of the content hash.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { compressFrameSync } from 'lz4-napi';
import { AppError, type ErrorCode } from '../base/errors.ts';
import { storeFrame } from './arrow/lz4-frame.ts';
import { openContent } from './gzip.ts';

const text = Buffer.from('the content of a profile '.repeat(500));

function checkFails(upload: Uint8Array, code: ErrorCode, message: RegExp, limit?: number): void {
  assert.throws(
    () => openContent(upload, limit),
    (error: unknown) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    },
  );
}

/** Returns a gzip stream whose trailer claims `length` bytes. */
function withClaimedLength(gzipped: Uint8Array, length: number): Buffer {
  const bytes = Buffer.from(gzipped);
  bytes.writeUInt32LE(length, bytes.length - 4);
  return bytes;
}

test('plain content is taken as it is, gzip is opened; both have one hash', () => {
  const hash = (BigInt(text.length) << 32n) | BigInt(crc32(text));
  for (const upload of [
    text,
    gzipSync(text),
    gzipSync(text, { level: 1 }),
    gzipSync(text, { level: 9 }),
  ]) {
    const content = openContent(upload);
    assert.deepEqual(Buffer.from(content.bytes), text);
    assert.equal(content.hash, hash);
  }
  assert.equal(openContent(text).bytes, text);
});

test('compression of every kind is undone, also twice, and the hash is that of the content', () => {
  const { hash } = openContent(text);
  const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
  const uploads: readonly Uint8Array[] = [
    zstdCompressSync(text),
    Buffer.concat([
      zstdCompressSync(text.subarray(0, 99)),
      skippable,
      zstdCompressSync(text.subarray(99)),
    ]),
    Buffer.concat([skippable, zstdCompressSync(text)]),
    deflateSync(text),
    storeFrame(text),
    compressFrameSync(text),
    gzipSync(gzipSync(text)),
    gzipSync(zstdCompressSync(text)),
    zstdCompressSync(gzipSync(text)),
    compressFrameSync(Buffer.from(gzipSync(gzipSync(text)))),
  ];
  for (const [i, upload] of uploads.entries()) {
    const content = openContent(upload);
    assert.deepEqual(Buffer.from(content.bytes), text, String(i));
    assert.equal(content.hash, hash);
  }
  const four = gzipSync(gzipSync(gzipSync(gzipSync(text))));
  checkFails(four, 'invalid-argument', /it is compressed more than 3 times/);
});

test('what is no profile is refused by its name', () => {
  const check = (start: readonly (number | string)[], why: RegExp): void =>
    checkFails(
      Buffer.concat(start.map((part) => Buffer.from(typeof part === 'string' ? part : [part]))),
      'invalid-argument',
      why,
    );
  check(['BZh91AY&SY', 0], /failed to parse profile: it is compressed by bzip2; decompress it/);
  check([0xfd, '7zXZ', 0, 1], /it is compressed by xz/);
  check([0x1f, 0x9d, 0x90], /compress \(\.Z\)/);
  check([0xff, 6, 0, 0, 'sNaPpY'], /it is compressed by Snappy/);
  check(['PK', 3, 4, 0], /it is a ZIP archive/);
  check([0x7f, 'ELF', 2], /it is a program \(ELF\)/);
  check(['PERFILE2', 0], /send the output of `perf script`/);
  check([4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0], /cannot decompress it: .*LZ4 frame/);
  check([0x28, 0xb5, 0x2f, 0xfd, 0], /cannot decompress it/);
});

test('layers together grow as much as one may', () => {
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  const bombs = [gzipSync(gzipSync(zeros)), zstdCompressSync(gzipSync(zeros)), deflateSync(zeros)];
  for (const bomb of [...bombs, compressFrameSync(Buffer.from(gzipSync(zeros)))]) {
    checkFails(bomb, 'resource-exhausted', /larger than the limit of \d+ bytes/);
  }
  checkFails(compressFrameSync(zeros), 'resource-exhausted', /larger than the limit/, 4_000_000);
});

test('several members are one content with the hash of the whole', () => {
  const upload = Buffer.concat([gzipSync(text.subarray(0, 100)), gzipSync(text.subarray(100))]);
  const content = openContent(upload);
  assert.deepEqual(Buffer.from(content.bytes), text);
  assert.equal(content.hash, openContent(text).hash);
});

test('content larger than a first guess of its size', () => {
  // The content is 100 times as large as its compressed form; the first guess is 64 times.
  const mixed = Buffer.from(
    Array.from({ length: 30_000 }, (_, i) => (i * i * 2_654_435_761) >>> 24),
  );
  const large = Buffer.concat([mixed, Buffer.alloc(3_000_000, 'x')]);
  assert.equal(openContent(gzipSync(large)).bytes.length, large.length);
});

test('nothing, and gzip of nothing', () => {
  checkFails(new Uint8Array(0), 'invalid-argument', /failed to parse profile: it is empty/);
  checkFails(gzipSync(''), 'invalid-argument', /failed to parse profile: it is empty/);
});

test('truncated and corrupt gzip', () => {
  const gzipped = gzipSync(text);
  const corrupt = Buffer.from(gzipped);
  corrupt[20] ^= 0xff;
  for (const cut of [2, 10, 17, 18, gzipped.length - 9, gzipped.length - 1]) {
    checkFails(
      gzipped.subarray(0, cut),
      'invalid-argument',
      /^failed to parse profile: cannot gunz/,
    );
  }
  checkFails(corrupt, 'invalid-argument', /^failed to parse profile: cannot gunzip/);
  checkFails(withClaimedLength(gzipped, 5), 'invalid-argument', /incorrect length check/);
  checkFails(withClaimedLength(gzipped, 0xffff_ffff), 'invalid-argument', /incorrect length check/);
});

test('content over the limit, gzipped or not', () => {
  checkFails(gzipSync(text), 'resource-exhausted', /larger than the limit of 1000 bytes/, 1000);
  checkFails(text, 'resource-exhausted', /the limit is 1000/, 1000);
  assert.equal(openContent(gzipSync(text), text.length).bytes.length, text.length);
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  checkFails(bomb, 'resource-exhausted', /larger than the limit/, 1_000_000);
  const share = new RegExp(`limit of ${bomb.length * 200} bytes`);
  checkFails(bomb, 'resource-exhausted', share);
});
