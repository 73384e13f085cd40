// Tests with source maps of real bundles. Stacks of errors in the bundle must become stacks in the
// sources.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { seededRandom } from '../../base/random.ts';
import { bundleSources, makeBundle } from '../testing/make-bundle.ts';
import { originalName, SourceMap } from './source-map.ts';

const want = [
  'describeFailure ledger.ts:10',
  'bookEntry ledger.ts:11',
  'retries main.ts:5',
  ' main.ts:7',
];

const parseMap = (text: string): SourceMap => new SourceMap(new TextEncoder().encode(text));

for (const minify of [true, false]) {
  test(`frames of a bundle have their names again, ${minify ? 'minified' : 'plain'}`, async () => {
    const { stack, map } = await makeBundle(minify);
    const sourceMap = parseMap(map);
    const places = stack.map(({ name, line, column }) => {
      const place = sourceMap.findOriginal({ line, column });
      assert.ok(place);
      return `${originalName(place.functions, name)} ${place.fileName}:${place.line}`;
    });
    assert.deepEqual(places.slice(0, want.length), want, JSON.stringify(stack));
    assert.equal(sourceMap.sourceText('ledger.ts'), bundleSources['ledger.ts']);
    assert.equal(sourceMap.sourceText('other.ts'), undefined);
  });
}

test('without a column, a line is told when it comes from one place', async () => {
  const plain = await makeBundle(false);
  const { line } = plain.stack[1];
  const place = parseMap(plain.map).findOriginal({ line, column: 0 });
  assert.equal(`${place?.fileName}:${place?.line}`, 'ledger.ts:11');
  const minified = await makeBundle(true);
  assert.equal(parseMap(minified.map).findOriginal({ line: 1, column: 0 }), undefined);
});

test('maps of attackers are refused', () => {
  const check = (map: unknown, message: RegExp): void =>
    assert.throws(
      () => parseMap(typeof map === 'string' ? map : JSON.stringify(map)),
      (error) => error instanceof AppError && message.test(error.message),
      String(message),
    );
  const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' };
  check('{', /cannot read the source map: /);
  check('null', /it is not an object/);
  check([], /it has no mappings/);
  check({ ...map, mappings: 7 }, /it has no mappings/);
  check({ ...map, sources: [] }, /it names no sources/);
  check('['.repeat(2_000_001), /it has more than 2000000 values/);
  check(
    { ...map, names: Array.from({ length: 2_000_000 }, () => 0) },
    /it has more than 2000000 values/,
  );
  check({ ...map, mappings: ';'.repeat(2_000_001) }, /positions are over the limit of 2000000/);
  check({ version: 3, sections: [{ offset: { line: 1e9, column: 0 }, map }] }, /over the limit/);
  check({ version: 3, sections: [{ offset: { line: -1, column: 0 }, map }] }, /no line/);
  const section = '{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":';
  const deep = section.repeat(100_000) + JSON.stringify(map) + '}]}'.repeat(100_000);
  check(deep, /nested more than 1000 deep/);
});

test('no flipped character of a map does more than refuse it or change its answer', async () => {
  const { map, stack } = await makeBundle(true);
  const random = seededRandom(5);
  let read = 0;
  for (let round = 0; round < 400; round += 1) {
    const at = random.uint32() % map.length;
    const other = String.fromCharCode(32 + (random.uint32() % 95));
    try {
      const sourceMap = parseMap(map.slice(0, at) + other + map.slice(at + 1));
      for (const frame of stack) sourceMap.findOriginal(frame);
      read += 1;
    } catch (error) {
      assert.ok(error instanceof AppError, String(error));
    }
  }
  assert.ok(read > 0 && read < 400, `${read} read`);
});
