// Tests of the pprof decoder: against protobufjs on real profiles, on unusual forms of the wire
// format, and on broken bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type Long from 'long';
import protobuf from 'protobufjs';
import { AppError } from '../../base/errors.ts';
import { rounds } from '../../base/testing/rounds.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { DecodeError } from '../decode-error.ts';
import { openContent } from '../gzip.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';
import { PprofColumns } from './columns.ts';
import { decodePprof } from './decode.ts';
import { profileText, validateProfile } from './validate.ts';

const testdata = new URL('testdata/', import.meta.url);
const profileType = protobuf
  .parse(readFileSync(new URL('profile.proto', testdata), 'utf8'))
  .root.lookupType('perftools.profiles.Profile');

function readProfile(name: string): Uint8Array {
  return openContent(readFileSync(new URL(`${name}.pb.gz`, testdata))).bytes;
}

type Message = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Message[] => (Array.isArray(value) ? value : []);
const int = (value: unknown): bigint => BigInt((value as Long | number).toString());
const ints = (value: unknown): bigint[] => (Array.isArray(value) ? value : []).map(int);

function halves(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Checks that columns contain what protobufjs reads from the same bytes. */
function checkEqual(columns: PprofColumns, message: Message): void {
  const samples = list(message.sample);
  assert.equal(columns.sampleCount, samples.length);
  samples.forEach((sample, row) => {
    const { frameStart, valueStart, labelStart } = columns;
    const frames = columns.frameLocation.slice(frameStart[row], frameStart[row + 1]);
    assert.deepEqual([...frames].map(BigInt), ints(sample.locationId));
    const values = columns.values.slice(valueStart[row], valueStart[row + 1]);
    assert.deepEqual([...values], ints(sample.value));
    const labels = list(sample.label);
    assert.equal(labelStart[row + 1] - labelStart[row], labels.length);
    labels.forEach((label, i) => {
      const at = labelStart[row] + i;
      assert.equal(BigInt(columns.labelKey[at]), int(label.key));
      assert.equal(BigInt(columns.labelText[at]), int(label.str));
      assert.equal(columns.labelNumber[at], int(label.num));
      assert.equal(BigInt(columns.labelUnit[at]), int(label.numUnit));
    });
  });
  checkSymbols(columns, message);
  assert.equal(columns.timeNanos, int(message.timeNanos));
  assert.equal(columns.durationNanos, int(message.durationNanos));
  assert.equal(columns.period, int(message.period));
}

function checkSymbols(columns: PprofColumns, message: Message): void {
  const locations = list(message.location);
  assert.equal(columns.locationCount, locations.length);
  locations.forEach((location, i) => {
    const row = i + 1;
    assert.equal(BigInt(columns.locationId[row]), int(location.id));
    assert.equal(BigInt(columns.locationMapping[row]), int(location.mappingId));
    const address = halves(columns.addressLow[row], columns.addressHigh[row]);
    assert.equal(address, int(location.address));
    const lines = list(location.line);
    assert.equal(columns.lineStart[row + 1] - columns.lineStart[row], lines.length);
    lines.forEach((line, j) => {
      const at = columns.lineStart[row] + j;
      assert.equal(BigInt(columns.lineFunction[at]), int(line.functionId));
      assert.equal(BigInt(columns.lineNumber[at]), int(line.line));
    });
  });
  const functions = list(message.function);
  assert.equal(columns.functionCount, functions.length);
  functions.forEach((fn, i) => {
    assert.equal(BigInt(columns.functionName[i + 1]), int(fn.name));
    assert.equal(BigInt(columns.functionSystemName[i + 1]), int(fn.systemName));
    assert.equal(BigInt(columns.functionFile[i + 1]), int(fn.filename));
    assert.equal(BigInt(columns.functionStartLine[i + 1]), int(fn.startLine));
  });
  const mappings = list(message.mapping);
  assert.equal(columns.mappingCount, mappings.length);
  mappings.forEach((mapping, i) => {
    const { mappingStartLow, mappingStartHigh, mappingLimitLow, mappingLimitHigh } = columns;
    const start = halves(mappingStartLow[i + 1], mappingStartHigh[i + 1]);
    assert.equal(start, int(mapping.memoryStart));
    const limit = halves(mappingLimitLow[i + 1], mappingLimitHigh[i + 1]);
    assert.equal(limit, int(mapping.memoryLimit));
    assert.equal(BigInt(columns.mappingBuildId[i + 1]), int(mapping.buildId));
  });
  const strings = message.stringTable as readonly string[];
  assert.equal(columns.stringCount, strings.length);
  strings.forEach((text, i) => assert.equal(profileText(columns, i), text));
}

function decode(bytes: Uint8Array): PprofColumns {
  const columns = new PprofColumns();
  decodePprof(bytes, columns);
  return columns;
}

test('real profiles decode to what protobufjs reads, in columns that are used again', () => {
  const columns = new PprofColumns();
  for (const name of ['go-cpu', 'go-heap', 'go-cpu']) {
    const bytes = readProfile(name);
    decodePprof(bytes, columns);
    validateProfile(columns);
    checkEqual(columns, profileType.decode(bytes) as unknown as Message);
  }
});

test('a message without slack after it is read to its last byte', () => {
  const bytes = readProfile('go-heap');
  const tight = new Uint8Array(bytes);
  checkEqual(decode(tight), profileType.decode(tight) as unknown as Message);
});

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('values and numbers of labels are exact over all of int64', () => {
  fc.assert(
    fc.property(
      fc.array(int64, { minLength: 1, maxLength: 30 }),
      fc.boolean(),
      (values, packed) => {
        const writer = new ProtobufWriter();
        const sample = writer.begin(2);
        const start = packed ? writer.begin(2) : 0;
        for (const value of values) {
          if (!packed) writer.varint(0x10);
          writer.varint64(value);
        }
        if (packed) writer.end(start);
        const label = writer.begin(3);
        writer.int64(3, values[0]);
        writer.end(label);
        writer.end(sample);
        const columns = decode(writer.finish());
        assert.deepEqual(Array.from(columns.values.slice(0, columns.valueCount)), values);
        assert.equal(columns.labelNumber[0], values[0]);
      },
    ),
  );
});

test('location ids: packed, single, and both in one sample', () => {
  const ids = fc.array(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { maxLength: 40 });
  fc.assert(
    fc.property(ids, ids, (packed, single) => {
      const writer = new ProtobufWriter();
      const sample = writer.begin(2);
      const start = writer.begin(1);
      for (const id of packed) writer.varint(id);
      writer.end(start);
      for (const id of single) writer.uint(1, id);
      writer.end(sample);
      const columns = decode(writer.finish());
      const frames = columns.frameLocation.slice(0, columns.frameCount);
      assert.deepEqual([...frames], [...packed, ...single]);
    }),
  );
});

test('fields come in any order, unknown fields are skipped', () => {
  const writer = new ProtobufWriter();
  const location = writer.begin(4);
  const line = writer.begin(4);
  writer.uint(2, 300_000);
  writer.uint(1, 7);
  writer.end(line);
  writer.uint64(3, 0x9abc_def0, 0xffff_ffff);
  writer.uint(2, 1);
  writer.uint(1, 70_000);
  writer.uint(9, 5);
  writer.bytesField(10, Uint8Array.of(1, 2, 3));
  writer.end(location);
  writer.uint(100, 1);
  for (const fixed of [
    [0x81, 0x0c, 1, 2, 3, 4, 5, 6, 7, 8],
    [0x85, 0x0c, 1, 2, 3, 4],
  ]) {
    for (const byte of fixed) writer.varint(byte & 0x7f);
    const { bytes, pos } = writer;
    bytes.set(fixed, pos - fixed.length);
  }
  writer.bytesField(6, new Uint8Array(0));
  const columns = decode(writer.finish());
  assert.equal(columns.locationId[1], 70_000);
  assert.equal(columns.locationMapping[1], 1);
  assert.equal(halves(columns.addressLow[1], columns.addressHigh[1]), 0xffff_ffff_9abc_def0n);
  assert.equal(columns.lineFunction[0], 7);
  assert.equal(columns.lineNumber[0], 300_000);
  assert.equal(columns.stringCount, 1);
});

test('a period type in two pieces is merged; line numbers beyond int32 are unknown', () => {
  const writer = new ProtobufWriter();
  for (const field of [1, 2]) {
    const type = writer.begin(11);
    writer.uint(field, 4 + field);
    writer.end(type);
  }
  const location = writer.begin(4);
  for (const number of [-5n, 2n ** 40n, 2n ** 31n - 1n]) {
    const line = writer.begin(4);
    writer.int64(2, number);
    writer.end(line);
  }
  writer.end(location);
  const columns = decode(writer.finish());
  assert.deepEqual([columns.periodTypeType, columns.periodTypeUnit], [5, 6]);
  assert.deepEqual(Array.from(columns.lineNumber.slice(0, 3)), [-5, 0, 2 ** 31 - 1]);
});

function checkFails(bytes: readonly number[], message: RegExp): void {
  assert.throws(
    () => decode(Uint8Array.from(bytes)),
    (error: unknown) => {
      assert.ok(error instanceof DecodeError, String(error));
      assert.equal(error.code, 'invalid-argument');
      assert.match(error.message, message);
      assert.match(error.message, /^failed to parse profile: .* at byte \d+$/);
      return true;
    },
  );
}

test('broken wire format is refused with what and where', () => {
  checkFails([...Buffer.from('<!doctype html><p>hello</p>')], /wrong wire type 4 for field 7/);
  checkFails([0x12], /a field passes the end|passes the end/);
  checkFails([0x12, 0x05, 0x0a], /length of 5 bytes passes the end at byte 2/);
  checkFails([0x48, 0x80], /a field passes the end of its message/);
  checkFails([0x48, ...Array.from({ length: 11 }, () => 0xff)], /varint longer than 64 bits/);
  checkFails([0x00, 0x01], /invalid field number/);
  checkFails([0x0d, 1, 2, 3, 4], /wrong wire type 5 for field 1/);
  checkFails([0x10, 0x01], /wrong wire type 0 for field 2/);
  checkFails([0x12, 0x02, 0x0b, 0x01], /wrong wire type 3 for field 1/);
  checkFails([0x22, 0x02, 0x0a, 0x00], /wrong wire type 2 for field 1/);
  checkFails([0x22, 0x03, 0x22, 0x05, 0x08], /passes the end|wrong wire type/);
  checkFails([0x32, 0xff, 0xff, 0xff, 0xff, 0x0f], /length of over 2\^31 bytes/);
  checkFails([0x12, 0x03, 0x12, 0x01, 0x80, 0x01], /a field passes the end of its message/);
  checkFails([0x83, 0x01], /unknown wire type 3 of field 16/);
});

test('counts are limited', () => {
  const checkLimit = (write: (writer: ProtobufWriter) => void, message: RegExp): void => {
    const writer = new ProtobufWriter();
    write(writer);
    assert.throws(
      () => decode(writer.finish()),
      (error: unknown) =>
        error instanceof AppError &&
        error.code === 'resource-exhausted' &&
        message.test(error.message),
    );
  };
  const writeSample = (field: number, count: number) => (writer: ProtobufWriter) => {
    const sample = writer.begin(2);
    const packed = writer.begin(field);
    for (let i = 0; i < count; i += 1) writer.varint(1);
    writer.end(packed);
    writer.end(sample);
  };
  checkLimit(writeSample(1, 8_193), /a sample has more than 8192 frames/);
  checkLimit(writeSample(2, 33), /a sample has more than 32 values/);
  checkLimit((writer) => {
    for (let i = 0; i < 33; i += 1) writer.bytesField(1, new Uint8Array(0));
  }, /more than 32 sample types/);
});

test('mutated real profiles are read or refused, and never anything else', () => {
  const seed = Number(process.env.TEST_SEED ?? 1);
  const random = seededRandom(seed);
  const columns = new PprofColumns();
  const originals = [readProfile('go-heap'), readProfile('go-cpu').slice(0, 20_000)];
  let refused = 0;
  const mutations = rounds(2_000, 100_000);
  for (let round = 0; round < mutations; round += 1) {
    const bytes = mutate(originals[round % 2], random);
    try {
      decodePprof(bytes, columns);
      validateProfile(columns);
    } catch (error) {
      assert.ok(error instanceof AppError, `seed ${seed}, round ${round}: ${String(error)}`);
      assert.match(error.message, /^(failed to parse|invalid) profile: /);
      refused += 1;
    }
  }
  assert.ok(refused > mutations / 4, `only ${refused} of ${mutations} were refused`);
});

function mutate(original: Uint8Array, random: ReturnType<typeof seededRandom>): Uint8Array {
  const cut = randomBelow(random, 4) === 0 ? randomBelow(random, original.length) : original.length;
  const bytes = original.slice(0, cut);
  for (let flips = randomBelow(random, 4); flips >= 0; flips -= 1) {
    const at = randomBelow(random, bytes.length);
    const kind = randomBelow(random, 3);
    if (kind === 0) bytes[at] ^= 1 << randomBelow(random, 8);
    else if (kind === 1) bytes[at] = randomBelow(random, 256);
    else bytes.copyWithin(at, randomBelow(random, bytes.length), randomBelow(random, bytes.length));
  }
  return bytes;
}
