// Tests of packing, reading and finding strings in tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexOfText, packStrings, StringReader, unpackStrings } from './strings.ts';
import { noString } from './tree.ts';

const tables = [
  [],
  ['', 'main.main', '', 'json.Marshal'],
  ['Grüße', '', '主函数', 'a😀b', 'plain'],
];

test('packed strings are read again, whatever characters they have', () => {
  for (const texts of tables) {
    const packed = packStrings(texts);
    assert.deepEqual(unpackStrings(packed), texts);
    const reader = new StringReader(packed);
    assert.equal(reader.length, texts.length);
    assert.equal(reader.get(noString), '');
    for (const [i, text] of texts.entries()) {
      assert.deepEqual([reader.get(i), reader.get(i)], [text, text]);
      assert.equal(indexOfText(packed, text), texts.indexOf(text));
    }
    assert.equal(indexOfText(packed, 'missing'), -1);
  }
});
