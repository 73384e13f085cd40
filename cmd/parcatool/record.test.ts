import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runParcatool } from '../../test/support/parcatool.ts';
import { recordOnce } from './record/record-once.ts';
import { chooseRecorder } from './record/choose-recorder.ts';

const folder = await mkdtemp(join(tmpdir(), 'parcatool-record-test-'));
after(() => rm(folder, { recursive: true }));

/** A program that calls `work` until it has used some CPU time. A call takes milliseconds. */
const program = `
function work() { let sum = 0; for (let i = 0; i < 5e6; i += 1) sum += Math.sqrt(i); return sum; }
while (process.cpuUsage().user < 150_000) work();
`;

const plan = { folder: '/scratch', frequencyHz: 500, variables: { NODE_OPTIONS: '--no-warnings' } };

test('each command has the profiler that it is for', () => {
  const wrap = (...args: string[]) => {
    const recorder = chooseRecorder('auto', args);
    const { args: all, variables } = recorder.wrap(args, plan);
    return [recorder.name, all.join(' '), variables];
  };
  assert.deepEqual(wrap('go', 'test', '-bench=.', './codec'), [
    'go',
    'go test -cpuprofile=/scratch/cpu.pb.gz -o=/scratch/program -bench=. ./codec',
    {},
  ]);
  assert.deepEqual(wrap('/tmp/codec.test', '-test.bench=.'), [
    'go',
    '/tmp/codec.test -test.bench=. -test.cpuprofile=/scratch/cpu.pb.gz',
    {},
  ]);
  assert.deepEqual(wrap('npm', 'test'), [
    'node',
    'npm test',
    {
      NODE_OPTIONS: '--no-warnings --cpu-prof --cpu-prof-dir="/scratch" --cpu-prof-interval=2000',
    },
  ]);
  assert.deepEqual(wrap('pytest', '-q'), [
    'py-spy',
    'py-spy record --format=raw --nolineno --subprocesses --rate=500 --output=/scratch/py-spy.collapsed -- python3 /scratch/run.py /scratch/exit-code pytest -q',
    {},
  ]);
  assert.deepEqual(wrap('./server', '--once'), [
    'perf',
    'perf record --event=cpu-clock:u --freq=500 --call-graph=fp --quiet --output=/scratch/perf.data -- ./server --once',
    {},
  ]);
  assert.equal(chooseRecorder('perf', ['go', 'test']).name, 'perf');
  assert.throws(() => wrap('go', 'test', '-cpuprofile=x'), /record sets -cpuprofile itself/);
});

test('stacks of Python lose what differs from run to run', () => {
  const runner = 'process 12:"python3 /tmp/run.py /tmp/exit-code python3 -c a\nb"';
  const child = 'process 15:"python3 -c a\nb"';
  const stacks = [
    `${runner};<module> (run.py);call (subprocess.py) 3`,
    `${runner} 1`,
    `${runner};${child};<module> (<string>);work (<string>) 40`,
    `${runner};${child};process 17:"python3 x";main (x.py) 2`,
    `${runner};${child} 5`,
    '',
  ];
  assert.equal(
    chooseRecorder('py-spy', []).clean(stacks.join('\n')),
    'python;<module> (<string>);work (<string>) 40\npython;main (x.py) 2\n',
  );
});

test('folders take turns, and each run has a profile', async () => {
  for (const name of ['before', 'after']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'work.cjs'), program);
  }
  const target = join(folder, 'profiles');
  const folders = ['before', 'after'].map((name) => `--folder=${name}=${join(folder, name)}`);
  const args = [...folders, '--runs=2', `--target=${target}`];
  const command = [process.execPath, 'work.cjs'];
  const { code, out, err } = await runParcatool('record', ...args, '--', ...command);
  assert.equal(code, 0, err);
  const files = ['after-1', 'after-2', 'before-1', 'before-2'].map((name) => `${name}.pb.gz`);
  assert.deepEqual(out, files.map((file) => `${join(target, file)}\n`).join(''));
  assert.deepEqual(await readdir(target), files);
  const order = err.split('\n').map((line) => / wrote .*\/([\w-]+)\./.exec(line)?.[1]);
  assert.deepEqual(order.filter(Boolean), ['before-1', 'after-1', 'after-2', 'before-2']);
  const top = await runParcatool('top', join(target, 'after-1.pb.gz'), '--top=0');
  assert.match(top.out, / work\n/);
});

test('a command that fails, and a profiler that is missing, are named', async () => {
  const target = `--target=${join(folder, 'none')}`;
  const record = async (...args: string[]) => {
    const { code, err } = await runParcatool('record', target, ...args);
    return [code, err];
  };
  assert.deepEqual(await record('--', process.execPath, '-e', 'process.exit(3)'), [
    1,
    `parcatool: cannot record ${process.execPath} -e process.exit(3): it ended with code 3\n`,
  ]);
  const args = ['pytest'];
  const recorder = chooseRecorder('auto', args);
  const variables = { PATH: folder };
  await assert.rejects(
    recordOnce({ args, folder, file: 'none', recorder, frequencyHz: 100, variables }),
    { message: 'cannot record by py-spy: py-spy is not on the path: pip install py-spy' },
  );
  assert.deepEqual(await record('--runs=0', '--', 'true'), [
    2,
    'parcatool: --runs must be from 1 to 1000, not 0\n',
  ]);
});
