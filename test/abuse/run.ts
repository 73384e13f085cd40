// Attacks a server in 1 GiB, next to a client that pushes and asks, and prints a table.
//
//     node test/abuse/run.ts [--fast] [--server ours|parca|pyroscope|prometheus] [--program PATH]
//                            [--wall] [--verbose] [attack...]
//
// An attack is a name or the beginning of one. `--fast` makes attacks short and does not wait for
// memory. `--wall` counts waits for a core, which is right on an idle machine. Ends with 1 if the
// server has failed an attack.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scratchDirectory } from '../support/server.ts';
import { Arena, fillFolder, type Ground, type Pace } from './arena.ts';
import type { Attack } from './attack.ts';
import { attacks } from './attacks.ts';
import { doorsOf, type Kind } from './contender.ts';
import { columns, faultsOf, rowOf } from './verdict.ts';

const { values, positionals } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    server: { type: 'string', default: 'ours' },
    program: { type: 'string', default: '' },
    wall: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const kind = values.server as Kind;
const pace: Pace = values.fast
  ? { baselineMillis: 3_000, attackMillis: 6_000, settleMillis: 0, fillRounds: 2 }
  : { baselineMillis: 8_000, attackMillis: 15_000, settleMillis: 60_000, fillRounds: 6 };
const chosen = attacks.filter(
  ({ name, door }) =>
    doorsOf[kind].includes(door) &&
    (positionals.length === 0 || positionals.some((one) => name.startsWith(one))),
);
// On a disk: files in memory would count towards the server's.
const scratch = await scratchDirectory('/var/tmp');
try {
  const filled =
    kind === 'ours' ? await fillFolder(join(scratch.path, 'filled'), pace.fillRounds) : undefined;
  console.log(`| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`);
  let failed = 0;
  for (const [i, attack] of chosen.entries()) {
    const folder = join(scratch.path, `attack${i}`);
    if (!(await tryOne(attack, { kind, program: values.program, folder, filled }))) failed += 1;
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`${chosen.length - failed} of ${chosen.length} passed`);
  if (failed > 0) process.exitCode = 1;
} finally {
  await scratch.remove();
}

async function tryOne(attack: Attack, ground: Ground): Promise<boolean> {
  let arena: Arena | undefined;
  try {
    arena = await Arena.open(ground, attack.server ?? {}, pace.fillRounds);
    const trial = await arena.try(attack, pace);
    const faults = faultsOf(trial, { countsWaits: values.wall, slack: 1 });
    console.log(rowOf(trial, faults));
    if (values.verbose) {
      console.log(`  box: ${arena.box.name}; answers: ${JSON.stringify(trial.answers)}`);
      if (trial.ended !== undefined) console.log(arena.contender.log().slice(-3_000));
    }
    return faults.length === 0;
  } catch (error) {
    console.log(`| ${attack.name} | | | | | | FAIL: ${String(error)} |`);
    if (values.verbose) console.log(arena?.contender.log().slice(-3_000));
    return false;
  } finally {
    await arena?.close();
  }
}
