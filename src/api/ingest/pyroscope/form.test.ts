// Tests of forms: their parts, and forms that would take long to read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../base/errors.ts';
import { finishAtOnce } from '../../../base/pacer.ts';
import { formHeaderBytesMax, formPartsMax } from '../../limits.ts';
import { formStepBytes, readForm } from './form.ts';

const type = 'multipart/form-data; boundary=b';
const part = (name: string, content = '', more = ''): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const end = '--b--\r\n';

/** Reads a form as strings. */
function readTexts(body: string, contentType = type): Record<string, string[]> {
  const form = finishAtOnce(readForm(Buffer.from(body), contentType));
  return Object.fromEntries(
    Array.from(form, ([name, parts]) => [name, parts.map((one) => Buffer.from(one).toString())]),
  );
}

test('parts are read, whatever the boundary looks like', () => {
  const body = part('a', '--c') + part('a', 'x') + part('', '--b\r\n\r\nx') + part('%22') + end;
  assert.deepEqual(readTexts(body), { a: ['--c', 'x'], '': ['--b\r\n\r\nx'], '"': [''] });
  for (const given of ['boundary="b"', 'charset=utf-8; Boundary=b', 'boundary=b; charset=utf-8']) {
    assert.deepEqual(readTexts(part('a', 'x') + end, `multipart/form-data; ${given}`), {
      a: ['x'],
    });
  }
  const named = 'Content-Type: a/b\r\ncontent-disposition: form-data; filename="name=x"; name="f"';
  assert.deepEqual(readTexts(`before\r\n--b\r\n${named}\r\n\r\n1\r\n--b--after`), { f: ['1'] });
  assert.deepEqual(readTexts(end), {});
  const most = part('a').repeat(formPartsMax);
  assert.equal(readTexts(most + end)['a'].length, formPartsMax);
});

test('a form is what the reader of Node takes it for', async () => {
  const given = new FormData();
  given.append('profile', new Blob([Uint8Array.from({ length: 70_000 }, (_, i) => i)]), 'p.pb');
  given.append('sample_type_config', '{"cpu":{}}\r\n');
  given.append('ä"', 'ö');
  const request = new Response(given);
  const contentType = request.headers.get('content-type') ?? '';
  const form = finishAtOnce(readForm(new Uint8Array(await request.arrayBuffer()), contentType));
  assert.deepEqual([...form.keys()], [...given.keys()]);
  for (const [name, [content]] of form) {
    const want = given.get(name) ?? '';
    const bytes = typeof want === 'string' ? Buffer.from(want) : await want.arrayBuffer();
    assert.deepEqual(new Uint8Array(content), new Uint8Array(bytes), name);
  }
});

test('a large form of many false ends is read in steps, wherever its true ends are', () => {
  const read = (length: number): number => {
    const body = Buffer.from(part('profile', '--\r\n-'.repeat(length / 5)) + part('a', 'b') + end);
    const steps = readForm(body, type);
    for (let count = 0; ; count += 1) {
      const { done, value } = steps.next();
      if (done !== true) continue;
      assert.equal(value.get('profile')?.[0].length, length);
      assert.equal(value.get('a')?.[0].length, 1);
      return count;
    }
  };
  assert.equal(read(20 * formStepBytes), 20);
  // The delimiter ends in the first step, begins at the last byte of the first step, or is in the
  // second step.
  assert.deepEqual(
    [-6, -1, 4].map((more) => read(formStepBytes + more)),
    [0, 0, 1],
  );
});

test('too many parts, long headers and missing boundaries are refused before they are parsed', () => {
  const check = (body: string, why: RegExp, contentType = type): void =>
    assert.throws(
      () => finishAtOnce(readForm(Buffer.from(body), contentType)),
      (error) =>
        error instanceof AppError && error.code === 'invalid-argument' && why.test(error.message),
    );
  check(part('a').repeat(formPartsMax + 1) + end, /more than 100 parts/);
  check(`--b\r\n${'a: b\r\n'.repeat(formHeaderBytesMax / 6)}\r\n\r\n${end}`, /headers of part 1/);
  check('--b\r\n', /headers of part 1/);
  check(part('a'), /cannot read form/);
  check(part('a') + end, /no boundary/, 'multipart/form-data');
  check(part('a') + end, /no boundary/, `multipart/form-data; boundary=${'b'.repeat(71)}`);
});
