// Tests that the checkout follows the rules in tools/tidy, with one test for each rule.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAll, isDebt, stripLine } from '../../tools/tidy/check.ts';
import { debts } from '../../tools/tidy/debts.ts';
import { fileRules } from '../../tools/tidy/file-rules.ts';
import { type SourceFile, sourceFiles } from '../../tools/tidy/files.ts';
import { lineRules } from '../../tools/tidy/line-rules.ts';
import { wordRules } from '../../tools/tidy/prose-rules.ts';

const files = sourceFiles(new URL('../..', import.meta.url).pathname);
const findings = findAll(files);

for (const { name } of [...lineRules, ...wordRules, ...fileRules]) {
  test(`tidy: ${name}`, () => {
    const found = findings.filter((finding) => finding.rule === name && !isDebt(finding));
    const lines = found.map(({ place, message }) => `${place}: ${message}`);
    assert.equal(lines.join('\n'), '');
  });
}

test('every tidy debt is still one', () => {
  const paid = debts.filter(
    ({ rule, path }) =>
      !findings.some((found) => found.rule === rule && stripLine(found.place) === path),
  );
  assert.deepEqual(paid, [], 'take these out of the list');
});

test('each line rule finds its own example', () => {
  for (const { name, pattern, example } of [...lineRules, ...wordRules]) {
    assert.match(example, pattern, name);
  }
});

test('words keep their other uses', () => {
  const lines = [
    '// Listens behind a reverse proxy.',
    '// The samples behind each value.',
    '// Leaves nothing behind.',
    '// Not any more than two.',
    '// A profile that has not been read.',
    '// So many rows lie in a chunk that reading them takes long.',
    '// A query that took so long.',
    "import { a } from './ingest-beside-query.ts';",
  ];
  for (const line of lines) {
    const found = wordRules.filter(({ pattern }) => pattern.test(line)).map(({ name }) => name);
    assert.deepEqual(found, [], line);
  }
});

test('each file rule finds what it is for', () => {
  const made = (path: string, text: string): SourceFile => ({
    path,
    byteCount: text.length,
    text: () => text,
  });
  const brokenLock = JSON.stringify(
    { packages: { a: { resolved: 'https://host/a.tgz', optionalDependencies: { b: '1' } } } },
    undefined,
    2,
  );
  const broken = [
    made('src/x/long.ts', '// Long.\n'.repeat(900)),
    made('src/x/silent.ts', 'export const a = 1;\n'),
    made('src/x/late.ts', '// Late.\n/** Of the rows: which are late. */\n'),
    made('src/x/lonely.ts', '// Lonely.\nexport const lonely = 1;\n'),
    made('src/x/big.bin', 'x'.repeat(300_000)),
    made('src/x/index.ts', '// Barrel.\n'),
    made('package-lock.json', brokenLock),
    made('package.json', '{"dependencies": {"a": "1.0.0"}}'),
    made('CHANGELOG.md', '# Changelog\n\nSome words.\n'),
  ];
  const names = new Set(findAll(broken).map(({ rule }) => rule));
  for (const { name } of fileRules) assert.ok(names.has(name), name);
});
