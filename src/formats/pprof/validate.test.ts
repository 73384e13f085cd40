// Tests of validation: refusals in Parca's words, unusual ids, and exact sums.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';
import { PprofColumns } from './columns.ts';
import { decodePprof } from './decode.ts';
import { validateProfile } from './validate.ts';

/** Fields of a message by number: numbers, nested messages, or lists of these. */
interface Fields {
  readonly [field: number]:
    | number
    | bigint
    | string
    | Fields
    | readonly (number | bigint | Fields)[];
}

function write(writer: ProtobufWriter, fields: Fields): void {
  for (const [key, content] of Object.entries(fields)) {
    const field = Number(key);
    const parts = Array.isArray(content) ? content : [content];
    for (const part of parts) {
      if (typeof part === 'string') writer.bytesField(field, Buffer.from(part));
      else if (typeof part === 'object') {
        const nested = writer.begin(field);
        write(writer, part);
        writer.end(nested);
      } else {
        // Zeros are also written, because a packed value or an id must not be left out.
        writer.varint(field * 8);
        writer.varint64(BigInt(part));
      }
    }
  }
}

const good: Fields = {
  1: [{ 1: 1, 2: 2 }],
  2: [{ 1: [1, 2], 2: 5, 3: [{ 1: 3, 2: 4 }] }],
  3: [{ 1: 1, 5: 3, 6: 4 }],
  4: [
    { 1: 1, 2: 1, 4: [{ 1: 1 }] },
    { 1: 2, 2: 0, 4: [{ 1: 0 }] },
  ],
  5: [{ 1: 1, 2: 1, 3: 2, 4: 3 }],
};

/** Returns the message `good` with some fields changed and with five strings. */
function message(
  changes: Fields,
  strings: readonly string[] = ['', 'a', 'b', 'c', 'd'],
): Uint8Array {
  const writer = new ProtobufWriter();
  write(writer, { ...good, ...changes });
  for (const text of strings) writer.bytesField(6, Buffer.from(text));
  return writer.finish();
}

function validated(bytes: Uint8Array): PprofColumns {
  const columns = new PprofColumns();
  decodePprof(bytes, columns);
  validateProfile(columns);
  return columns;
}

function checkFails(bytes: Uint8Array, why: string | RegExp): void {
  assert.throws(
    () => validated(bytes),
    (error: unknown) => {
      assert.ok(error instanceof AppError, String(error));
      assert.equal(error.code, 'invalid-argument');
      if (typeof why === 'string') assert.equal(error.message, `invalid profile: ${why}`);
      else assert.match(error.message, why);
      return true;
    },
  );
}

test('the profile that the cases start from is valid, also without a period type', () => {
  validated(message({}));
  validated(message({ 11: { 1: 1, 2: 4 } }));
});

test('string table', () => {
  const expected = 'first item in string table is expected to be empty string, but';
  checkFails(message({}, []), `${expected} the table has no items`);
  checkFails(message({}, ['x', 'a', 'b', 'c', 'd']), `${expected} it is "x"`);
});

test('string indices one past the end, negative, and of 2^63', () => {
  for (const index of [5, -1, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 31n, 2n ** 32n]) {
    const check = (changes: Fields, why: string): void => checkFails(message(changes), why);
    check({ 3: [{ 1: 1, 5: index }] }, 'mapping (id: 1) has invalid filename index');
    check({ 3: [{ 1: 1, 6: index }] }, 'mapping (id: 1) has invalid buildid index');
    check({ 5: [{ 1: 1, 2: index }] }, 'function (id: 1) has invalid name index');
    check({ 5: [{ 1: 1, 3: index }] }, 'function (id: 1) has invalid systemname index');
    check({ 5: [{ 1: 1, 4: index }] }, 'function (id: 1) has invalid filename index');
    check({ 1: [{ 1: index, 2: 0 }] }, 'sample type 0 has invalid type index');
    check({ 1: [{ 1: 0, 2: index }] }, 'sample type 0 has invalid unit index');
    check({ 11: { 1: index } }, 'period type has invalid type index');
    check({ 11: { 2: index } }, 'period type has invalid unit index');
    const labelled = (label: Fields): Fields => ({ 2: [{ 1: [1], 2: 1, 3: [{ 1: 3 }, label] }] });
    check(labelled({ 1: index }), 'sample 0 label 1 has invalid key index');
    check(labelled({ 1: 1, 2: index }), 'sample 0 label 1 has invalid str index');
    check(labelled({ 1: 1, 4: index }), 'sample 0 label 1 has invalid unit index');
    check(labelled({ 2: 1 }), 'sample 0 label 1 has no key');
  }
});

test('references to tables', () => {
  const check = (changes: Fields, why: string): void => checkFails(message(changes), why);
  for (const id of [2, -1, 2n ** 63n - 1n]) {
    check({ 4: [{ 1: 1, 2: id }] }, 'location has invalid mapping id');
    check({ 4: [{ 1: 1, 4: [{ 1: id }] }] }, 'location 1 has invalid function id');
  }
  check({ 2: [{ 1: [1, 3], 2: 5 }] }, 'sample 0 location number 1 (3) is out of range');
  check(
    {
      2: [
        { 1: [1], 2: 5 },
        { 1: [-1], 2: 5 },
      ],
    },
    'sample 1 location number 0 (18446744073709551615) is out of range',
  );
  check({ 2: [{ 1: [1, 0], 2: 5 }] }, 'location ids of stacktraces must be non-zero');
});

test('tables in pieces are checked as a whole, after a bad profile, too', () => {
  const columns = new PprofColumns();
  const read = (...pieces: readonly Uint8Array[]): void => {
    decodePprof(Buffer.concat(pieces), columns);
    validateProfile(columns);
  };
  const piece = (fields: Fields): Uint8Array => {
    const writer = new ProtobufWriter();
    write(writer, fields);
    return writer.finish().slice();
  };
  const first = message({}).slice();
  const more = piece({ 4: [{ 1: 3, 2: 1, 4: [{ 1: 2 }] }], 5: [{ 1: 2, 2: 4 }] });
  read(first, more);
  const bad = {
    'function (id: 2) has invalid name index': piece({ 5: [{ 1: 2, 2: 5 }] }),
    'function id is not sequential: id 1 occurs twice': piece({ 5: [{ 1: 1 }] }),
    'location id is not sequential: id 2 occurs twice': piece({ 4: [{ 1: 2 }] }),
    'location 3 has invalid function id': piece({ 4: [{ 1: 3, 4: [{ 1: 3 }] }] }),
    'location has invalid mapping id': piece({ 4: [{ 1: 3, 2: 2 }] }),
  };
  for (const [why, last] of Object.entries(bad)) {
    assert.throws(() => read(first, last), { message: `invalid profile: ${why}` });
    assert.throws(() => read(last, first), /invalid profile: (function|location) /);
    read(first, more);
  }
});

test('counts of values and types', () => {
  const mismatch = (count: number): string => `mismatch: sample has ${count} values vs. 1 types`;
  checkFails(message({ 2: [{ 1: [1] }] }), mismatch(0));
  checkFails(message({ 2: [{ 1: [1], 2: [1, 2] }] }), mismatch(2));
  checkFails(message({ 1: [] }), 'missing sample type information');
  validated(message({ 1: [], 2: [] }));
});

test('ids that are unique are accepted in any order and size, others are not', () => {
  const wide = 2n ** 63n + 5n;
  const columns = validated(
    message({
      2: [{ 1: [wide, 7, 7], 2: 5 }],
      3: [{ 1: 9 }, { 1: 8 }],
      4: [
        { 1: 7, 2: 8, 4: [{ 1: 2n ** 40n }] },
        { 1: wide, 2: 9, 4: [{ 1: 3 }] },
      ],
      5: [{ 1: 3 }, { 1: 2n ** 40n }],
    }),
  );
  assert.deepEqual(Array.from(columns.frameLocation.slice(0, 3)), [2, 1, 1]);
  assert.deepEqual(Array.from(columns.locationMapping.slice(1, 3)), [2, 1]);
  assert.deepEqual(Array.from(columns.lineFunction.slice(0, 2)), [2, 1]);
  checkFails(
    message({ 3: [{ 1: 1 }, { 1: 1 }] }),
    /mapping id is not sequential: id 1 occurs twice/,
  );
  checkFails(message({ 5: [{ 1: wide }, { 1: wide }] }), /function id is not sequential: id 92233/);
  checkFails(message({ 4: [{ 1: 0 }] }), /location id is not sequential: id 0 means none/);
  checkFails(
    message({ 2: [{ 1: [7, 8], 2: 5 }], 4: [{ 1: 7 }] }),
    'sample 0 location number 1 (8) is out of range',
  );
});

test('sums of values leave room for another profile, whichever values are added up', () => {
  const values = (list: readonly bigint[]): Uint8Array =>
    message({ 2: list.map((value) => ({ 1: [1], 2: value })) });
  const max = 2n ** 62n;
  validated(values([max]));
  validated(values([max, -max]));
  validated(values([max - 1n, 1n]));
  validated(values([-max]));
  const past = /sum of sample type 0 is -?\d+, the limit is 4611686018427387904/;
  checkFails(values([max, 1n]), past);
  checkFails(values([max, 1n, -5n]), past);
  checkFails(values([-max, -1n]), past);
  checkFails(values([2n ** 63n - 1n]), past);
});
