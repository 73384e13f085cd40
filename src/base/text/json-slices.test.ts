// Tests of JSON in slices: it has the same bytes as JSON.stringify, pauses, and can be aborted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSmallJson, jsonInSlices } from './json-slices.ts';

const restless = { pause: () => undefined };

test('slices are what JSON.stringify writes', async () => {
  const odd = {
    nothing: undefined,
    call: () => 1,
    date: new Date(0),
    list: [undefined, () => 1, null, Number.NaN, -0, 1e21],
    empty: [{}, [], ''],
    text: 'ä"\\\u2028\ud800',
  };
  const large = { list: Array.from({ length: 3_000 }, (_, i) => ({ i, odd, deep: [[[i]]] })) };
  const check = async (value: unknown): Promise<void> => {
    assert.equal((await jsonInSlices(value, restless)).toString(), toUtf8(value));
  };
  for (const value of [
    odd,
    large,
    [large, large],
    Array.from({ length: 2_000 }, () => 'x'),
    null,
  ]) {
    await check(value);
  }
  const many = fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 500, maxLength: 600 });
  await fc.assert(
    fc.asyncProperty(many, fc.jsonValue(), async (list, one) => check([list, one])),
    {
      numRuns: 20,
    },
  );
});

test('long strings are written in pieces', async () => {
  const pairs = `"\\${'\u{1f600}ä'.repeat(40_000)}`;
  const halves = 'x\ud83d\ude00\ud83d'.repeat(30_000);
  for (const text of [pairs, ` ${pairs}`, halves, ` ${halves}`, '\n'.repeat(100_000)]) {
    for (const value of [text, [text], { [text.slice(0, 9)]: { text } }]) {
      assert.equal((await jsonInSlices(value, restless)).toString(), toUtf8(value));
    }
  }
  const value = 'x'.repeat(10_000_000);
  let pauses = 0;
  await jsonInSlices({ value }, { pause: () => void (pauses += 1) });
  assert.ok(pauses > 200, `${pauses} pauses`);
  assert.ok(!isSmallJson(value));
});

/** Returns the string after a round trip through UTF-8: an unpaired surrogate becomes U+FFFD. */
function toUtf8(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString();
}

test('a long value has pauses after little work, and ends when a pause throws', async () => {
  const names = Array.from({ length: 200_000 }, (_, i) => ({ name: `label ${i}`, values: [i] }));
  assert.ok(!isSmallJson(names));
  assert.ok(isSmallJson(names.slice(0, 50)));
  assert.ok(!isSmallJson(['x'.repeat(100_000)]));
  let pauses = 0;
  await jsonInSlices({ names }, { pause: () => void (pauses += 1) });
  const length = JSON.stringify({ names }).length;
  assert.ok(pauses > length / 50_000, `${pauses} pauses in ${length} characters`);
  const stop = new Error('the client has gone');
  const late = {
    pause: () => {
      pauses -= 1;
      if (pauses === 100) throw stop;
      return undefined;
    },
  };
  await assert.rejects(jsonInSlices({ names }, late), stop);
});
