import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireChild, listChildren, childText, parseXml } from './xml.ts';

test('elements, attributes, text and entities', () => {
  const root = parseXml(
    `<?xml version="1.0"?><!-- c --><a x='1 &gt; 0' y="2"><b>one &amp; &#x74;wo</b>` +
      `<b/><c>\n<d><![CDATA[<raw>]]></d> t </c></a>\n`,
  );
  assert.equal(root.name, 'a');
  assert.deepEqual(
    [...root.attributes],
    [
      ['x', '1 > 0'],
      ['y', '2'],
    ],
  );
  assert.deepEqual(
    listChildren(root, 'b').map(({ text }) => text),
    ['one & two', ''],
  );
  assert.equal(childText(root, 'c'), 't');
  assert.equal(childText(requireChild(root, 'c'), 'd'), '<raw>');
  assert.equal(childText(requireChild(root, 'none'), 'd'), '');
});

test('says where a document is wrong', () => {
  const check = (xml: string, want: RegExp): void => assert.throws(() => parseXml(xml), want);
  check('', /expected an element at character 0/);
  check('<a><b></a>', /unexpected <\/a> at character 6/);
  check('<a>', /<a> is not closed at character 3/);
  check('</a>', /unexpected <\/a> at character 0/);
  check('<a x="1>', /expected a tag at character 0/);
  check('<!DOCTYPE a [<!ENTITY b "c">]><a/>', /expected a tag at character 0/);
  check('<a>'.repeat(200), /too many elements in each other/);
});

test('long documents take linear time', () => {
  const items = '<item k="v">text</item>'.repeat(20_000);
  assert.equal(parseXml(`<a>${items}</a>`).children.length, 20_000);
  assert.throws(() => parseXml(`<a ${'x="1" '.repeat(20_000)}`), /expected a tag/);
});
