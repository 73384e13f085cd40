// Tests of py-spy's frames, and of names that only look like them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Profile } from 'pprof-format';
import { plainCounts } from '../reading/imported-profile.ts';
import { recognise } from '../import/import-profile.ts';
import { decodeCollapsed } from './decode.ts';

/** Returns the functions of the only stack in a text, leaf first, as `name file:line`. */
function decodeFrames(text: string): string[] {
  const context = { timeNanos: 1n, durationNanos: 0n, counts: plainCounts };
  const { profile } = decodeCollapsed(new TextEncoder().encode(text), context);
  const { sample, location, function: functions, stringTable } = Profile.decode(profile.pprof);
  return sample[0].locationId.map((id) => {
    const { functionId, line } = location[Number(id) - 1].line[0];
    const { name, filename } = functions[Number(functionId) - 1];
    const texts = [name, filename].map((row) => stringTable.strings[Number(row)]);
    return `${texts[0]} ${texts[1]}:${line}`;
  });
}

test('frames of py-spy are functions with their files and lines', () => {
  assert.deepEqual(decodeFrames('<module> (app.py:13);hot (shop/app.py:4) 15\n'), [
    'hot shop/app.py:4',
    '<module> app.py:13',
  ]);
});

test('a file of py-spy is known by any of its lines', () => {
  for (const text of [
    '<module> (app.py:3) 1\n',
    ' 2\n<module> (app.py:3);<lambda> (app.py:1) 1\n',
  ]) {
    assert.equal(recognise(new TextEncoder().encode(text)).format, 'collapsed', text);
  }
});

test('other words in parentheses are part of a name', () => {
  for (const name of ['(idle)', 'f (app.py)', 'f(int, int) (.cold:1)', 'main (libc.so.6:abc)']) {
    assert.deepEqual(decodeFrames(`${name} 1\n`), [`${name} :0`]);
  }
});
