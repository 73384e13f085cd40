// Tests of completion and of the tolerant parser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import fc from 'fast-check';
import { completionAt, completionText } from './complete.ts';
import type { CompletionPlace } from './complete.ts';
import { queryParser } from './language.ts';

/** `¦` is the cursor. */
function at(text: string): CompletionPlace {
  return completionAt(text.replace('¦', ''), text.indexOf('¦'));
}

test('what can come at the cursor', () => {
  const check = (text: string, kind: string, typed: string, label?: string): void => {
    const { subject, typed: got } = at(text);
    assert.equal(subject.kind, kind, text);
    assert.equal(got, typed, text);
    if (subject.kind === 'label-value') assert.equal(subject.label, label, text);
  };
  check('¦', 'profile-type', '');
  check('  pro¦', 'profile-type', 'pro');
  check('process_cpu:c¦pu{}', 'profile-type', 'process_cpu:c');
  check('# note\n¦', 'profile-type', '');
  check('# note¦', 'nothing', '');
  check('cpu ¦', 'nothing', '');
  check('cpu{¦', 'label-name', '');
  check('cpu<jo¦>', 'label-name', 'jo');
  check('cpu{a="1", ¦}', 'label-name', '');
  check('{a="1", ¦, b="2"}', 'label-name', '');
  check('{"not-o¦', 'label-name', 'not-o');
  check('{job ¦', 'word', '');
  check('{job!¦', 'word', '!');
  check('{"not-ok"¦', 'word', '');
  check('{job=¦', 'label-value', '', 'job');
  check('{job=~ ¦}', 'label-value', '', 'job');
  check('{job=ap¦', 'label-value', 'ap', 'job');
  check('{job="ap¦', 'label-value', 'ap', 'job');
  check("{'not-ok'='ap¦i'}", 'label-value', 'ap', 'not-ok');
  check('{a=,b="c¦', 'label-value', 'c', 'b');
  check('{a="1"¦', 'nothing', '');
  check('{a="1"}¦', 'nothing', '');
});

test('accepting a completion', () => {
  const check = (text: string, option: string, want: string): void => {
    const place = at(text);
    const plain = text.replace('¦', '');
    const { from, to } = place.replace;
    assert.equal(plain.slice(0, from) + completionText(place, option) + plain.slice(to), want);
  };
  check('pro¦', 'a:b:c:d:e', 'a:b:c:d:e');
  check('{jo¦x="1"}', 'job', '{job="1"}');
  check('{¦', 'not-ok', '{"not-ok"');
  check('{"not¦"="1"}', 'not-ok', '{"not-ok"="1"}');
  check('{a!¦', '!~', '{a!~');
  check('{a=¦}', 'it"s', '{a="it\\"s"}');
  check('{a="x¦"}', 'it"s', '{a="it\\"s"}');
  check("{a='x¦'}", 'it"s', `{a='it"s'}`);
  check('{a=`x¦`}', 'with ` inside', '{a="with ` inside"}');
  check('{a="x¦, b="c"}', 'y', '{a="y", b="c"}');
  check('{a="x¦yz", b="c"}', 'y', '{a="y", b="c"}');
});

test('the profile type in front is known', () => {
  assert.equal(at('process_cpu:cpu{job="¦').profile, 'process_cpu:cpu');
  assert.equal(at('{job=b¦').profile, '');
});

test('no text and no cursor is too strange', () => {
  const soup = fc
    .array(fc.constantFrom('{', '}', '<', ',', '=', '!~', '"', '`', 'a', ':', '#', '\n', ' ', '\\'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(soup, fc.nat(), (text, place) => {
      const cursor = place % (text.length + 1);
      const { replace } = completionAt(text, cursor);
      assert.ok(replace.from <= cursor && cursor <= replace.to && replace.to <= text.length);
    }),
  );
});

test('the tolerant parser keeps what follows a mistake, and colours it', () => {
  const text = 'cpu{a=,b="c"}';
  assert.match(queryParser.parse(text).toString(), /⚠.*Matcher\(LabelName/);
  const seen: string[] = [];
  const highlighter = tagHighlighter([
    { tag: tags.typeName, class: 'type' },
    { tag: tags.propertyName, class: 'label' },
    { tag: tags.operator, class: 'operator' },
    { tag: tags.string, class: 'value' },
  ]);
  highlightTree(queryParser.parse(text), highlighter, (from, to, name) => {
    seen.push(`${name} ${text.slice(from, to)}`);
  });
  const want = ['type cpu', 'label a', 'operator =', 'label b', 'operator =', 'value "c"'];
  assert.deepEqual(seen, want);
});
