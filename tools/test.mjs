// `npm test`: gets the tools that tests need, runs all stages, and prints a summary.
//
// Usage: node tools/test.mjs [--quick | --full [--minutes n]] [stage...]; stages are listed in
// stages.mjs. `--full` makes randomized tests longer, adds tests that take long or need other
// tools, and finally runs randomized tests with new seeds for n minutes, 10 by default. The last
// line of stdout is always "N passed, N failed, N skipped".
import { parseArgs } from 'node:util';
import { installSdk } from './install-sdk.mjs';
import { childEnvironment, ensureInstalled, failSetup } from './setup.mjs';
import { testEnvironment } from './test-environment.mjs';
import { ensureTestTools, knownTestTools } from './test-tools.mjs';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    full: { type: 'boolean' },
    minutes: { type: 'string', default: '10' },
  },
  allowPositionals: true,
});
if (!(Number(values.minutes) > 0)) {
  process.stderr.write(`--minutes ${values.minutes}: must be a number of minutes\n`);
  process.exit(2);
}
if (values.full) process.env.TEST_FULL = '1';
process.env.TEST_MINUTES = values.minutes;
const { quickStages, stages } = await import('./stages.mjs');

const unknown = positionals.find((name) => !stages.some((stage) => stage.name === name));
if (unknown !== undefined) {
  const names = stages.map((stage) => stage.name).join(', ');
  process.stderr.write(`there is no stage ${unknown}; there are ${names}\n`);
  process.exit(2);
}

const results = [];
const env = await prepare().catch(failSetup);
for (const stage of chosenStages()) results.push(await runStage(stage, env));
process.exitCode = summarize(results) ? 0 : 1;
// A CI machine must run all stages, so the stages that were not run are printed last.
if (process.env.CI) {
  for (const result of results) {
    if (result.notRun !== undefined) process.stderr.write(`${notRunLine(result)}\n`);
  }
}

/** Returns the environment of tests. Quick tests need only packages. */
async function prepare() {
  const node = await ensureInstalled({ dev: true });
  await installSdk('s3');
  const needsTools = values.quick !== true && chosenStages().some((stage) => !stage.findsTools);
  const tools = needsTools ? await ensureTestTools(values.full === true) : (knownTestTools() ?? {});
  return { ...childEnvironment(node), ...testEnvironment(), ...tools, TEST_NODE: node };
}

function chosenStages() {
  const wanted = positionals.length > 0 ? positionals : values.quick ? quickStages : undefined;
  const chosen = stages.filter(
    ({ name, isFull }) => wanted?.includes(name) ?? (values.full || isFull !== true),
  );
  return stages.filter(({ name }) =>
    chosen.some((stage) => stage.name === name || stage.needs === name),
  );
}

async function runStage({ name, runWith }, env) {
  process.stdout.write(`\n== ${name}\n`);
  const start = performance.now();
  const counts = await runWith(env);
  if (counts.notRun !== undefined) {
    process.stdout.write(`${notRunLine({ name, ...counts })}\n`);
  } else if (counts.passed + counts.failed + counts.skipped === 0) {
    process.stdout.write('FAILED: the stage has no tests\n');
    counts.failed = 1;
  }
  const result = { name, seconds: (performance.now() - start) / 1_000, ...counts };
  process.stdout.write(`== ${describe(result)}\n`);
  return result;
}

/** Prints the table and the last line; returns true if everything was run and passed. */
function summarize(results) {
  process.stdout.write('\n');
  for (const result of results) process.stdout.write(`${describe(result)}\n`);
  const sum = (kind) => results.reduce((total, result) => total + result[kind], 0);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(sum);
  if (skipped > 0) process.stdout.write('a skipped test fails the run: see SKIPPED above\n');
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed === 0 && skipped === 0 && passed > 0;
}

function notRunLine({ name, notRun }) {
  return `the stage ${name} did not run: ${notRun.replaceAll(/\s*\n\s*/g, ' ')}`;
}

function describe({ name, seconds, passed, failed, skipped, notRun }) {
  const mark = notRun !== undefined ? '-' : failed + skipped === 0 ? 'ok' : 'FAIL';
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  return `${mark.padEnd(4)} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${counts}`;
}
