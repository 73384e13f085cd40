import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseArguments } from '../flag-table.ts';
import { commands, everyFlag } from './commands.ts';
import { type Options, readOptions } from './shared/options.ts';
import { exitCodes, programHelp } from './run.ts';

const nowMillis = Date.UTC(2026, 10, 21, 10);

function options(name: string, ...args: string[]): Options {
  const command = commands.find((one) => one.name === name);
  assert.ok(command !== undefined, name);
  const { flags } = parseArguments(args, {
    table: command.flags,
    others: everyFlag,
    positionalMax: 1,
  });
  return readOptions(flags, command.formats, nowMillis);
}

test('what is not given', () => {
  const query = options('query', 'cpu');
  assert.equal(query.client.url.href, 'http://localhost:7070/');
  assert.equal(query.client.timeoutMillis, 60_000);
  assert.equal(query.from, '2026-11-21T09:00:00Z');
  assert.equal(query.to, '2026-11-21T10:00:00Z');
  assert.equal(query.format, 'text');
  assert.deepEqual(query.top, { by: 'function', sort: 'flat', rowsMax: 20 });
  const labels = options('labels');
  assert.deepEqual([labels.from, labels.to, labels.match], ['', '', []]);
  assert.equal(options('export', 'cpu').format, 'pprof');
  const diff = options('diff', 'cpu');
  assert.deepEqual([diff.normalize, diff.color, diff.baseFrom], ['time', 'auto', '']);
});

test('what is given', () => {
  const given = options(
    'labels',
    '--server=host:1/p',
    '--from',
    'now-1d',
    '--match=a',
    '--match=b',
    '-o',
    'json',
  );
  assert.equal(given.client.url.href, 'http://host:1/p');
  assert.equal(given.from, '2026-11-20T10:00:00Z');
  assert.deepEqual(given.match, ['a', 'b']);
  assert.equal(given.format, 'json');
});

test('a duration is that long ago, with and without a minus', () => {
  for (const from of ['--from=1d', '--from=-1d']) {
    assert.equal(options('query', 'cpu', from).from, '2026-11-20T10:00:00Z');
  }
});

test('a time of the clock is the last one, in local time', () => {
  const at = (from: string): Date => new Date(options('query', 'cpu', `--from=${from}`).from);
  const now = new Date(nowMillis);
  const minute = (date: Date): string => date.toTimeString().slice(0, 5);
  const later = minute(new Date(nowMillis + 600_000));
  const earlier = minute(new Date(nowMillis - 600_000));
  assert.equal(at(earlier).getTime(), nowMillis - 600_000);
  assert.equal(minute(at(later)), later);
  assert.ok(at(later).getTime() < nowMillis - 22 * 3_600_000, String(at(later)));
  assert.equal(at(`${minute(now)}:00`).getTime(), nowMillis);
  assert.throws(() => at('24:00'), /cannot read time "24:00"/);
});

test('what is wrong is named', () => {
  const check = (args: string[], message: RegExp): void =>
    assert.throws(() => options('query', ...args), message);
  check(['--server=ftp://x'], /--server or PARCA_ADDRESS must be an address such as/);
  check(['--from=soon'], /cannot read time "soon"/);
  check(['--top=-1'], /--top must be a whole number from 0, not "-1"/);
  check(['--color=blue'], /--color must be auto, always, never, not "blue"/);
  check(['--sort=name'], /--sort must be flat, cumulative/);
  check(['-o', 'svg'], /--format must be text, json, collapsed, pprof, not "svg"/);
  check(['--timeout=0s'], /--timeout must be longer than 0/);
});

test('docs/parcatool.md has every command, format, flag and exit code', () => {
  const docs = readFileSync(new URL('../../docs/parcatool.md', import.meta.url), 'utf8');
  for (const { name, argument, formats, flags } of commands) {
    assert.ok(programHelp().includes(name), name);
    const row = docs.split('\n').find((line) => line.startsWith(`| \`${name}`));
    assert.ok(row?.startsWith(`| \`${name} ${argument}`.trimEnd()), name);
    for (const format of formats) assert.ok(docs.includes(`\`${format}\``), format);
    for (const flag of flags) assert.ok(docs.includes(`\`--${flag.name}\``), flag.name);
  }
  for (const code of Object.values(exitCodes)) assert.ok(docs.includes(`\n| ${code} | `));
});
