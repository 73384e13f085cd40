// The command `check`: compares runs, and fails if they exceed a budget.
import { writeFile } from 'node:fs/promises';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { readBuildInfo } from '../build-info.ts';
import { invalidFlag } from '../flag-table.ts';
import { checkFormats, type CheckOptions } from './shared/check-options.ts';
import type { CodedOutput } from './shared/command.ts';
import type { Options } from './shared/options.ts';
import type { Terminal } from './shared/terminal.ts';
import type { Budget, BudgetRule, RuleKind } from './check/budget.ts';
import { checkSides } from './check/check-sides.ts';
import { findSources } from './check/find-sources.ts';
import { isPathLike, loadFileSides } from './check/load-sides.ts';
import { type ReportLook, reportWriter } from './check/reports/report-formats.ts';
import type { Sides } from './check/runs.ts';

/** Exit codes of results. */
const codes = { kept: 0, exceeded: 4, unclear: 5 } as const;

/** Limits where neither a flag nor a file sets them. */
const defaults = { total: 0.03, functions: 0.1, cost: 0.01, alpha: 0.01, runNoise: 0.03 };

/** Compares the runs of both sides. Errors: those of loadFileSides; 'invalid-argument'. */
export async function check(
  _none: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<CodedOutput> {
  const flags = options.check;
  const { base, compared } = flags;
  if (base.length === 0) throw invalidFlag('check needs --base: see check --help');
  if (compared.length === 0) throw invalidFlag('check needs --new: see check --help');
  const reports = readReports(flags);
  const budget = flagBudget(flags);
  const checked = checkSides(await loadSides(options), budget);
  const result = await findSources(checked, process.cwd());
  const look: ReportLook = {
    keptMax: options.top.rowsMax || Infinity,
    terminal,
    nowMillis: Date.now(),
    version: readBuildInfo().version,
  };
  for (const { write, file } of reports) {
    await save(write(result, { ...look, terminal: plainTerminal }), file);
  }
  const { outcome } = result;
  const isPassed = outcome === 'unclear' && !flags.failsIfUnclear;
  const text = reportWriter(options.format)?.(result, look) ?? '';
  return { text, code: isPassed ? 0 : codes[outcome] };
}

const plainTerminal: Terminal = { isColoured: false, width: undefined };

async function loadSides(options: Options): Promise<Sides> {
  const { base, compared, scaling } = options.check;
  const areFiles = await Promise.all([...base, ...compared].map(isPathLike));
  if (areFiles.some((one) => !one)) {
    throw invalidFlag('--base and --new must be files');
  }
  return loadFileSides(base, compared, options, scaling ?? 'none');
}

/** Returns the budget that flags and defaults make. */
function flagBudget(flags: CheckOptions): Budget {
  const costMin = flags.cost ?? defaults.cost;
  const rule = (kind: RuleKind, increaseMax: number | undefined): BudgetRule[] =>
    increaseMax === undefined
      ? []
      : [
          {
            kind,
            matches: () => true,
            pattern: '',
            measure: 'flat',
            increaseMax,
            costMin,
            shareMax: undefined,
          },
        ];
  return {
    rules: [
      ...rule('total', flags.total ?? defaults.total),
      ...rule('package', flags.packages),
      ...rule('function', flags.functions ?? defaults.functions),
    ],
    file: '',
    alpha: flags.alpha ?? defaults.alpha,
    runNoise: flags.runNoise ?? defaults.runNoise,
  };
}

function readReports({ reports }: CheckOptions) {
  return reports.map((text) => {
    const [, name = '', file = ''] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
    const write = reportWriter(name);
    if (write !== undefined) return { write, file };
    const formats = checkFormats.join(', ');
    throw invalidFlag(`--report must be FORMAT=FILE with ${formats}, not ${JSON.stringify(text)}`);
  });
}

async function save(text: string, file: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const message = `cannot write ${file}: ${errorMessage(error)}`;
    throw new AppError('failed-precondition', message, { cause: error });
  }
}
