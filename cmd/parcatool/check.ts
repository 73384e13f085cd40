// The command `check`: compares runs, and fails if they exceed a budget.
import { stat, writeFile } from 'node:fs/promises';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { readBuildInfo } from '../build-info.ts';
import { invalidFlag } from '../flag-table.ts';
import { checkFormats, type CheckOptions, type Scaling } from './shared/check-options.ts';
import type { CodedOutput } from './shared/command.ts';
import type { Options } from './shared/options.ts';
import type { Terminal } from './shared/terminal.ts';
import type { Budget, BudgetRule, RuleKind } from './check/budget.ts';
import { readBudgetFile } from './check/budget-file.ts';
import { checkSides } from './check/check-sides.ts';
import { findSources } from './check/find-sources.ts';
import { loadSides } from './check/load-sides.ts';
import { type ReportLook, reportWriter } from './check/reports/report-formats.ts';

/** Exit codes by result. */
const codes = { kept: 0, exceeded: 4, unclear: 5 } as const;

/** Budget file that is used if it exists. */
const defaultFile = 'parca-budget.yaml';

/** Default limits, if neither a flag nor a file sets them. */
const defaults = { total: 0.03, functions: 0.1, cost: 0.01, alpha: 0.01, runNoise: 0.03 };

/** Compares the runs of both sides. Errors: as in loadSides; AppError 'invalid-argument'. */
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
  const budget = await findBudget(flags);
  const scaling = flags.scaling ?? budget.scaling;
  const folder = process.cwd();
  const sides = await loadSides({ ...options, check: { ...flags, scaling } }, folder);
  const result = await findSources(checkSides(sides, budget), folder);
  if (result.findings.length === 0) {
    const why = 'no rule is about anything in these profiles';
    throw new AppError('failed-precondition', `cannot check the budget: ${why}`);
  }
  for (const { kind, pattern } of result.unmatched) {
    options.note?.(`no ${kind} matches the rule ${JSON.stringify(pattern)}`);
  }
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

/** Returns the budget from a file, or from flags and defaults. */
async function findBudget(flags: CheckOptions): Promise<Budget & { readonly scaling?: Scaling }> {
  const limits = [flags.total, flags.packages, flags.functions, flags.cost];
  const hasLimits = limits.some((limit) => limit !== undefined);
  const isGiven = flags.budgetFile !== '';
  if (hasLimits && isGiven) {
    throw invalidFlag('--budget and flags of limits exclude each other: write them to the file');
  }
  const path = isGiven ? flags.budgetFile : await defaultBudget();
  const read = hasLimits || path === '' ? undefined : await readBudgetFile(path, createFiles());
  return {
    rules: read?.rules ?? flagRules(flags),
    file: read === undefined ? '' : path,
    alpha: flags.alpha ?? read?.alpha ?? defaults.alpha,
    runNoise: flags.runNoise ?? read?.runNoise ?? defaults.runNoise,
    ...(read?.scaling !== undefined && { scaling: read.scaling }),
  };
}

/** Returns the path of the default file; "" if it does not exist. */
async function defaultBudget(): Promise<string> {
  const found = await stat(defaultFile).catch(() => undefined);
  return found === undefined ? '' : defaultFile;
}

function flagRules(flags: CheckOptions): BudgetRule[] {
  const rule = (kind: RuleKind, increaseMax: number): BudgetRule => ({
    kind,
    matches: () => true,
    pattern: '',
    measure: 'flat',
    increaseMax,
    costMin: flags.cost ?? defaults.cost,
    shareMax: undefined,
  });
  return [
    rule('total', flags.total ?? defaults.total),
    ...(flags.packages === undefined ? [] : [rule('package', flags.packages)]),
    rule('function', flags.functions ?? defaults.functions),
  ];
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
