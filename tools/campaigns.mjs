// `npm run test:full`: the long campaigns of test/crash, in pieces that are done once a commit.
//
// Use: node tools/campaigns.mjs [--minutes n] [campaign...]. It goes on where the last run of this
// commit ended, and stops to begin pieces when the time is over. Totals go to test/crash/TOTALS.md.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment, ensureInstalled, failSetup, root } from './setup.mjs';
import { ensureTestTools } from './test-tools.mjs';
import { mergeTotals } from './campaign-totals.mjs';

/** What a commit of the store is: changes of other folders leave what was run as it was. */
const tested = ['src/base', 'src/model', 'src/storage', 'test/crash', ':!test/crash/TOTALS.md'];
const piecesAtOnce = 2;
const totalsFile = join(root, 'test/crash/TOTALS.md');

const range = (count, piece) => Array.from({ length: count }, (_, i) => piece(i));
/** Each piece is one program of test/crash with its arguments; it prints counts as JSON. */
const campaigns = {
  simulation: range(100, (i) => ['simulate.ts', 1 + 400 * i, 400, 25]),
  'failing calls': range(40, (i) => ['fail-calls.ts', 2_000, 40, i, 1]),
  'bit flips': range(128, (i) => ['flip-bits.ts', 128, i]),
  'power loss, ext4': range(15, (i) => ['power-loss.ts', 'ext4', 20, 100 * i + 1]),
  'power loss, ext4 noauto_da_alloc': range(15, (i) => [
    'power-loss.ts',
    'ext4 noauto_da_alloc',
    20,
    100 * i + 1,
  ]),
  'power loss, xfs': range(15, (i) => ['power-loss.ts', 'xfs', 20, 100 * i + 1]),
  'kill -9 of the server': range(40, (i) => ['kill-server.ts', 50, 1 + i]),
};

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: 'Infinity' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in campaigns));
if (unknown !== undefined) {
  process.stderr.write(`there is no campaign ${unknown}; there are:\n`);
  process.stderr.write(`${Object.keys(campaigns).join('\n')}\n`);
  process.exit(2);
}
const node = await ensureInstalled({ dev: true }).catch(failSetup);
const tools = await ensureTestTools().catch(failSetup);
const env = { ...childEnvironment(node), ...tools, TEST_NODE: node };
const deadline = performance.now() + Number(values.minutes) * 60_000;
const commit = git('log', '-1', '--format=%h', '--', ...tested);
const isChanged = git('status', '--porcelain', '--', ...tested) !== '';
const stateFolder = join(root, '.cache/campaigns');
const stateFile = join(stateFolder, `${commit}${isChanged ? '-changed' : ''}.json`);
/** By campaign: counts of its pieces by number; null for those that found something. */
const state = readState();
let violations = 0;

const names = positionals.length > 0 ? positionals : Object.keys(campaigns);
for (const name of names) await runCampaign(name, campaigns[name]);
finish();

async function runCampaign(name, pieces) {
  const results = (state[name] ??= {});
  let next = 0;
  const work = async () => {
    while (next < pieces.length && performance.now() < deadline) {
      const number = next;
      next += 1;
      if (results[number] !== undefined) continue;
      results[number] = await runPiece(name, pieces[number]);
      mkdirSync(stateFolder, { recursive: true });
      writeFileSync(stateFile, JSON.stringify(state));
      process.stdout.write(`${name}: ${Object.keys(results).length} of ${pieces.length}\n`);
    }
  };
  await Promise.all(range(piecesAtOnce, work));
}

/** The counts of a piece, or null when it found something; that is printed. */
function runPiece(name, [program, ...programArguments]) {
  return new Promise((resolve) => {
    const path = join(root, 'test/crash', program);
    const child = spawn(node, [path, ...programArguments.map(String)], { cwd: root, env });
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

function readState() {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'));
  } catch {
    return {};
  }
}

function finish() {
  const rows = Object.entries(campaigns).map(([name, pieces]) => {
    const results = Object.values(state[name] ?? {});
    return { name, pieces: pieces.length, results };
  });
  if (isChanged) {
    process.stdout.write('files are changed and not committed: totals are not noted\n');
  } else {
    const date = new Date().toISOString().slice(0, 10);
    const before = readFileSync(totalsFile, 'utf8');
    writeFileSync(totalsFile, mergeTotals(before, { commit, date, rows }));
  }
  for (const { name, pieces, results } of rows) {
    process.stdout.write(`${name}: ${results.length} of ${pieces} pieces done\n`);
  }
  process.exitCode = violations === 0 ? 0 : 1;
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}
