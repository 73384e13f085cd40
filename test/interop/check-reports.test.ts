// Tests reports of `parcatool check` and the files in deploy/ci with third-party readers: go-sarif,
// junitparser, and check-jsonschema with the schemas of GitHub and GitLab. The profiles come from
// py-spy and Go.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { runParcatool } from '../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const root = join(import.meta.dirname, '../..');
const scratch = await scratchDirectory();
after(() => scratch.remove());
const ciTools = testTool('TEST_CI_TOOLS');

/** Runs a Python module with the packages for this test. */
function python(...args: string[]): string {
  const env = { ...process.env, PYTHONPATH: ciTools };
  return execFileSync(testTool('TEST_PYTHON'), args, { env, encoding: 'utf8' });
}

const sarif = join(scratch.path, 'check.sarif');
const junit = join(scratch.path, 'check.xml');

test('a check that fails writes its reports', async () => {
  for (const [i, offset] of [-60, 0, 60, 30, -30].entries()) {
    for (const [side, decode] of [
      ['base', 3_000],
      ['new', 3_900],
    ] as const) {
      const samples = [
        ['main.main;codec.De|c<o>"d`e&\u0001', BigInt(decode + offset)],
        ['main.main;runtime.mallocgc', BigInt(3_000 + offset)],
      ] as const;
      const timeNanos = BigInt(1_700_000_000 + i) * 1_000_000_000n;
      const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
      await writeFile(join(scratch.path, `${side}${i}.pb.gz`), profile);
    }
  }
  const sides = ['base', 'new'].map((side) => `--${side}=${scratch.path}/${side}*.pb.gz`);
  const reports = [`--report=sarif=${sarif}`, `--report=junit=${junit}`];
  assert.equal((await runParcatool('check', ...sides, ...reports)).code, 4);
});

test('go-sarif finds the SARIF valid, and reads its results', () => {
  const folder = join(import.meta.dirname, 'check-reports');
  const out = execFileSync(testTool('TEST_NEW_GO'), ['run', '.', sarif], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(out, 'budget-total error\nbudget-function error\n');
});

test('junitparser reads the counts and the names', () => {
  const script = `
import sys
from junitparser import JUnitXml
for suite in JUnitXml.fromfile(sys.argv[1]):
    print(suite.tests, suite.failures, suite.skipped, suite.errors)
    for case in suite:
        print(case.classname, case.name, [type(one).__name__ for one in case.result])
`;
  assert.deepEqual(python('-c', script, junit).split('\n'), [
    '3 2 0 0',
    "total total ['Failure']",
    "function codec.De|c<o>\"d`e&\ufffd ['Failure']",
    'function runtime.mallocgc []',
    '',
  ]);
});

test('GitHub and GitLab take the files of deploy/ci, and the examples of ci.md', async () => {
  const check = (schema: string, file: string): string =>
    python('-m', 'check_jsonschema', `--builtin-schema=vendor.${schema}`, file);
  const examples = (await readFile(join(root, 'docs/ci.md'), 'utf8'))
    .split(/\n(?=\S)/)
    .map((part) => part.slice(part.indexOf('\n')).replaceAll(/^ {4}/gm, ''));
  const example = async (name: string, mark: string): Promise<string> => {
    const file = join(scratch.path, name);
    const found = examples.find((part) => part.includes(mark));
    assert.ok(found !== undefined, mark);
    await writeFile(file, found);
    return file;
  };
  const workflow = await example('workflow.yml', '\non: pull_request\n');
  const job = await example('gitlab.yml', '\ninclude: {local');
  for (const [schema, file] of [
    ['github-actions', join(root, 'deploy/ci/action.yml')],
    ['gitlab-ci', join(root, 'deploy/ci/gitlab.yml')],
    ['github-workflows', workflow],
    ['gitlab-ci', job],
  ] as const) {
    assert.equal(check(schema, file), 'ok -- validation done\n');
  }
});

/** Records a command, with the tools first in PATH, and returns the largest function. */
async function recordTop(name: string, folder: string, ...command: string[]): Promise<string> {
  const target = join(scratch.path, name);
  const args = [`--folder=${folder}`, `--target=${target}`, '--', ...command];
  const variables = { PATH: process.env['PATH'], PYTHONPATH: process.env['PYTHONPATH'] };
  const tools = [
    join(ciTools, 'bin'),
    dirname(testTool('TEST_PYTHON')),
    dirname(testTool('TEST_GO')),
  ];
  process.env['PATH'] = [...tools, variables.PATH].join(':');
  process.env['PYTHONPATH'] = ciTools;
  try {
    const { code, out, err } = await runParcatool('record', ...args);
    if (code !== 0) return err;
    const top = await runParcatool('top', out.trim(), '--top=1', '-o=json');
    return JSON.parse(top.out).functions[0].name;
  } finally {
    Object.assign(process.env, { PATH: variables.PATH, PYTHONPATH: variables.PYTHONPATH ?? '' });
  }
}

const pythonTest = `
import time
def work():
    return sum(i * i for i in range(20000))
def test_work():
    end = time.process_time() + 0.5
    while time.process_time() < end:
        work()
def test_fails():
    assert False
`;

test('py-spy records pytest, and a test that fails fails the recording', async () => {
  await writeFile(join(scratch.path, 'test_work.py'), pythonTest);
  const pytest = ['python3', '-m', 'pytest', '-q', 'test_work.py'];
  assert.match(
    await recordTop('pytest', scratch.path, ...pytest, '-k', 'test_work and not fails'),
    /^work.* \(test_work\.py\)$/,
  );
  assert.equal(
    await recordTop('pytest', scratch.path, ...pytest),
    `parcatool: cannot record ${pytest.join(' ')}: it ended with code 1\n`,
  );
});

test('go test records a benchmark', async () => {
  const folder = join(import.meta.dirname, 'ci-gate');
  const command = ['go', 'test', '-run=^$', '-bench=.', '-benchtime=100x', '.'];
  assert.match(await recordTop('go', folder, ...command), /^[\w/]+\./);
});
