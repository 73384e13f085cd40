// Attacks a server with 1 GiB of memory, next to a client that pushes and queries. Prints a table.
//
//     node test/abuse/run.ts [--fast] [--memory] [--part 1/8] [--results FILE]
//                            [--server ours|parca|pyroscope|prometheus] [--program PATH]
//                            [--wall] [--verbose] [attack...]
//     node test/abuse/run.ts --table FILE
//
// `attack` is the name of an attack, or the start of its name. `--fast` makes attacks short, and
// waits for memory to shrink only with `--memory`; meanwhile the next server is attacked. `--part
// 1/8` tries every eighth attack. `--results` appends each result to a file, and `--table` prints
// the last result of each attack in such a file. `--wall` counts waits for a core, which is right
// on an idle machine. Exits with status 1 if the server has failed an attack.
import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { scratchDirectory } from '../support/server.ts';
import { attacks } from './attacks.ts';
import { type Outcome, paces, runCampaign } from './campaign.ts';
import { doorsByKind, type Kind } from './contender.ts';
import { failedRow, findFaults, type Row, makeRow, tableHead, tableLine } from './verdict.ts';

const { values, positionals } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    results: { type: 'string' },
    table: { type: 'string' },
    server: { type: 'string', default: 'ours' },
    program: { type: 'string', default: '' },
    wall: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

console.log(tableHead());
const rows = values.table === undefined ? await attack() : readRows(values.table);
const passed = rows.filter(({ faults }) => faults.length === 0).length;
console.log(`${passed} of ${rows.length} passed`);
if (passed < rows.length) process.exitCode = 1;

/** Reads a file of results; prints the last result of each attack, in the order of the attacks. */
function readRows(path: string): Row[] {
  const all = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  const last = new Map(all.map((line) => JSON.parse(line) as Row).map((row) => [row.attack, row]));
  const order = [...new Set(attacks.map(({ name }) => name))];
  const rows = order.map((name) => last.get(name)).filter((row) => row !== undefined);
  for (const row of rows) console.log(tableLine(row));
  return rows;
}

async function attack(): Promise<Row[]> {
  const kind = values.server as Kind;
  const pace = values.fast ? paces.fast : paces.slow;
  const settleMillis = values.fast && !values.memory ? 0 : pace.settleMillis;
  const [part, parts] = values.part.split('/').map(Number);
  const chosen = attacks
    .filter(({ name, door }) => {
      const isNamed = positionals.length === 0 || positionals.some((one) => name.startsWith(one));
      return isNamed && doorsByKind[kind].includes(door);
    })
    .filter((_, i) => i % parts === part - 1);
  const rows: Row[] = [];
  const scratch = await scratchDirectory('/var/tmp');
  try {
    await runCampaign(chosen, {
      kind,
      program: values.program,
      folder: scratch.path,
      pace: {
        baselineMillis: pace.baselineMillis,
        attackMillis: pace.attackMillis,
        settleMillis,
        fillRounds: pace.fillRounds,
      },
      tell: ({ name }, outcome) => rows.push(tell(name, outcome)),
    });
  } finally {
    await scratch.remove();
  }
  return rows;
}

/** Prints the result of an attack. */
function tell(attack: string, { trial, failure, log, box }: Outcome): Row {
  const row =
    trial === undefined
      ? failedRow(attack, failure)
      : makeRow(trial, findFaults(trial, { countsWaits: values.wall, slack: 1 }));
  console.log(tableLine(row));
  if (values.results !== undefined) appendFileSync(values.results, `${JSON.stringify(row)}\n`);
  if (values.verbose) {
    console.log(`  box: ${box}; answers: ${JSON.stringify(trial?.answers)}`);
    if (trial?.ended !== undefined || failure !== '') console.log(log.slice(-3_000));
    for (const line of log.split('\n')) if (line.includes('held up')) console.log(`  ${line}`);
  }
  return row;
}
