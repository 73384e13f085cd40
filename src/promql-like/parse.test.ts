// Tests of the parser, the printer and the strings of the query language.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { queryTextLengthMax } from '../base/limits.ts';
import { parseQuery, parseSelector } from './parse.ts';
import { printQuery } from './print.ts';
import { QueryError } from './query.ts';
import { unquote } from './string.ts';

test('accepted queries, in their normal form', () => {
  const check = (text: string, want: string): void =>
    assert.equal(printQuery(parseQuery(text)), want);
  const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
  check(cpu, `${cpu}{}`);
  check(`${cpu}{}`, `${cpu}{}`);
  check(`${cpu}{a="b",c=~"d.*",}`, `${cpu}{a="b", c=~"d.*"}`);
  check('cpu:samples<job!="x">', 'cpu:samples{job!="x"}');
  check('cpu<>', 'cpu{}');
  check('{}', '{}');
  check('{job="x"}', '{job="x"}');
  check(`{__name__="${cpu}", a!~"1"}`, `${cpu}{a!~"1"}`);
  check(`{a="1", "${cpu}"}`, `${cpu}{a="1"}`);
  check('{__name__="go-routines:x"}', '{__name__="go-routines:x"}');
  check('{"not-ok"="x"}', '{"not-ok"="x"}');
  check(`{'job'='it''s'}`.replace("''", "\\'"), `{job="it's"}`);
  check('{a=`\\d+"`}', '{a="\\\\d+\\""}');
  check('# first\ncpu # which\n{ # job\n  job = "x" ,\n}\n# last', 'cpu{job="x"}');
  check('{a="# no comment"}', '{a="# no comment"}');
  check('{a="x", a!="y"}', '{a="x", a!="y"}');
});

test('pipelines, in their normal form', () => {
  const check = (text: string, want: string): void =>
    assert.equal(printQuery(parseQuery(text)), want);
  check('cpu offset 36h', 'cpu{} offset 1d12h');
  check('{a="1"} offset -1w1d1h1m1s1ms1us1ns', '{a="1"} offset -1w1d1h1m1s1ms1us1ns');
  check('cpu offset 0s', 'cpu{} offset 0s');
  check('cpu @ 1764000000 to 1764000600', 'cpu{} @ 1764000000 to 1764000600');
  check('cpu@0 to 0.5', 'cpu{} @ 0 to 0.5');
  check(
    '{a="1"} except @ 7.000000010 to 9223372036.854775807 offset 1d',
    '{a="1"} except @ 7.00000001 to 9223372036.854775807 offset 1d',
  );
  check(
    'diff(cpu except @ 5 to 7, cpu{to="1"} @ 5 to 7 except @ 6 to 6 | invert)',
    'diff(cpu{} except @ 5 to 7, cpu{to="1"} @ 5 to 7 except @ 6 to 6 | invert)',
  );
  check('cpu|invert', 'cpu{} | invert');
  check('cpu | stack "gc"', 'cpu{} | stack function contains "gc"');
  check("cpu|not stack equals 'gc'", 'cpu{} | not stack function equals "gc"');
  check('cpu | stack binary starts  with "x"', 'cpu{} | stack binary starts with "x"');
  check('cpu | stack matches `^a.c$`', 'cpu{} | stack function matches "^a.c$"');
  check('cpu | frame keep file "a.go"', 'cpu{} | frame keep file contains "a.go"');
  check('cpu | frame drop system matches "_Z"', 'cpu{} | frame drop system matches "_Z"');
  check('cpu | frame drop line 7', 'cpu{} | frame drop line 7');
  check('cpu | stack address equals 0xFF', 'cpu{} | stack address 255');
  check('cpu | focus "a|b" | ignore "c"', 'cpu{} | focus "a|b" | ignore "c"');
  check('cpu | hide "a" | show "b"', 'cpu{} | hide "a" | show "b"');
  check('cpu # which\n| sandwich "f" # around', 'cpu{} | sandwich "f"');
  check('cpu|root "f"|collapse recursion', 'cpu{} | root "f" | collapse recursion');
  check("cpu | collapse binary equals 'libc'", 'cpu{} | collapse binary equals "libc"');
  check('cpu | collapse "recursion"', 'cpu{} | collapse function contains "recursion"');
  check('cpu | by (job, "a b", function,)', 'cpu{} | by (job, "a b", function)');
  // A quoted name is a label.
  check('cpu | by ("function", "job")', 'cpu{} | by ("function", job)');
  check('cpu | by (file, binary, address)', 'cpu{} | by (file, binary, address)');
  check('cpu | top 20', 'cpu{} | top 20');
  check('diff(a, b)', 'diff(a{}, b{})');
  check(
    'diff( a{x="1"} offset 1d | invert , b | focus "x" ) | top 3',
    'diff(a{x="1"} offset 1d | invert, b{} | focus "x") | top 3',
  );
  // Where a name is expected, words of the query language are names.
  check('diff{offset="1"}', 'diff{offset="1"}');
  check(
    'stack{by="1", top="2", stack="3"} | by (stack)',
    ['stack{by="1", top="2", stack="3"}', 'by (stack)'].join(' | '),
  );
});

test('mistakes: where, and what was expected', () => {
  const check = (text: string, want: string): void =>
    assert.throws(
      () => parseQuery(text),
      (error) => {
        assert.ok(error instanceof QueryError);
        assert.equal(error.code, 'invalid-argument');
        assert.equal(error.message, want);
        return true;
      },
    );
  check('', '1:1: expected a profile type or "{", got the end of the query');
  check('# only', '1:7: expected a profile type or "{", got the end of the query');
  check('=', '1:1: expected a profile type or "{", got "="');
  check('a b', '1:3: expected except, offset, "{", "@", "|" or the end of the query, got "b"');
  check('a{', '1:3: expected a label name or "}", got the end of the query');
  check('a<,>', '1:3: expected a label name or ">", got ","');
  check('process_cpu{label=}', '1:19: expected a quoted label value, got "}"');
  check('{a=b}', '1:4: expected a quoted label value, got "b"');
  check('{a}', '1:3: expected one of = != =~ !~, got "}"');
  check('{a!"b"}', '1:3: expected one of = != =~ !~, got "!"');
  check('{"a"', '1:5: expected one of = != =~ !~, got the end of the query');
  check('{a="b",\n c==""}', '2:4: expected a quoted label value, got "="');
  check('{a="b" c="d"}', '1:8: expected "," or the closing bracket, got "c"');
  check('{a="b">', '1:7: expected "," or the closing bracket, got ">"');
  check('{a="b",,}', '1:8: expected a label name or the closing bracket, got ","');
  check('{}{}', '1:3: expected except, offset, "@", "|" or the end of the query, got "{"');
  check('{ä="x"}', '1:2: expected a label name or "}", got "ä"');
  check('{a="b', '1:4: unterminated string, expected a closing "');
  check('{a="b\n"}', '1:4: unterminated string, expected a closing "');
  check('{a=`b', '1:4: unterminated string, expected a closing `');
  check('{a="b\\"}', '1:4: unterminated string, expected a closing "');
  check('{a="b\\z"}', '1:6: unknown escape sequence \\z');
  check('{a="\\\'"}', "1:5: unknown escape sequence \\'");
  check('{a="\\xff"}', '1:4: the escapes of the string are not valid UTF-8');
  check('{a="\\ud800"}', '1:5: unknown escape sequence \\ud800');
  check('{""="x"}', '1:2: a label name must not be empty');
  check('a{__name__="b"}', '1:3: profile type is given twice');
  check('{__name__!="b"}', '1:10: the profile type can only be selected with =');
  assert.throws(() => parseQuery('{ab=~"(?=x)"}'), /^QueryError: 1:6: cannot compile regular/);
});

test('mistakes in pipelines', () => {
  const check = (text: string, want: string): void =>
    assert.throws(
      () => parseQuery(text),
      (error) => {
        assert.ok(error instanceof QueryError, String(error));
        assert.equal(error.message, want);
        return true;
      },
    );
  const stages =
    'stack, leaf, not, frame, focus, ignore, hide, show, sandwich, root, collapse, invert, increase, samples, own, by or top';
  const comparisons = 'contains, equals, starts with, matches';
  const fields = 'function, system, file, binary, package, kind, address, line';
  check('a |', `1:4: expected ${stages}, got the end of the query`);
  check('a | stak "x"', `1:5: expected ${stages}, got "stak": did you mean stack?`);
  check('a | samples', '1:12: expected "@", got the end of the query');
  check('a | samples @ 5', '1:16: expected to, got the end of the query');
  check('a | samples @ 5 to 4', '1:20: expected an end that is not before the start');
  check('a | samples @ 5 to 6 | samples @ 7 to 8', '1:24: samples is given twice');
  check('a |\n focsu "x"', `2:2: expected ${stages}, got "focsu": did you mean focus?`);
  check('a | stackcontains "x"', `1:5: expected ${stages}, got "stackcontains"`);
  check(
    'a ofset 1d',
    [
      '1:3: expected except, offset, "{", "@", "|" or the end of the query, got "ofset"',
      'did you mean offset?',
    ].join(': '),
  );
  check('a offset', '1:9: expected a duration such as 1d12h, got the end of the query');
  check('a offset 1y', '1:10: expected a duration such as 1d12h, 90s or -250ms, got 1y');
  check('a offset 1', '1:10: expected a duration such as 1d12h, 90s or -250ms, got 1');
  check('a offset 1h1d', '1:10: expected a duration such as 1d12h, 90s or -250ms, got 1h1d');
  check('a offset 300000w', '1:10: expected a duration such as 1d12h, 90s or -250ms, got 300000w');
  check('a offset 1d {}', '1:13: expected "|" or the end of the query, got "{"');
  check('a offset 1d @ 5 to 7', '1:13: expected "|" or the end of the query, got "@"');
  check('a @', '1:4: expected a time such as 1764000000, got the end of the query');
  check('a @ 5', '1:6: expected to, got the end of the query');
  check('a @ 5 tp 7', '1:7: expected to, got "tp": did you mean to?');
  check('a @ 5 to', '1:9: expected a time such as 1764000000, got the end of the query');
  check(
    'a @ 5 to 7 @ 8 to 9',
    '1:12: expected except, offset, "|" or the end of the query, got "@"',
  );
  check('a except 5', '1:10: expected "@", got "5"');
  check(
    'a exept @ 5 to 7',
    [
      '1:3: expected except, offset, "{", "@", "|" or the end of the query, got "exept"',
      'did you mean except?',
    ].join(': '),
  );
  check(
    'a except @ 5 to 7 except @ 8 to 9',
    '1:19: expected offset, "|" or the end of the query, got "except"',
  );
  const seconds = 'expected seconds since 1970 such as 1764000000 or 1764000000.25';
  check('a @ 2025-11-24T16:00:00Z to 5', `1:5: ${seconds}, got 2025-11-24T16:00:00Z`);
  check('a @ 5 to 1764000000000', `1:10: ${seconds}, got 1764000000000`);
  check('a @ 5 to 9223372036.854775808', `1:10: ${seconds}, got 9223372036.854775808`);
  check('a @ 5 to 1d', `1:10: ${seconds}, got 1d`);
  check('a except @ 7 to 6.9', '1:17: expected an end that is not before the start');
  check('a | not frame', '1:9: expected stack or leaf, got "frame"');
  check(
    'a | stack contain "x"',
    `1:11: expected ${comparisons}, ${fields} or a quoted text, got "contain": did you mean contains?`,
  );
  check(
    'a | stack file',
    `1:15: expected ${comparisons} or a quoted text, got the end of the query`,
  );
  check('a | stack contains', '1:19: expected a quoted text, got the end of the query');
  check('a | stack starts "x"', '1:18: expected with, got "\\""');
  check('a | stack line "7"', '1:16: expected a number, got a text');
  check('a | stack line contains 7', '1:16: expected equals or a number after line');
  check('a | stack function 7', '1:20: expected a quoted text, got a number');
  check('a | stack line 7x', '1:16: expected a number below 2^64 such as 12 or 0x4a2f, got 7x');
  check('a | frame "x"', '1:11: expected keep or drop, got "\\""');
  check('a | focus', '1:10: expected a quoted text, got the end of the query');
  check('a | focus x', '1:11: expected a quoted text, got "x"');
  check('a | focus "x', '1:11: unterminated string, expected a closing "');
  check('a | focus "\\z"', '1:12: unknown escape sequence \\z');
  check('a | sandwich ""', '1:14: a function name must not be empty');
  check('a | root ""', '1:10: a function name must not be empty');
  check(
    'a | collapse keep "x"',
    '1:14: expected recursion, contains, equals, starts with, matches, function, system, file, binary, package, kind, address, line or a quoted text, got "keep"',
  );
  check('a | by job', '1:8: expected "(", got "job"');
  check('a | by ()', '1:9: expected a label name, got ")"');
  check('a | own ("")', '1:10: a prefix must not be empty');
  check('a | by (job', '1:12: expected "," or ")", got the end of the query');
  check('a | by (job,,)', '1:13: expected a label name or ")", got ","');
  check('a | by (a) | by (b)', '1:14: by is given twice');
  check('a | top', '1:8: expected a number, got the end of the query');
  check('a | top 0', '1:9: expected a number from 1 to 4294967295');
  check('a | top 1 | top 2', '1:13: top is given twice');
  check('a | invert, b', '1:11: expected "|" or the end of the query, got ","');
  check('diff(', '1:6: expected a profile type or "{", got the end of the query');
  check('diff(a', '1:7: expected except, offset, "{", "@", "|" or ",", got the end of the query');
  check('diff(a)', '1:7: expected except, offset, "{", "@", "|" or ",", got ")"');
  check(
    'diff(a, b',
    '1:10: expected except, offset, "{", "@", "|" or ")", got the end of the query',
  );
  check('diff(a, b | invert', '1:19: expected "|" or ")", got the end of the query');
  check('diff(a, b, c)', '1:10: expected except, offset, "{", "@", "|" or ")", got ","');
  check('diff(a, b) offset 1d', '1:12: expected "|" or the end of the query, got "offset"');
  check('diff(a, diff(b, c))', '1:9: a diff has no diffs in it');
  check('diff('.repeat(6_000), '1:45: parentheses are nested more than 8 deep');
  check(
    `a{b="${'('.repeat(9)}", c='${'('.repeat(9)}`,
    "1:20: unterminated string, expected a closing '",
  );
  check('diff(a | top 3, b)', '1:10: expected top after the diff, not in it');
  check('diff(a, b | by (c))', '1:13: expected by after the diff, not in it');
  const invert = ' | invert'.repeat(65);
  check(`a${invert}`, '1:581: there are 65 stages, the limit is 64');
  for (const stage of ['focus "("', 'stack matches "(?=x)"']) {
    const at = 5 + stage.indexOf('"');
    const want = new RegExp(`^QueryError: 1:${at}: cannot compile regular expression: `);
    assert.throws(() => parseQuery(`a | ${stage}`), want);
  }
});

test('selectors: the other parts of a query are refused', () => {
  const check = (text: string, want: string): void =>
    assert.throws(() => parseSelector(text), { name: 'QueryError', message: want });
  check('a offset 1d', '1:3: expected only a selector of series, got an offset');
  check('a @ 1 to 2', '1:3: expected only a selector of series, got a time');
  check('a except @ 1 to 2', '1:3: expected only a selector of series, got a time');
  check('a | invert', '1:5: expected only a selector of series, got a stage');
  check('diff(a, b)', '1:1: expected only a selector of series, got a diff');
});

test('an excerpt shows the line with a caret under the mistake', () => {
  const check = (text: string, want: string): void =>
    assert.throws(
      () => parseQuery(text),
      (error) => error instanceof QueryError && error.excerpt === want,
    );
  check('cpu | stak "x"', 'cpu | stak "x"\n      ^');
  check('cpu{\n\ta=b,\n}', '\ta=b,\n\t  ^');
  check('cpu |', 'cpu |\n     ^');
});

test('positions point into the text', () => {
  const query = parseSelector('cpu{\n a="1", bc=~"2"}');
  assert.deepEqual(query.profile, { text: 'cpu', parts: ['cpu'], span: { from: 0, to: 3 } });
  const texts = query.matchers.map(({ span }) => query.text.slice(span.from, span.to));
  assert.deepEqual(texts, ['a="1"', 'bc=~"2"']);
  assert.equal(query.matchers[1].matches('2'), true);
  assert.equal(query.matchers[1].matches('12'), false);
});

test('strings: escapes of Go', () => {
  const check = (literal: string, want: string): void => assert.equal(unquote(literal), want);
  check('"\\a\\b\\f\\n\\r\\t\\v\\\\\\""', '\x07\b\f\n\r\t\v\\"');
  check("'\\''", "'");
  check('"\\x41\\101\\u00e4\\U0001F600"', 'AAä😀');
  check('"\\xc3\\xa4"', 'ä');
  check('"\\303\\244"', 'ä');
  check('`\\n`', '\\n');
});

test('any text gives a query or a QueryError that points into it', () => {
  const pieces = [
    '{',
    '}',
    '<',
    '>',
    ',',
    '=',
    '!~',
    '"',
    "'",
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
    '-',
    '7',
    '1d',
    ' offset ',
    ' @ ',
    ' to ',
    ' except ',
    'diff(',
    ' | stack contains "x"',
    ' | focus ',
    ' | not stack',
    ' | frame drop',
    ' file ',
    ' | by (',
    ' | top 7',
    ' | invert',
    ' starts ',
  ];
  const soup = fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (text) => {
      try {
        parseQuery(text);
      } catch (error) {
        assert.ok(error instanceof QueryError, String(error));
        const { from, to } = error.position;
        assert.ok(from >= 0 && from <= to && to <= text.length, `${from}-${to} in ${text.length}`);
      }
    }),
    { numRuns: 500 },
  );
});

test('long texts: refused above the limit, read in one pass below it', () => {
  assert.throws(() => parseQuery(' '.repeat(queryTextLengthMax + 1)), /characters, the limit is/);
  const count = Math.floor((queryTextLengthMax - 2) / 6);
  assert.equal(parseSelector(`{${'a="b",'.repeat(count)}}`).matchers.length, count);
  for (const piece of [
    '{',
    '"',
    '{a=',
    'a="',
    ',',
    '\\',
    '{"',
    '#\n',
    '<a=`',
    'diff(',
    'a|',
    '|by(',
  ]) {
    const text = piece.repeat(Math.floor(queryTextLengthMax / piece.length));
    assert.throws(() => parseQuery(text), QueryError);
  }
});

test('the generated parser is fresh', () => {
  const script = new URL('../../tools/generate/grammar.mjs', import.meta.url);
  const run = spawnSync(process.execPath, [script.pathname, '--check'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
});
