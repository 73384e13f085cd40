// Tests of complete remote-write requests. The expected bytes were checked with Prometheus'
// decoders (v0.305).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeWrite, type WrittenSeries } from './write-request.ts';

const name = { name: '__name__', value: 'job:cores' };
const series: readonly WrittenSeries[] = [
  {
    labels: [name, { name: 'job', value: 'a' }],
    timeMillis: [1_700_000_000_000, 1_700_000_060_000],
    values: [0.25, -1.5],
  },
  { labels: [name, { name: 'job', value: 'b' }], timeMillis: [1_700_000_060_000], values: [0] },
];

const first =
  '7cf47b000a450a150a085f5f6e616d655f5f12096a6f623a636f7265730a080a036a6f6212016112' +
  '1009000000000000d03f1080d095ffbc31121009000000000000f8bf10e0a499ffbc310a330a150a' +
  '085f5f6e616d655f5f12096a6f623a636f7265730a080a036a6f6212016212100900000000000000' +
  '0010e0a499ffbc31';

const second =
  '70f46f00220022085f5f6e616d655f5f22096a6f623a636f72657322036a6f622201612201622a2e' +
  '0a0401020304121009000000000000d03f1080d095ffbc31121009000000000000f8bf10e0a499ff' +
  'bc312a0208022a1c0a0401020305121009000000000000000010e0a499ffbc312a020802';

test('requests of both versions', () => {
  assert.equal(Buffer.from(encodeWrite(series, 1)).toString('hex'), first);
  assert.equal(Buffer.from(encodeWrite(series, 2)).toString('hex'), second);
});

test('a long request is cut into literals of 64 KiB', () => {
  const value = 'x'.repeat(150_000);
  const labels = [{ name: 'a', value }];
  const bytes = encodeWrite([{ labels, timeMillis: [0], values: [0] }], 1);
  const [start, literals] = [3, 3];
  const lengths = Array.from({ length: literals }, (_, i) => {
    const at = start + i * (65_536 + 3);
    assert.equal(bytes[at], 61 << 2);
    return bytes[at + 1] + bytes[at + 2] * 256 + 1;
  });
  assert.deepEqual(lengths.slice(0, 2), [65_536, 65_536]);
  assert.equal(bytes.length, start + literals * 3 + lengths.reduce((sum, one) => sum + one, 0));
});
