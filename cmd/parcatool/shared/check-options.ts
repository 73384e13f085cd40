// Parsed flags of `check`.
import { type FlagValues, invalidFlag } from '../../flag-table.ts';

/** Scaling of a run's values: none, per second, or relative to the run's total. */
export const scalings = ['none', 'time', 'total'] as const;

export type Scaling = (typeof scalings)[number];

/** Formats for the result of a check. The first format is the default. */
export const checkFormats = ['text', 'json', 'markdown', 'junit', 'sarif', 'github'];

/** Maximum number of parts that the time range of a check is divided into. */
const windowsMax = 100;

/** Flags of `check`. Shares are numbers: 0.03 is 3 %. Flags that are not given are undefined. */
export interface CheckOptions {
  /** Files, glob patterns, or queries. */
  readonly base: readonly string[];
  readonly compared: readonly string[];
  /** Budget file; "" = the default file, if it exists. */
  readonly budgetFile: string;
  readonly scaling: Scaling | undefined;
  /** Largest increases. */
  readonly total: number | undefined;
  readonly packages: number | undefined;
  readonly functions: number | undefined;
  /** Share of the total below which increases are allowed. */
  readonly cost: number | undefined;
  readonly alpha: number | undefined;
  readonly runNoise: number | undefined;
  /** Label that identifies the runs of a query; "" = the runs are parts of the time range. */
  readonly runLabel: string;
  /** Number of parts of the time range. */
  readonly windows: number;
  /** Branch whose newest commit with profiles is the base; "" = the query selects the base. */
  readonly lastGood: string;
  /** True if an unclear result is a failure. */
  readonly failsIfUnclear: boolean;
  /** Additional reports as FORMAT=FILE. */
  readonly reports: readonly string[];
}

/** Reads the flags. Errors: AppError 'invalid-argument' with the name of the flag. */
export function readCheckOptions(flags: FlagValues): CheckOptions {
  const given = (name: string): string[] => flags.all(name).filter((one) => one !== '');
  const share = (name: string): number | undefined => {
    const text = flags.text(name);
    if (text === '') return undefined;
    const value = parsePercent(text);
    if (value !== undefined) return value;
    throw invalidFlag(`--${name} must be a percentage such as 3%, not ${JSON.stringify(text)}`);
  };
  const alpha = share('alpha');
  if (alpha !== undefined && !(alpha > 0 && alpha < 0.5)) {
    throw invalidFlag(`--alpha must be above 0% and below 50%, not ${flags.text('alpha')}`);
  }
  const windows = flags.count('windows');
  if (windows < 1 || windows > windowsMax) {
    throw invalidFlag(`--windows must be from 1 to ${windowsMax}, not ${windows}`);
  }
  const scaling = flags.oneOf('scale', ['', ...scalings]);
  return {
    base: given('base'),
    compared: given('new'),
    budgetFile: flags.text('budget'),
    scaling: scaling === '' ? undefined : scaling,
    total: share('total'),
    packages: share('package'),
    functions: share('function'),
    cost: share('cost'),
    alpha,
    runNoise: share('run-noise'),
    runLabel: flags.text('run-label'),
    windows,
    lastGood: flags.text('last-good'),
    failsIfUnclear: flags.oneOf('unclear', ['pass', 'fail']) === 'fail',
    reports: given('report'),
  };
}

/** Parses `3%` or `0.5 %` as a share. Returns undefined for other strings. */
export function parsePercent(text: string): number | undefined {
  const [, digits] = /^(\d+(?:\.\d+)?) ?%$/.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits) / 100;
}
