// Tests of gunzip with a bounded output, and of the content hash.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, gzipSync } from 'node:zlib';
import { AppError, type ErrorCode } from '../base/errors.ts';
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

/** A gzip stream whose trailer claims `length` bytes. */
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

test('several members are one content with the hash of the whole', () => {
  const upload = Buffer.concat([gzipSync(text.subarray(0, 100)), gzipSync(text.subarray(100))]);
  const content = openContent(upload);
  assert.deepEqual(Buffer.from(content.bytes), text);
  assert.equal(content.hash, openContent(text).hash);
});

test('content larger than a first guess of its size', () => {
  // 100 times as large as its gzip: the first guess is 64 times.
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
