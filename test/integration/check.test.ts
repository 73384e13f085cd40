// Tests `parcatool check` on profiles of a server: versions, runs, ranges of time, and the last
// good commit of a repository.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFilledServer } from '../support/filled-server.ts';
import { runParcatool } from '../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const startMillis = Date.parse('2026-01-01T00:00:00Z');
const range = ['--from=2026-01-01T00:00:00Z', '--to=2026-01-01T00:59:59Z'];
/** Differences between runs, in samples. */
const offsets = [-40, 0, 40, 20, -20];

function profile(minute: number, work: number): Buffer {
  const timeNanos = BigInt(startMillis + minute * 60_000) * 1_000_000n;
  const samples = [
    ['main;work', BigInt(work)],
    ['main;rest', 2_000n],
  ] as const;
  return gzippedPprof(cpuProfile({ timeNanos, samples }));
}

const repository = await mkdtemp(join(tmpdir(), 'parcatool-check-'));

function git(...args: string[]): string {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...who, ...args], { cwd: repository, encoding: 'utf8' }).trim();
}

/** Makes an empty commit, and returns its id. */
function commit(message: string): string {
  git('commit', '--quiet', '--allow-empty', '--message', message);
  return git('rev-parse', 'HEAD');
}

git('init', '--quiet', '--initial-branch=main');
commit('without profiles');
const good = commit('good');
// The check of this commit failed, so its profiles were not pushed.
commit('bad');
git('checkout', '--quiet', '-b', 'change');
const change = commit('change');

const server = await startFilledServer([], async (push) => {
  for (const [i, offset] of offsets.entries()) {
    const run = String(i);
    const series = { __name__: 'process_cpu', job: 'bench', run };
    await push({ ...series, commit: good }, profile(i, 2_000 + offset));
    await push({ ...series, commit: change }, profile(30 + i, 2_600 + offset));
    const service = { __name__: 'process_cpu', job: 'api' };
    // Pushes four profiles in each tenth of the hour; every other tenth has a different load.
    for (let minute = i; minute < 60; minute += offsets.length) {
      await push({ ...service, version: '1' }, profile(minute, 2_000 + offset));
      await push({ ...service, version: '2' }, profile(minute, 2_000 - offset));
    }
  }
});
after(async () => {
  await server.stop();
  await rm(repository, { recursive: true });
});

function check(...args: string[]) {
  return runParcatool('check', ...args, ...range, '-o=json', `--server=${server.address}`);
}

test('versions on a server are compared by parts of the time', async () => {
  const query = (version: string): string => `process_cpu:cpu{job="api", version="${version}"}`;
  const { code, out, err } = await check(`--base=${query('1')}`, `--new=${query('2')}`);
  assert.deepEqual([code, err], [0, '']);
  const { scale, noise, base, result } = JSON.parse(out);
  assert.deepEqual([scale, noise, result], ['time', 'runs', 'passed']);
  assert.equal(base.runs.length, 6);
  // The base has 60 profiles of about 4,000 samples.
  assert.equal(base.samples, 240_000);
});

test('values of a label are runs', async () => {
  const query = (id: string): string => `process_cpu:cpu{job="bench", commit="${id}"}`;
  const args = [`--base=${query(good)}`, `--new=${query(change)}`, '--run-label=run'];
  const { code, out } = await check(...args);
  const { scale, comparisons, new: compared } = JSON.parse(out);
  assert.deepEqual([code, scale, compared.runs.length], [4, 'none', 5]);
  assert.deepEqual(
    comparisons.map((one: { name: string; result: string }) => [one.name, one.result]),
    [
      ['', 'failed'],
      ['work', 'failed'],
      ['rest', 'passed'],
    ],
  );
});

test('the base is the last good commit of a branch, and the runs are files', async () => {
  const files = await Promise.all(
    offsets.map(async (offset, i) => {
      const file = join(repository, `run${i}.pb.gz`);
      await writeFile(file, profile(40 + i, 2_600 + offset));
      return file;
    }),
  );
  const args = [
    'check',
    '--base=process_cpu:cpu{job="bench"}',
    '--run-label=run',
    ...range,
    `--server=${server.address}`,
  ];
  process.env['GIT_DIR'] = join(repository, '.git');
  const news = files.map((file) => `--new=${file}`);
  const lastGood = '--last-good=main';
  const { code, out } = await runParcatool(...args, lastGood, ...news, '-o=json');
  const { base, summary } = JSON.parse(out);
  assert.deepEqual([code, summary], [4, 'failed: 2 limits are exceeded, 1 passed']);
  assert.equal(base.title, `process_cpu:cpu{job="bench", commit="${good}"}`);
  const none = await runParcatool(...args, '--last-good=nothing', ...news);
  assert.equal(none.code, 1);
  assert.match(none.err, /^parcatool: cannot run git merge-base: .*nothing/);
  const other = ['check', '--base=process_cpu:cpu{job="api"}', ...args.slice(2)];
  const unknown = await runParcatool(...other, lastGood, ...news);
  assert.deepEqual(
    [unknown.code, unknown.err],
    [
      3,
      'parcatool: cannot find a base: none of the last 3 commits of main has profiles of process_cpu:cpu{job="api"}\n',
    ],
  );
});

test('what cannot be compared is named', async () => {
  const query = 'process_cpu:cpu{job="api"}';
  const failure = async (...args: string[]) => {
    const { code, err } = await check(...args);
    return [code, err];
  };
  assert.deepEqual(await failure(`--base=${query}`, '--new=process_cpu:cpu{job="none"}'), [
    3,
    'parcatool: no profiles match process_cpu:cpu{job="none"} between 2026-01-01T00:00:00Z and 2026-01-01T00:59:59Z\n',
  ]);
  assert.deepEqual(await failure(`--base=${query}`, '--new=process_cpu:samples{job="api"}'), [
    1,
    'parcatool: cannot compare samples:count with a base of cpu:nanoseconds: set --query to one type\n',
  ]);
  assert.deepEqual(await failure(`--base=${query}`, `--base=x.pb.gz`, `--new=${query}`), [
    2,
    'parcatool: a side of a check is either files or queries\n',
  ]);
});

test('a budget file has rules of its own', async () => {
  const query = 'process_cpu:cpu{job="api"}';
  const file = join(repository, 'budget.yaml');
  const rules = [
    '  - {kind: function, match: work, max_share: 40%}',
    '  - {kind: function, match: rest, ignore: true}',
    '  - {kind: function, measure: cumulative, max_increase: 5%}',
  ];
  await writeFile(file, ['alpha: 0.1%', 'rules:', ...rules, ''].join('\n'));
  const sides = [`--base=${query}`, `--new=${query}`, `--budget=${file}`];
  const { code, out } = await check(...sides);
  const { alpha, comparisons } = JSON.parse(out);
  assert.deepEqual([code, alpha], [4, 0.001]);
  assert.deepEqual(
    comparisons.map((one: { sentence: string }) => one.sentence),
    [
      'work: 50 % of the total ± 0.2: fails at 40 % of the total',
      'main and its callees: +0 % ± 0: at most 5 % is allowed',
    ],
  );
  const misspelt = '{kind: function, match: wrok, max_increase: 1%}';
  await writeFile(file, `rules: [${misspelt}, {kind: total, max_increase: 1%}]`);
  const { code: passed, err } = await check(...sides);
  assert.deepEqual([passed, err], [0, 'parcatool: no function matches the rule "wrok"\n']);
  const empty = await check(...sides, '--scale=total');
  const why = 'no rule is about anything in these profiles';
  assert.deepEqual([empty.code, empty.err], [1, `parcatool: cannot check the budget: ${why}\n`]);
  const both = await check(...sides, '--total=3%');
  assert.deepEqual(
    [both.code, both.err],
    [2, 'parcatool: --budget and flags of limits exclude each other: write them to the file\n'],
  );
});
