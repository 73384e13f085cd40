// Tests of forms: parts, and what would take long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { formHeaderBytesMax, formPartsMax } from '../../base/limits.ts';
import { readForm } from './form.ts';

const type = 'multipart/form-data; boundary=b';
const part = (name: string, content = '', more = ''): string =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const end = '--b--\r\n';

test('parts are read, whatever the boundary looks like', async () => {
  const form = await readForm(Buffer.from(part('a', '--c') + part('a', 'x') + end), type);
  assert.deepEqual(form.getAll('a'), ['--c', 'x']);
  for (const given of ['boundary="b"', 'charset=utf-8; Boundary=b', 'boundary=b; charset=utf-8']) {
    const other = await readForm(
      Buffer.from(part('a', 'x') + end),
      `multipart/form-data; ${given}`,
    );
    assert.equal(other.get('a'), 'x', given);
  }
  const most = part('a').repeat(formPartsMax);
  assert.equal((await readForm(Buffer.from(most + end), type)).getAll('a').length, formPartsMax);
});

test('too many parts, long headers and missing boundaries are refused before they are parsed', async () => {
  const check = (body: string, why: RegExp, contentType = type): Promise<void> =>
    assert.rejects(
      readForm(Buffer.from(body), contentType),
      (error) =>
        error instanceof AppError && error.code === 'invalid-argument' && why.test(error.message),
    );
  await check(part('a').repeat(formPartsMax + 1) + end, /more than 100 parts/);
  await check(
    `--b\r\n${'a: b\r\n'.repeat(formHeaderBytesMax / 6)}\r\n\r\n${end}`,
    /headers of part 1/,
  );
  await check('--b\r\n', /headers of part 1/);
  await check(part('a'), /cannot read form/);
  await check(part('a') + end, /no boundary/, 'multipart/form-data');
  await check(part('a') + end, /no boundary/, `multipart/form-data; boundary=${'b'.repeat(71)}`);
});
