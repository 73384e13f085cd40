// Tests the CI gate in a repository with two commits and a real Go benchmark: the action as GitHub
// runs it, the template as GitLab runs it, and how often the gate fails with and without a change.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { runParcatool } from '../support/parcatool.ts';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const root = join(import.meta.dirname, '../..');
const go = testTool('TEST_GO');
const scratch = await scratchDirectory();
after(() => scratch.remove());
const repository = join(scratch.path, 'repository');

function git(...args: string[]): string {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...who, ...args], { cwd: repository, encoding: 'utf8' }).trim();
}

/** Writes the program with a number of repeats; the first commit has 20. */
async function writeProgram(folder: string, repeats: number): Promise<void> {
  await cp(join(import.meta.dirname, 'ci-gate'), folder, { recursive: true });
  const file = join(folder, 'orders.go');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('const repeats = 20', `const repeats = ${repeats}`));
}

before(async () => {
  await mkdir(repository);
  git('init', '--quiet', '--initial-branch=main');
  await writeProgram(repository, 20);
  git('add', '.');
  git('commit', '--quiet', '--message=the program');
});

/** Runs the action's only step with its inputs, like GitHub's runner. */
async function runAction(inputs: Readonly<Record<string, string>>) {
  const action = parse(await readFile(join(root, 'deploy/ci/action.yml'), 'utf8'));
  const [step] = action.runs.steps;
  const values = new Map<string, string>();
  for (const [name, input] of Object.entries<{ default?: string }>(action.inputs)) {
    values.set(name, inputs[name] ?? input.default ?? '');
  }
  const env: Record<string, string> = {};
  for (const [name, text] of Object.entries<string>(step.env)) {
    env[name] = text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, key) => values.get(key) ?? '');
  }
  const summary = join(scratch.path, 'summary.md');
  await writeFile(summary, '');
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', step.run], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...env,
      PATH: `${dirname(go)}:${process.env['PATH']}`,
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: join(root, 'deploy/ci'),
      GITHUB_BASE_REF: '',
      GITHUB_STEP_SUMMARY: summary,
    },
  });
  return { status, stdout, stderr, summary: await readFile(summary, 'utf8') };
}

const inputs = {
  command: "go test -run='^$' -bench=. -benchtime=20x .",
  base: 'main',
  runs: '6',
  prepare: 'go vet .',
  parcatool: `${process.execPath} ${join(root, 'cmd/parcatool/main.ts')}`,
};

test('a change that makes it five times as slow fails, and is annotated', async () => {
  git('checkout', '--quiet', '-B', 'change');
  await writeProgram(repository, 100);
  git('commit', '--quiet', '--all', '--message=a slow change');
  const { status, stdout, stderr, summary } = await runAction(inputs);
  assert.equal(status, 4, stderr);
  assert.match(stdout, /^::error title=total::total: \+\d+ %25 ± \d+: fails at 3 %25$/m);
  assert.match(summary, /^### ❌ Profile check failed: /m);
  assert.match(summary, /\| ❌ \| `total` \|/);
  // The action has removed the base's checkout.
  assert.equal(git('worktree', 'list').split('\n').length, 1);
});

test('the template of GitLab, in a job that extends it', async () => {
  await mkdir(join(repository, 'ci'));
  await cp(join(root, 'deploy/ci/gate.sh'), join(repository, 'ci/gate.sh'));
  const template = parse(await readFile(join(root, 'deploy/ci/gitlab.yml'), 'utf8'));
  const job = template['.profile-gate'];
  const own = {
    GATE_COMMAND: "go test -run='^$$' -bench=. -benchtime=20x .",
    GATE_RUNS: '3',
    GATE_PARCATOOL: inputs.parcatool,
  };
  // In GitLab's files, a dollar sign is written as two.
  const variables = Object.entries<string>({ ...job.variables, ...own }).map(
    ([name, value]): [string, string] => [name, value.replaceAll('$$', '$')],
  );
  const { status, stderr } = spawnSync('bash', ['-e', '-c', job.script.join('\n')], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...Object.fromEntries(variables),
      PATH: `${dirname(go)}:${process.env['PATH']}`,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: git('rev-parse', 'main'),
    },
  });
  assert.equal(status, 4, stderr);
  assert.ok(
    !job.allow_failure.exit_codes.includes(4),
    'only a check that cannot tell is a warning',
  );
  const [folder] = job.artifacts.paths;
  const report = await readFile(join(repository, job.artifacts.reports.junit), 'utf8');
  assert.match(report, /<failure /);
  assert.match(
    await readFile(join(repository, folder, 'check.md'), 'utf8'),
    /Profile check failed/,
  );
  await rm(join(repository, 'ci'), { recursive: true });
});

test('a base that is not in the clone is named', async () => {
  const { status, stderr } = await runAction({ ...inputs, base: 'origin/main' });
  assert.equal(status, 1);
  assert.match(stderr, /^gate: origin\/main is not in this clone: fetch all of it/m);
});

/** Number of checks with a change, and of checks without one. */
const checks = 20;

/** Records both sides alternately, and checks them. */
async function checkOnce(base: string, compared: string) {
  const target = join(scratch.path, 'profiles');
  const folders = [`--folder=base=${base}`, `--folder=new=${compared}`];
  const flags = ['-test.run=^$', '-test.bench=.', '-test.benchtime=60x'];
  const recorded = await runParcatool(
    'record',
    ...folders,
    '--runs=6',
    `--target=${target}`,
    '--',
    './orders.test',
    ...flags,
  );
  assert.equal(recorded.code, 0, recorded.err);
  const sides = [`--base=${target}/base-*`, `--new=${target}/new-*`];
  const { code, out } = await runParcatool('check', ...sides, '-o=json');
  const { result, comparisons } = JSON.parse(out);
  const total = comparisons.find((one: { kind: string }) => one.kind === 'total');
  return { code, result, total };
}

test('20 checks without a change pass, and of 20 with 5 % more 19 do not', async () => {
  const [same, other, slower] = ['same', 'other', 'slower'].map((name) => join(scratch.path, name));
  for (const [folder, repeats] of [
    [same, 20],
    [other, 20],
    [slower, 21],
  ] as const) {
    await writeProgram(folder, repeats);
    execFileSync(go, ['test', '-c', '-o', 'orders.test', '.'], { cwd: folder });
  }
  let [falselyFailed, failed, unclear] = [0, 0, 0];
  for (let i = 0; i < checks; i += 1) {
    if ((await checkOnce(same, other)).code === 4) falselyFailed += 1;
    const { code, result, total } = await checkOnce(same, slower);
    if (code === 4) failed += 1;
    else if (result === 'unclear' && total.needed?.runs > 0) unclear += 1;
  }
  console.log({ falselyFailed, failed, unclear });
  assert.equal(falselyFailed, 0);
  assert.ok(failed + unclear >= checks - 1, `${failed} failed, ${unclear} were unclear`);
});
