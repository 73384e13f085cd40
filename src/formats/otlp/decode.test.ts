// Tests of requests with very many empty messages, of which each takes two bytes.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { mapInputLimits, setInputLimits } from '../../base/input-limits.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';
import { decodeOtlp } from './decode.ts';

const initial = mapInputLimits((limit) => limit.initial);
afterEach(() => setInputLimits(initial));

/** A request with `count` empty messages of the last of `fields`, each inside of the one before. */
function request(count: number, ...fields: readonly number[]): Uint8Array {
  const writer = new ProtobufWriter();
  const places = fields.slice(0, -1).map((field) => writer.begin(field));
  for (let i = 0; i < count; i += 1) writer.bytesField(fields.at(-1) ?? 0, Buffer.alloc(0));
  for (const place of places.reverse()) writer.end(place);
  return Uint8Array.from(writer.finish());
}

test('empty messages of each kind have a limit', () => {
  setInputLimits({
    ...initial,
    ...{ seriesPerRequest: 10, labelsPerSeries: 3, profileSamples: 20, profileSymbols: 40 },
  });
  const check = (most: number, what: string, ...fields: readonly number[]): void => {
    decodeOtlp(request(most, ...fields));
    assert.throws(
      () => decodeOtlp(request(most + 1, ...fields)),
      (error) =>
        error instanceof AppError &&
        error.code === 'resource-exhausted' &&
        error.message.includes(`more than ${most} ${what}`),
      what,
    );
  };
  check(10, 'resources', 1);
  check(10, 'scopes', 1, 2);
  check(10, 'profiles', 1, 2, 2);
  check(20, 'samples', 1, 2, 2, 2);
  check(30, 'attributes', 1, 1, 1);
  check(30, 'attributes', 1, 2, 1, 3);
  // Over all messages that hold them.
  const halves = Buffer.concat([request(6, 1, 2), request(6, 1, 2)]);
  assert.throws(() => decodeOtlp(halves), /more than 10 scopes/);
  const tables = Buffer.concat([request(30, 2, 5), request(30, 2, 5)]);
  assert.throws(() => decodeOtlp(tables), AppError);
});
