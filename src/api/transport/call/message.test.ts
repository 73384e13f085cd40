import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parca } from '../../../../proto/gen/query.js';
import { AppError } from '../../../base/errors.ts';
import { emptyMessages } from '../../../formats/testing/empty-messages.ts';
import { decodedFieldsMax } from '../../limits.ts';
import { decodeRequest, readFields } from './message.ts';

const { QueryRequest, ValuesRequest } = parca.query.v1alpha1;

/** Returns true if the error refuses a request because of too many fields. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof AppError &&
    error.code === 'resource-exhausted' &&
    /more than \d+ fields/.test(error.message)
  );
}

test('a request of very many fields is refused, wherever they are, before each is an object', () => {
  let made = 0;
  const counted = {
    name: 'QueryRequest',
    decode: (reader: Parameters<typeof QueryRequest.decode>[0]) => {
      const request = QueryRequest.decode(reader);
      made += 1;
      return request;
    },
  };
  // The paths lead to filters, to unknown fields, and to unknown fields in a nested message.
  for (const path of [[12], [99], [2, 99]]) {
    const bytes = emptyMessages(decodedFieldsMax + 1, ...path);
    assert.throws(() => decodeRequest(counted, bytes), isRefusal, String(path));
  }
  assert.equal(made, 0);
  const many = decodeRequest(counted, emptyMessages(decodedFieldsMax, 12));
  assert.equal(many.filter.length, decodedFieldsMax);
});

test('a request without many fields is decoded as before', () => {
  const match = Array.from({ length: 100 }, (_, i) => `{a="${'x'.repeat(2_000)}${i}"}`);
  const bytes = ValuesRequest.encode({ labelName: 'job', match }).finish();
  assert.ok(bytes.length > 2 * decodedFieldsMax);
  const request = decodeRequest(ValuesRequest, bytes);
  assert.deepEqual([request.labelName, request.match], ['job', match]);
  assert.throws(() => decodeRequest(ValuesRequest, bytes.subarray(0, -1)), /cannot decode/);
});

test('fields are found without reading their contents', () => {
  const fields: [number, string][] = [];
  const bytes = Buffer.from([0x0a, 2, 0x61, 0x62, 0x10, 5, 0x1a, 0]);
  readFields('Test', bytes, (field, content) => {
    assert.equal(content.buffer, bytes.buffer);
    fields.push([field, Buffer.from(content).toString()]);
  });
  assert.deepEqual(fields, [
    [1, 'ab'],
    [3, ''],
  ]);
  const ignore = (): void => undefined;
  for (const broken of [[0x0a, 9, 1], [0x02, 0], [0x0f], [0x0a, 0xff]]) {
    assert.throws(
      () => readFields('Test', Uint8Array.from(broken), ignore),
      (error) => error instanceof AppError && error.code === 'invalid-argument',
    );
  }
  const many = emptyMessages(decodedFieldsMax + 1, 1);
  assert.throws(() => readFields('Test', many, ignore), isRefusal);
});
