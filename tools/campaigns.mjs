// `npm run test:full`: the long campaigns of test/crash and test/fuzz, in pieces that are done once
// for what they test.
//
// Use: node tools/campaigns.mjs [--minutes n] [--first piece] [campaign...]. It goes on where the
// last run of the same files ended, on another machine by test/crash/TOTALS.md, and stops to begin
// pieces when the time is over. Totals go to that file.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment, ensureInstalled, failSetup, root } from './setup.mjs';
import { ensureTestTools } from './test-tools.mjs';
import { mergeTotals, readTotals } from './campaign-totals.mjs';

/** What campaigns test, besides their own programs: changes elsewhere leave what was run as it was. */
const storage = ['src/base', 'src/model', 'src/storage'];
const queries = ['src/api', 'src/base', 'src/model', 'src/promql-like', 'src/query', 'src/report'];
const piecesAtOnce = 2;
const totalsFile = join(root, 'test/crash/TOTALS.md');

const range = (count, piece) => Array.from({ length: count }, (_, i) => piece(i));
/** Each piece is the program with arguments of its own; it prints counts as JSON. */
const campaignOf = (folder, program, tested, count, argumentsOf) => ({
  folder,
  tested,
  pieces: range(count, (i) => [program, ...argumentsOf(i)]),
});
/** By the first of `programs`, which needs the others, but none of them the simulation. */
const ofStorage = (programs, count, argumentsOf) => {
  const own = programs.map((name) => `test/crash/${name}`);
  const tested = [...storage, ':!src/storage/fake/simulation.ts', ...own];
  return campaignOf('test/crash', programs[0], tested, count, argumentsOf);
};
const ofQueries = (program, count, argumentsOf) =>
  campaignOf('test/fuzz', program, [...queries, 'test/fuzz'], count, argumentsOf);
const powerPrograms = ['power-loss.ts', 'loop-disk.ts', 'writer-process.ts', 'storage-writer.ts'];
const killPrograms = ['kill-server.ts', 'kill-round.ts', 'sent-rounds.ts', 'frequent-passes.ts'];
const flipPrograms = ['flip-bits.ts', 'flip-stores.ts', 'flip-target.ts'];
const failPrograms = ['fail-calls.ts', 'call-failures.ts'];
const powerLosses = (fileSystem) =>
  ofStorage(powerPrograms, 15, (i) => [fileSystem, 20, 100 * i + 1]);
const simulated = [...storage, 'test/crash/simulate.ts'];
const campaigns = {
  simulation: campaignOf('test/crash', 'simulate.ts', simulated, 100, (i) => [
    1 + 400 * i,
    400,
    25,
  ]),
  'failing calls': ofStorage(failPrograms, 40, (i) => [2_000, 40, i, 1]),
  'bit flips': ofStorage(flipPrograms, 16, (i) => [1 + 10_000 * i, 65_536, 1]),
  'power loss, ext4': powerLosses('ext4'),
  'power loss, ext4 noauto_da_alloc': powerLosses('ext4 noauto_da_alloc'),
  'power loss, xfs': powerLosses('xfs'),
  'kill -9 of the server': ofStorage(killPrograms, 40, (i) => [50, 1 + i]),
  'naive evaluation': ofQueries('oracle.ts', 100, (i) => [1 + 100 * i, 100, 40]),
  'texts of queries': ofQueries('queries.ts', 100, (i) => [1 + 10 * i, 10]),
  'requests with filters': ofQueries('filters.ts', 100, (i) => [1 + 10 * i, 10]),
};

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: 'Infinity' },
    first: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in campaigns));
if (unknown !== undefined) {
  process.stderr.write(`there is no campaign ${unknown}; there are:\n`);
  process.stderr.write(`${Object.keys(campaigns).join('\n')}\n`);
  process.exit(2);
}
if (!/^[1-9]\d*$/.test(values.first)) {
  process.stderr.write(`--first ${values.first}: pieces are numbered from 1\n`);
  process.exit(2);
}
const node = await ensureInstalled({ dev: true }).catch(failSetup);
const tools = await ensureTestTools().catch(failSetup);
const env = { ...childEnvironment(node), ...tools, TEST_NODE: node };
const deadline = performance.now() + Number(values.minutes) * 60_000;
const stateFolder = join(root, '.cache/campaigns');
let violations = 0;

const names = positionals.length > 0 ? positionals : Object.keys(campaigns);
for (const name of names) await runCampaign(name, campaigns[name]);
finish();

/**
 * A hash of the code that is tested, and whether it is not what is committed. Tests beside it and
 * lines that are comments alone are no part of it, as they are not run.
 */
function versionOf(tested) {
  const files = git('ls-files', '--', ...tested).split('\n');
  const hash = createHash('sha256');
  for (const file of files.filter((name) => !/\.test\.ts$|\.md$/.test(name))) {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*\n/gm, '');
    hash.update(`${file}\n${text}`);
  }
  const isChanged = git('status', '--porcelain', '--', ...tested) !== '';
  return { version: hash.digest('hex').slice(0, 7), isChanged };
}

async function runCampaign(name, { tested, folder, pieces }) {
  const stateFile = stateFileOf(name, tested);
  const results = readState(name, tested);
  let next = Number(values.first) - 1;
  const work = async () => {
    while (next < pieces.length && performance.now() < deadline) {
      const number = next;
      next += 1;
      if (results[number] !== undefined) continue;
      results[number] = await runPiece(name, folder, pieces[number]);
      mkdirSync(stateFolder, { recursive: true });
      writeFileSync(stateFile, JSON.stringify(results));
      process.stdout.write(`${name}: ${Object.keys(results).length} of ${pieces.length}\n`);
    }
  };
  await Promise.all(range(piecesAtOnce, work));
}

function stateFileOf(name, tested) {
  const { version, isChanged } = versionOf(tested);
  const suffix = `${version}${isChanged ? '-changed' : ''}`;
  return join(stateFolder, `${name.replaceAll(/\W+/g, '-')}-${suffix}.json`);
}

/** The counts of a piece, or null when it found something; that is printed. */
function runPiece(name, folder, [program, ...programArguments]) {
  return new Promise((resolve) => {
    const path = join(root, folder, program);
    // Two pieces share two cores: without helper threads of collections both take 24 s, not 28.
    const flags = ['--single-threaded-gc', path, ...programArguments.map(String)];
    const child = spawn(node, flags, { cwd: root, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('close', (code) => {
      if (code === 0) return resolve(JSON.parse(stdout));
      violations += 1;
      process.stderr.write(`FAILED ${name}: ${program} ${programArguments.join(' ')}\n${stderr}\n`);
      return resolve(null);
    });
  });
}

/** Counts of a campaign's pieces by number; null for those that found something. */
function readState(name, tested) {
  try {
    return JSON.parse(readFileSync(stateFileOf(name, tested), 'utf8'));
  } catch {
    // None yet, or the machine died while it was written.
  }
  const { version, isChanged } = versionOf(tested);
  return isChanged ? {} : readTotals(readFileSync(totalsFile, 'utf8'), { name, version });
}

function finish() {
  const rows = Object.entries(campaigns).map(([name, { tested, pieces }]) => {
    const results = readState(name, tested);
    return { name, ...versionOf(tested), pieces: pieces.length, results };
  });
  const committed = rows.filter(({ isChanged }) => !isChanged);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(totalsFile, mergeTotals(readFileSync(totalsFile, 'utf8'), date, committed));
  for (const { name, pieces, results, isChanged } of rows) {
    const note = isChanged ? '; files are changed and not committed: not noted' : '';
    process.stdout.write(
      `${name}: ${Object.keys(results).length} of ${pieces} pieces done${note}\n`,
    );
  }
  process.exitCode = violations === 0 ? 0 : 1;
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}
