import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runParcatool } from '../../test/support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../../test/support/profiles/pprof-builder.ts';
import type { CheckResult } from './check/check-sides.ts';
import { findSources } from './check/find-sources.ts';

const folder = await mkdtemp(join(tmpdir(), 'parcatool-check-'));
after(() => rm(folder, { recursive: true }));

/** Offsets of the runs' samples from their mean. */
const offsets = [-60, 0, 60, 30, -30];

/** Writes runs of three functions, and returns their glob pattern. */
async function writeRuns(name: string, decode: number, runs = offsets.length): Promise<string> {
  for (const [i, offset] of offsets.slice(0, runs).entries()) {
    const samples = [
      ['main.main;example.com/codec.Decode', BigInt(decode + offset)],
      ['main.main;runtime.mallocgc', BigInt(3_000 + offset)],
      ['main.main', 4_000n],
    ] as const;
    const timeNanos = BigInt(1_700_000_000 + i) * 1_000_000_000n;
    await writeFile(
      join(folder, `${name}${i}.pb.gz`),
      gzippedPprof(cpuProfile({ timeNanos, samples })),
    );
  }
  return join(folder, `${name}*.pb.gz`);
}

const base = await writeRuns('base', 3_000);
const same = await writeRuns('same', 3_010);
const slower = await writeRuns('slower', 3_900);

test('runs without a change pass', async () => {
  const { code, out, err } = await runParcatool('check', `--base=${base}`, `--new=${same}`);
  assert.equal(err, '');
  assert.equal(
    out,
    [
      `base  ${base}: 5 runs, 50000 samples`,
      `new   ${same}: 5 runs, 50050 samples`,
      "values of a run; noise from the differences between runs (Welch's t test)",
      "4 comparisons, corrected by Holm's method: 1 % of checks without a change fail at most",
      '',
      'result     base      new        change  what',
      'passed  1.67min  1.67min  +0.1 % ± 1.4  total: at most 3 % is allowed',
      'passed    30.0s    30.1s  +0.3 % ± 2.3  example.com/codec.Decode (test.go): at most 10 % is allowed',
      'passed    40.0s    40.0s    +0 % ± 1.8  main.main (test.go): at most 10 % is allowed',
      'passed    30.0s    30.0s    +0 % ± 2.3  runtime.mallocgc (test.go): at most 10 % is allowed',
      '',
      'passed: 4 comparisons',
      '',
    ].join('\n'),
  );
  assert.equal(code, 0);
});

test('a slower function fails with the code of a budget', async () => {
  const args = [`--base=${base}`, `--new=${slower}`, '--package=20%', '--top=1'];
  const { code, out } = await runParcatool('check', ...args);
  assert.deepEqual(out.split('\n').slice(5), [
    'result     base      new       change  what',
    'FAILED  1.67min  1.82min   +9 % ± 1.4  total: fails at 3 %',
    'FAILED    30.0s    39.0s  +30 % ± 2.4  package example.com/codec: fails at 20 %',
    'FAILED    30.0s    39.0s  +30 % ± 2.4  example.com/codec.Decode (test.go): fails at 10 %',
    'passed    40.0s    40.0s   +0 % ± 1.8  package main: at most 20 % is allowed',
    'and 3 more that passed',
    '',
    'failed: 3 limits are exceeded, 4 passed',
    '',
  ]);
  assert.equal(code, 4);
});

test('one run a side cannot tell, which fails if that is wanted', async () => {
  const [before, after] = ['base0', 'same0'].map((name) => join(folder, `${name}.pb.gz`));
  const args = ['check', `--base=${before}`, `--new=${after}`, '-o', 'json'];
  const { code, out } = await runParcatool(...args);
  const { result, noise, comparisons } = JSON.parse(out);
  assert.deepEqual({ code, result, noise }, { code: 0, result: 'unclear', noise: 'samples' });
  assert.equal(
    comparisons[0].sentence,
    'total: +0.1 % ± 8.8: cannot tell at 3 %: 3 or more runs of each side needed, which show the noise between runs',
  );
  const strict = await runParcatool(...args, '--unclear=fail');
  assert.deepEqual([strict.code, strict.out], [5, out]);
});

test('--report writes further reports', async () => {
  const [json, junit] = ['report.json', 'report.xml'].map((name) => join(folder, name));
  const args = [
    `--base=${base}`,
    `--new=${same}`,
    `--report=json=${json}`,
    `--report=junit=${junit}`,
  ];
  const { code } = await runParcatool('check', ...args);
  assert.equal(code, 0);
  assert.equal(JSON.parse(await readFile(json, 'utf8')).result, 'passed');
  assert.match(await readFile(junit, 'utf8'), /tests="4" failures="0"/);
});

test('functions are shown at their sources in the working directory', async () => {
  const checkout = join(folder, 'checkout');
  await mkdir(join(checkout, 'src/codec'), { recursive: true });
  await writeFile(join(checkout, 'src/codec/a.go'), '');
  const place = (file: string) => ({ file, line: 3, path: '' });
  const files = [
    join(checkout, 'src/codec/a.go'),
    'example.com/m/src/codec/a.go',
    '/build/src/codec/a.go',
    'src/codec/a.go',
    '/elsewhere/a.go',
    'a.go',
    '../checkout/src/codec/b.go',
  ];
  const findings = files.map((file) => ({ outcome: 'exceeded', place: place(file) }));
  const { findings: found } = await findSources({ findings } as unknown as CheckResult, checkout);
  const own = 'src/codec/a.go';
  assert.deepEqual(
    found.map((one) => one.place?.path),
    [own, own, own, own, '', '', ''],
  );
});

test('shares leave out the total', async () => {
  const args = [`--base=${base}`, `--new=${slower}`, '--scale=total', '-o', 'json'];
  const { comparisons } = JSON.parse((await runParcatool('check', ...args)).out);
  assert.deepEqual(
    comparisons.map((one: { name: string; result: string }) => [one.name, one.result]),
    [
      ['example.com/codec.Decode', 'failed'],
      ['main.main', 'passed'],
      ['runtime.mallocgc', 'passed'],
    ],
  );
});

test('wrong arguments are named', async () => {
  const check = async (args: readonly string[], code: number, message: string): Promise<void> => {
    const { code: got, err } = await runParcatool('check', ...args);
    assert.deepEqual([got, err], [code, `parcatool: ${message}\n`]);
  };
  const none = join(folder, 'none*.pb.gz');
  await check([`--base=${base}`], 2, 'check needs --new: see check --help');
  await check([`--base=${none}`, `--new=${base}`], 3, `cannot read ${none}: there is no such file`);
  await check(
    ['--total=3', `--new=${base}`],
    2,
    '--total must be a percentage such as 3%, not "3"',
  );
  await check(
    [`--base=${base}`, `--new=${base}`, '--report=pdf=x'],
    2,
    '--report must be FORMAT=FILE with text, json, markdown, junit, sarif, github, not "pdf=x"',
  );
  const twice = join(folder, 'base0.pb.gz');
  await check(
    [`--base=${base}`, `--base=${twice}`, `--new=${base}`],
    2,
    `${twice} is given twice for one side`,
  );
});
