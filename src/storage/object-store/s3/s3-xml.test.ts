import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elements, elementText, encodeEntities } from './s3-xml.ts';

test('reads elements and their texts', () => {
  const xml = '<R><A><K>a&amp;b&#x41;&#66;&unknown;</K></A><A><K>2</K></A><B/></R>';
  assert.deepEqual(elements(xml, 'A'), ['<K>a&amp;b&#x41;&#66;&unknown;</K>', '<K>2</K>']);
  assert.equal(elementText(xml, 'K'), 'a&bAB&unknown;');
  assert.equal(elementText(xml, 'B'), undefined);
  assert.deepEqual(elements(xml, 'C'), []);
});

test('what is cut off or out of range does no harm', () => {
  assert.equal(elementText('<K>unfinished', 'K'), undefined);
  assert.deepEqual(elements('<A>1</A><A>unfinished', 'A'), ['1']);
  assert.equal(elementText('<K>&#x110000;</K>', 'K'), '&#x110000;');
});

test('texts are encoded for a request', () => {
  assert.equal(encodeEntities('"<a&b>"'), '"&lt;a&amp;b&gt;"');
});
