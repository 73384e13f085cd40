// Tests that names in other people's profiles cannot control the reader's terminal, wherever they
// are printed.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFilledServer } from '../support/filled-server.ts';
import { runParcatool, runParcatoolAtTerminal, type Run } from '../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

/**
 * String with sequences that set the title, write the clipboard, or clear the screen; also with C1
 * codes, a carriage return, and right-to-left text.
 */
const hostile =
  'x\u001b]0;owned\u0007\u001b]52;c;YQ==\u0007\u001b[2J\u009b31m\rok\u202egpj\u2066\u200b';
const timeNanos = BigInt(Date.parse('2026-01-01T00:30:00Z')) * 1_000_000n;
const profile = gzippedPprof(
  cpuProfile({ timeNanos, samples: [[`main;${hostile}`, 75n]], binary: `/bin/${hostile}` }),
);
const server = await startFilledServer(['--log-format=logfmt'], (push) =>
  push({ __name__: 'process_cpu', job: hostile }, profile),
);
after(() => server.stop());

/** Control and format characters other than line ends, tabs and the colours of tables. */
const unsafe = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/u;

function checkSafe({ out, err }: Run, what: string): void {
  // oxlint-disable-next-line no-control-regex -- the colours that tables have.
  const plain = out.replaceAll(/\u001b\[(?:0|1|31|32|33)m/g, '');
  assert.doesNotMatch(plain, unsafe, `stdout of ${what}`);
  assert.doesNotMatch(err, unsafe, `stderr of ${what}`);
}

test('no command prints what controls a terminal', async () => {
  const file = join(server.scratchPath, 'hostile.pb.gz');
  await writeFile(file, profile);
  const at = ['--from=2026-01-01T00:00:00Z', '--to=2026-01-01T01:00:00Z'];
  const ask = [...at, `--server=${server.address}`];
  const selector = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{}';
  const commands: readonly string[][] = [
    ['query', selector, ...ask],
    ['query', `${selector} | by (job)`, ...ask],
    ['query', selector, '--format=json', ...ask],
    ['query', selector, '--format=collapsed', ...ask],
    [
      'diff',
      selector,
      '--base-from=2025-12-31T23:00:00Z',
      '--base-to=2026-01-01T01:00:00Z',
      ...ask,
    ],
    ['export', selector, '--format=collapsed', ...ask],
    ['export', selector, '--format=speedscope', ...ask],
    ['labels', ...ask],
    ['labels', 'job', ...ask],
    ['labels', hostile, ...ask],
    ['series', ...ask],
    ['types', ...ask],
    ['top', file],
    ['export', file, '--format=collapsed'],
    ['push', file, `--label=job=${hostile}`, `--server=${server.address}`],
    ['query', `process_cpu{job="${hostile}`, ...ask],
    ['query', `nothing{job="${hostile}"}`, ...ask],
    ['symbols', `--server=${server.address}`],
    ['targets', `--server=${server.address}`],
    ['config', 'check', `/nowhere/${hostile}`],
    [hostile],
    ['query', `--${hostile}`],
    ['data', 'inspect', `/nowhere/${hostile}`],
  ];
  let printed = '';
  for (const [i, args] of commands.entries()) {
    const run = await runParcatoolAtTerminal(...args);
    checkSafe(run, args.join(' '));
    printed += run.out + run.err;
    assert.ok(run.out + run.err !== '', `command ${i} prints something`);
  }
  // The output contains the names, so there was something to filter.
  assert.match(printed, /\ufffd\[2J/);
});

test('files and pipes of line formats have no such characters, and errors never do', async () => {
  const at = ['--from=2026-01-01T00:00:00Z', '--to=2026-01-01T01:00:00Z'];
  const ask = [...at, `--server=${server.address}`];
  const selector = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{}';
  checkSafe(await runParcatool('export', selector, '--format=collapsed', ...ask), 'collapsed');
  checkSafe(await runParcatool('query', selector, ...ask), 'query');
  checkSafe(await runParcatool('query', `nothing{a="${hostile}"}`, ...ask), 'no profiles');
  checkSafe(await runParcatool('query', `nothing{a="${hostile}`, ...ask), 'a mistake');
});

test('a log has none either', async () => {
  await fetch(`${server.url}/${encodeURIComponent(hostile)}/\u009b31m`);
  assert.doesNotMatch(server.log(), unsafe);
});
