// Tests of completion and of the tolerant parser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import fc from 'fast-check';
import { completionAt, completionText, type CompletionPlace } from './complete.ts';
import { queryParser } from './language.ts';

/** The character `¦` marks the cursor. */
function at(text: string): CompletionPlace {
  return completionAt(text.replace('¦', ''), text.indexOf('¦'));
}

test('completions at the cursor', () => {
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
  check(`${'diff('.repeat(8)}pro¦`, 'profile-type', 'pro');
  check(`${'diff('.repeat(9)}pro¦`, 'nothing', '');
  check(`{${'a="(,,,)",'.repeat(249)}jo¦`, 'label-name', 'jo');
  check(`{${'a="(,,,)",'.repeat(250)}jo¦`, 'nothing', '');
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

test('stages, word by word', () => {
  const check = (text: string, typed: string, want: string): void => {
    const { subject, typed: got } = at(text);
    assert.equal(subject.kind === 'word' ? subject.words.join(', ') : subject.kind, want, text);
    assert.equal(got, typed, text);
  };
  const stages =
    'stack, leaf, not, frame, focus, ignore, hide, show, sandwich, root, collapse, invert, increase, samples, own, by, top';
  const comparisons = 'contains, equals, starts with, matches';
  const conditions = `${comparisons}, function, system, file, binary, package, kind, address, line`;
  check('cpu | ¦', '', stages);
  check('cpu{a="|"} |fo¦', 'fo', stages);
  check('cpu | fo¦cus "x"', 'fo', stages);
  check('cpu | incr¦', 'incr', stages);
  check('cpu | increase ¦', '', 'nothing');
  check('cpu | not ¦', '', 'stack, leaf');
  check('cpu | own (¦', '', 'nothing');
  check('cpu | frame ¦', '', 'keep, drop');
  check('cpu | stack ¦', '', conditions);
  check('cpu | frame drop bin¦', 'bin', conditions);
  check('cpu | frame drop binary ¦', '', comparisons);
  check('cpu | frame drop line ¦', '', 'nothing');
  check('cpu | stack starts ¦', '', 'with');
  check('cpu | stack contains ¦', '', 'nothing');
  check('cpu | focus "m¦', 'm', 'nothing');
  check('cpu | by ¦', '', 'nothing');
  check('cpu | by (¦', '', 'group-name');
  check('cpu | by (job, fi¦)', 'fi', 'group-name');
  check('cpu | by ("a¦', 'a', 'group-name');
  check('cpu | by (job¦)', 'job', 'group-name');
  check('cpu | by (job ¦', '', 'nothing');
  check('cpu | top ¦', '', 'nothing');
  // If the query may end at the cursor, words are offered once their first letter is typed.
  check('cpu ¦', '', 'nothing');
  check('cpu off¦', 'off', 'except, offset');
  check('cpu exc¦', 'exc', 'except, offset');
  check('cpu except ¦', '', 'nothing');
  check('cpu @ 5 ¦', '', 'to');
  check('cpu @ 5 to 7 exc¦', 'exc', 'except, offset');
  check('cpu except @ 5 to 7 off¦', 'off', 'offset');
  check('cpu{} offset ¦', '', 'nothing');
  check('cpu | invert ¦', '', 'nothing');
  check('cpu | invert | ¦', '', stages);
  check('diff(¦', '', 'profile-type');
  check('diff(a, ¦', '', 'profile-type');
  check('diff(a | invert, b{¦', '', 'label-name');
  check('diff(a, b) | ¦', '', stages);
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
  check('cpu | fo¦', 'focus', 'cpu | focus');
  check('cpu | stack st¦arts "x"', 'starts with', 'cpu | stack starts with "x"');
  check('cpu | by (¦)', 'not-ok', 'cpu | by ("not-ok")');
});

test('the profile type in front is known', () => {
  assert.equal(at('process_cpu:cpu{job="¦').profile, 'process_cpu:cpu');
  assert.equal(at('{job=b¦').profile, '');
  assert.equal(at('diff(a:b{}, c:d{job="¦').profile, 'c:d');
  assert.equal(at('diff(a:b{job="¦"}, c:d)').profile, 'a:b');
  assert.equal(at('a:b | by (¦').profile, 'a:b');
});

test('no text and no cursor is too strange', () => {
  const soup = fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '<',
        ',',
        '=',
        '!~',
        '"',
        '`',
        'a',
        ':',
        '#',
        '\n',
        ' ',
        '\\',
        '(',
        ')',
        '|',
        ' stack ',
        ' by ',
        'diff(',
        ' offset ',
        '1d',
        ' @ ',
        ' to ',
        ' except ',
      ),
    )
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

test('words of stages are coloured, names that are called like them are not', () => {
  const text =
    'stack{by="1"} except @ 5 to 7.5 offset 1d | not stack file "x" | increase | by (top) | top 3';
  const seen: string[] = [];
  const highlighter = tagHighlighter([
    { tag: tags.keyword, class: 'keyword' },
    { tag: tags.propertyName, class: 'name' },
    { tag: tags.number, class: 'number' },
  ]);
  highlightTree(queryParser.parse(text), highlighter, (from, to, name) => {
    seen.push(`${name} ${text.slice(from, to)}`);
  });
  assert.deepEqual(seen, [
    'name by',
    'keyword except',
    'number 5',
    'keyword to',
    'number 7.5',
    'keyword offset',
    'number 1d',
    'keyword not',
    'keyword stack',
    'name file',
    'keyword increase',
    'keyword by',
    'name top',
    'keyword top',
    'number 3',
  ]);
});
