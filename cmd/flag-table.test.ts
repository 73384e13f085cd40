import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagLines, type FlagRow, parseArguments } from './flag-table.ts';

const table: readonly FlagRow[] = [
  { name: 'format', short: 'o', placeholder: 'FORMAT', initial: 'text', help: 'How.' },
  { name: 'match', placeholder: 'SELECTOR', initial: '', help: 'Which.' },
  { name: 'help', placeholder: '', initial: 'false', help: 'This.' },
];
const rules = { table, positionalMax: 1 };

test('letters, arguments between flags, and the end of flags', () => {
  const check = (args: string[], format: string, positional: string[]): void => {
    const parsed = parseArguments(args, rules);
    assert.equal(parsed.flags.text('format'), format);
    assert.deepEqual(parsed.positional, positional);
  };
  check([], 'text', []);
  check(['-o', 'json', 'cpu'], 'json', ['cpu']);
  check(['cpu', '-o=json', '--format', 'pprof'], 'pprof', ['cpu']);
  check(['--', '--format'], 'text', ['--format']);
  check(['--help', '-'], 'text', ['-']);
  assert.deepEqual(parseArguments(['--match=a', '--match', 'b'], rules).flags.all('match'), [
    'a',
    'b',
  ]);
});

test('what is wrong is named', () => {
  const check = (args: string[], message: RegExp): void =>
    assert.throws(() => parseArguments(args, rules), message);
  check(['-x'], /unknown flag -x: see --help/);
  check(['-o'], /--format needs a value/);
  check(['-ojson'], /unexpected argument "-ojson"/);
  check(['a', 'b'], /unexpected argument "b"$/);
  check(['a', '--help', 'false'], /unexpected argument "false": write --help=false$/);
  check(['--help', 'a', 'false'], /unexpected argument "false"$/);
  check(['--formt=x'], /did you mean --format\?/);
});

test('lines of help', () => {
  assert.equal(
    flagLines(table.slice(0, 1)),
    '  -o, --format=FORMAT                  How. Default: text.\n',
  );
});
