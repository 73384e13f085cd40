// Tests of the parser, the printer and the strings of the query language.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { queryTextLengthMax } from '../base/limits.ts';
import { parseQuery } from './parse.ts';
import { printQuery } from './print.ts';
import type { PrintableQuery } from './print.ts';
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
  check('a b', '1:3: expected "{" or the end of the query, got "b"');
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
  check('{}{}', '1:3: expected the end of the query, got "{"');
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

test('positions point into the text', () => {
  const query = parseQuery('cpu{\n a="1", bc=~"2"}');
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

test('a printed query reads back', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const name = fc.oneof(fc.constantFrom('job', 'instance', 'not-ok'), text).filter((it) => {
    return it !== '' && it !== '__name__';
  });
  const operator = fc.constantFrom('=' as const, '!=' as const);
  const regex = fc.constantFrom('=~' as const, '!~' as const);
  const expression = fc.constantFrom('a.*', '', '\\d+|"x"', '[`]');
  const matcher = fc.oneof(
    fc.record({ name, operator, value: text }),
    fc.record({ name, operator: regex, value: expression }),
  );
  const profile = fc.option(
    fc.oneof(fc.constantFrom('cpu', 'a:b:c:d:e:delta'), text).map((it) => ({ text: it })),
    { nil: undefined },
  );
  const query = fc.record({ profile, matchers: fc.array(matcher, { maxLength: 4 }) });
  const meaning = (parsed: PrintableQuery): unknown => ({
    profile: parsed.profile === undefined ? undefined : { text: parsed.profile.text },
    matchers: parsed.matchers.map((it) => ({
      name: it.name,
      operator: it.operator,
      value: it.value,
    })),
  });
  fc.assert(
    fc.property(query, (wanted) => {
      const printed = printQuery(wanted);
      const parsed = parseQuery(printed);
      assert.deepEqual(meaning(parsed), meaning(wanted));
      assert.equal(printQuery(parsed), printed);
    }),
  );
});

test('any text gives a query or a QueryError that points into it', () => {
  const soup = fc
    .array(
      fc.constantFrom(
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
      ),
    )
    .map((parts) => parts.join(''));
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
  assert.equal(parseQuery(`{${'a="b",'.repeat(count)}}`).matchers.length, count);
  for (const piece of ['{', '"', '{a=', 'a="', ',', '\\', '{"', '#\n', '<a=`']) {
    const text = piece.repeat(Math.floor(queryTextLengthMax / piece.length));
    assert.throws(() => parseQuery(text), QueryError);
  }
});

test('the generated parser is fresh', () => {
  const script = new URL('../../tools/generate/grammar.mjs', import.meta.url);
  const run = spawnSync(process.execPath, [script.pathname, '--check'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
});
