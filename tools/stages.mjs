// Defines the stages of `npm test` in order: what each stage runs, and how its tests are counted.
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { runCampaigns } from './campaigns.mjs';
import { ensureNative, nativeEnvironment } from './build-native.mjs';
import { ensurePhp } from './php.mjs';
import { ensureNativeTools, findCompiler } from './test-tools.mjs';
import { ensureWeb, root, SetupError } from './setup.mjs';

/**
 * Longest time for a test file in milliseconds. The longest file takes a minute, or five minutes on
 * busy cores. Long campaigns may take a day.
 */
const testMillisMax = process.env.TEST_FULL === '1' ? 86_400_000 : 600_000;
/** Number of simultaneous processes if each uses a core completely. */
const processes = 2;
/**
 * Number of simultaneous test files. Tests wait for servers and pages, so two files would leave a
 * quarter of two cores idle.
 */
const filesAtOnce = 3;
/**
 * Number of parts of the unit tests. With two parts, one part ran alone for a third of the time.
 */
const unitShards = 6;
const countsFile = (part) => join(root, `.cache/test-counts-${process.pid}-${part}.json`);

/** A stage with a single command, which counts as one test. */
const check = (name, ...command) => ({ name, runWith: (env) => runCheck(command, env) });
/** A stage of test files. */
const tests = (name, ...patterns) => ({ name, runWith: (env) => runTests(patterns, env) });

/** A stage of test files that can share one process; see `runTogether`. */
const together = (name, ...patterns) => ({ name, runWith: (env) => runTogether(patterns, env) });

/**
 * All stages in order. `needs` is an earlier stage that must run, too, if a stage is selected by
 * name. A stage with `isFull` runs only in `npm run test:full`, because it takes long or needs more
 * tools. A stage with `findsTools` needs only tools that it finds itself.
 */
export const stages = [
  check('types', 'tsc', '-p', '.'),
  check('lint', 'oxlint', '--type-aware', '--deny-warnings', '--report-unused-disable-directives'),
  check('format', 'oxfmt', '--check'),
  tests('tidy', 'test/repository/**/*.test.ts'),
  together(
    'unit',
    '{src,cmd,tools,bench,agent,proto,web}/**/*.test.ts',
    'bpf/{decode-batch,sampling-period,stack-status}.test.ts',
    'test/script/*.test.ts',
  ),
  { name: 'page', runWith: buildPage },
  {
    ...tests('integration', 'test/{integration,whole-server}/{*,!(full)/**/*}.test.ts'),
    needs: 'page',
  },
  tests('fuzz', 'test/fuzz/**/*.test.ts'),
  tests('crash', 'test/crash/*.test.ts'),
  { ...tests('e2e', 'test/e2e/*.test.ts'), needs: 'page' },
  { name: 'unwind', runWith: testUnwinder },
  { name: 'agent', runWith: testAgent },
  { ...tests('interop', 'test/interop/**/*.test.ts'), needs: 'page', isFull: true },
  {
    ...tests('integration-full', 'test/integration/full/*.test.ts'),
    needs: 'page',
    isFull: true,
  },
  { ...tests('recipes', 'test/recipes/*.test.ts'), isFull: true },
  { ...tests('clickhouse', 'test/clickhouse/**/*.test.ts'), needs: 'page', isFull: true },
  { ...tests('e2e-full', 'test/e2e/full/**/*.test.ts'), needs: 'page', isFull: true },
  { ...tests('planted', 'test/crash/full/**/*.test.ts'), isFull: true },
  { ...tests('abuse', 'test/abuse/full/*.test.ts'), isFull: true },
  { name: 'release', runWith: testRelease, isFull: true },
  { name: 'native', runWith: testNative, isFull: true, findsTools: true },
  {
    name: 'campaigns',
    runWith: (env) => runCampaigns(Number(env.TEST_MINUTES), env),
    needs: 'page',
    isFull: true,
  },
];

/** Stages of the short loop, `npm run test:quick`. */
export const quickStages = ['types', 'lint', 'unit'];

async function runCheck([command, ...args], env) {
  const code = await exitCode(command, args, env);
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

async function buildPage(env) {
  try {
    await ensureWeb(env.TEST_NODE);
    return { passed: 1, failed: 0, skipped: 0 };
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Builds the add-on, then tests it in Rust, and from Node with this machine's kernel. */
async function testNative(env) {
  try {
    await ensureNative();
    const { cargo, env: buildEnv } = await nativeEnvironment();
    // Uses the add-on's release profile: its packages are already compiled, and the code reads
    // files fast.
    const flags = ['--release', '--locked', '--quiet'];
    const cargoEnv = { ...buildEnv, FUZZ_SECONDS: '180' };
    const where = ['--workspace', '--manifest-path', 'native/Cargo.toml'];
    const ofRust = await runCheck(
      [cargo, 'test', ...flags, ...where, '--', '--show-output'],
      cargoEnv,
    );
    const tools = { ...(await ensureNativeTools(true)), ...(await ensurePhp()) };
    const files = ['{bpf,native}/**/*.test.ts'];
    const ofNode = await runTests(files, { ...env, ...tools }, processes);
    return Object.fromEntries(
      Object.entries(ofNode).map(([kind, count]) => [kind, count + ofRust[kind]]),
    );
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Builds a release in a clean clone of the last commit, then installs and starts each artefact. */
async function testRelease(env) {
  const folder = join(root, '.cache/release-test');
  const clone = join(folder, 'clone');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const output = join(folder, 'dist');
  for (const [command, ...args] of [
    ['git', 'clone', '--quiet', '--no-hardlinks', root, clone],
    [process.execPath, join(clone, 'tools/release.mjs'), output],
  ]) {
    const code = await exitCode(command, args, { ...env, INIT_CWD: clone });
    if (code !== 0) return { passed: 0, failed: 1, skipped: 0 };
  }
  // Runs one file at a time, because each unpacks hundreds of megabytes.
  return runTests(['test/release/*.test.ts'], { ...env, TEST_RELEASE: output }, 1);
}

const openAndClose = `
import { openSampler } from './bpf/index.ts';
const sizes = { tableBytesMax: 1 << 20, ringBytes: 1 << 16, batchSamplesMax: 1 };
try {
  openSampler({ frequencyHz: 1, ...sizes }).close();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}`;
/** Matches the add-on's messages about missing kernel features. A refused program is a failure. */
const lackOfKernel =
  /^cannot start sampling: (missing |.*(not permitted|not supported|not implemented))/;

/**
 * Returns what this machine lacks for sampling, without the add-on, which takes minutes to build;
 * undefined if nothing.
 */
function lackingForSampling() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it needs Linux on x64';
  if (process.geteuid() !== 0) return 'it needs root';
  if (!existsSync('/sys/kernel/btf/vmlinux')) return 'it needs a kernel with BTF';
  // The host's namespace always has this number.
  if (readlinkSync('/proc/self/ns/pid') === 'pid:[4026531836]') return undefined;
  return 'it needs the PID namespace of the host';
}

const notRun = (why) => ({ passed: 0, failed: 0, skipped: 0, notRun: why });

/** Unwinds recorded stacks. This works without root, Rust, or a kernel with BTF. */
async function testUnwinder(env) {
  const compiler = findCompiler();
  if (compiler === undefined) return notRun('it needs a C compiler');
  return runTests(['bpf/unwind.test.ts'], { ...env, TEST_CC: compiler });
}

/** Samples all processes of this host, if possible. Only a failing build or test is a failure. */
async function testAgent(env) {
  const lacking = lackingForSampling();
  if (lacking !== undefined) return notRun(lacking);
  let tools;
  try {
    tools = await ensureNativeTools(true);
    await nativeEnvironment();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return notRun(error.message);
  }
  try {
    await ensureNative();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const flags = ['--input-type=module', '--eval', openAndClose];
  const { status, stderr } = spawnSync(env.TEST_NODE, flags, { cwd: root, encoding: 'utf8' });
  if (status !== 0 && lackOfKernel.test(stderr)) return notRun(stderr.trim());
  const folders = env.TEST_FULL === '1' ? '{agent,agent/full}' : 'agent';
  // Tests of names in real programs need the native symbolizer, and take a second more.
  const files = [
    `test/${folders}/*.test.ts`,
    'native/symbolizer/{end-to-end,late-program,mangled-names,requests}.test.ts',
  ];
  // With more tests at the same time, a sampled program would get too little CPU time.
  return runTests(files, { ...env, ...tools }, processes);
}

function runTests(patterns, env, atOnce = filesAtOnce) {
  const args = ['tools/run-files.mjs', atOnce, testMillisMax, ...patterns].map(String);
  return countTests(args, env, countsFile('all'));
}

/**
 * Runs many files in a few processes, one file after another in each process. With a process for
 * each file, starting them took as long as the tests themselves.
 */
async function runTogether(patterns, env) {
  const sums = { passed: 0, failed: 0, skipped: 0 };
  let next = 0;
  const runShards = async () => {
    while (next < unitShards) {
      next += 1;
      const shard = `--test-shard=${next}/${unitShards}`;
      // Timers left by a test must not keep the process alive.
      const common = ['--test-isolation=none', '--test-force-exit'];
      const flags = [...common, shard, `--test-timeout=${testMillisMax}`];
      const reporter = `--test-reporter=${join(root, 'tools/report.mjs')}`;
      const args = ['--test', ...flags, reporter, ...patterns];
      const counts = await countTests(args, env, countsFile(next));
      for (const kind of Object.keys(sums)) sums[kind] += counts[kind];
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, runShards));
  return sums;
}

async function countTests(args, env, file) {
  // In a new checkout, only the set-up of other tests creates the folder.
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const code = await exitCode('node', args, { ...env, TEST_COUNTS: file });
  const counts = readCounts(file);
  // The runner itself may fail even if no test failed.
  if (code !== 0 && counts.failed === 0 && counts.skipped === 0) counts.failed = 1;
  return counts;
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  } finally {
    rmSync(file, { force: true });
  }
}

function exitCode(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', (error) => {
      process.stderr.write(`cannot run ${command}: ${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
