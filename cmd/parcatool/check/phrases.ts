// Phrases about a finding, such as "+4.1 % ± 2.2: fails at 3 %". All report formats use them.
import { counted } from '../../../src/base/text/counted.ts';
import { formatQuantity } from '../shared/terminal.ts';
import type { CheckResult, Finding, NeededMore } from './check-sides.ts';
import { printable } from '../../../src/base/printable.ts';
import { type Side, type Sides, sum } from './runs.ts';

/** Names of the outcomes in reports. */
export const outcomeWords = { exceeded: 'FAILED', unclear: 'unclear', kept: 'passed' } as const;

/** Returns the displayed name of an item: `total`, `package runtime`, `main.work`. */
export function itemName({ kind, name: given, measure }: Finding): string {
  if (kind === 'total') return 'total';
  const name = printable(given);
  if (kind === 'package') return `package ${name}`;
  return measure === 'cumulative' ? `${name} and its callees` : name;
}

/** Formats the change of an item: `+4.1 % ± 2.2`. */
export function changeText(finding: Finding): string {
  const { base, compared, halfWidth, baseTotal, limit } = finding;
  if (limit.kind === 'share') return `${percent(compared)} of the total ± ${number(halfWidth)}`;
  const difference = compared - base;
  if (limit.kind === 'cost') {
    const cost = `${signed(difference / baseTotal)} of the total ± ${number(halfWidth / baseTotal)}`;
    return base === 0 ? `new, ${cost}` : cost;
  }
  if (base === 0) return compared === 0 ? 'nothing on both sides' : 'new';
  return `${signed(difference / base)} ± ${number(halfWidth / base)}`;
}

/** Formats the limit: `3 %`, `1 % of the total`. */
function limitText({ limit: { kind, share } }: Finding): string {
  return kind === 'increase' ? percent(share) : `${percent(share)} of the total`;
}

/**
 * Formats the result of a change: `fails at 3 %`, `cannot tell at 3 %: 300 samples more needed`.
 */
export function verdictText(finding: Finding): string {
  const limit = limitText(finding);
  if (finding.outcome === 'exceeded') return `fails at ${limit}`;
  if (finding.outcome === 'kept') return `at most ${limit} is allowed`;
  return `cannot tell at ${limit}: ${neededText(finding.needed)}`;
}

function neededText(needed: NeededMore | undefined): string {
  if (needed === undefined) return 'more samples needed';
  const { runs, samples, lacksRuns } = needed;
  if (lacksRuns) return '3 or more runs of each side needed, which show the noise between runs';
  if (!Number.isFinite(samples)) return 'no number of runs would do';
  const count = counted(samples, 'sample');
  if (runs === 0) return `${count} more needed on each side`;
  return `${counted(runs, 'run')} more needed on each side, of ${count} together`;
}

/** Formats the source position of a finding: `decode.go:12`; "" if unknown. */
export function placeText({ place }: Finding): string {
  if (place === undefined) return '';
  const file = printable(place.path === '' ? place.file : place.path);
  return place.line > 0 ? `${file}:${place.line}` : file;
}

/** Formats a value of an average run with its unit. */
export function valueText(value: number, sides: Sides, { limit }: Finding): string {
  if (limit.kind === 'share' || sides.scaling === 'total') return percent(value);
  const { unit, scaling } = sides;
  if (scaling === 'none') return formatQuantity(BigInt(Math.round(value)), unit);
  if (unit === 'nanoseconds') return `${(value / 1e9).toPrecision(3)} cores`;
  return `${formatQuantity(BigInt(Math.round(value)), unit)}/s`;
}

/** Describes what was compared and how noise was estimated, with one sentence per line. */
export function methodLines({ sides, budget, source, findings }: CheckResult): string[] {
  const what = {
    none: 'values of a run',
    time: 'values for each second',
    total: 'shares of the total of a run',
  }[sides.scaling];
  const noise = {
    runs: "noise from the differences between runs (Welch's t test)",
    pairs: 'noise from the differences between pairs of runs in turns (paired t test)',
    samples: `noise from the number of samples (Poisson), and ${percent(budget.runNoise)} assumed between runs`,
  }[source];
  return [
    `${what}; ${noise}`,
    `${counted(findings.length, 'comparison')}, corrected by Holm's method: ${percent(budget.alpha)} of checks without a change fail at most`,
  ];
}

/** Describes a side: its title, runs and samples. */
export function sideText({ title, runs }: Side): string {
  const samples = sum(runs.map((run) => run.samples));
  return `${printable(title)}: ${counted(runs.length, 'run')}, ${counted(samples, 'sample')}`;
}

/** Formats the result: `check failed: 2 budgets are exceeded`. */
export function resultText({ findings }: CheckResult): string {
  const count = (outcome: Finding['outcome']): number =>
    findings.filter((one) => one.isDecisive && one.outcome === outcome).length;
  const [exceeded, unclear, kept] = [count('exceeded'), count('unclear'), count('kept')];
  const few = findings.filter(({ isDecisive }) => !isDecisive).length;
  const rest = [
    ...(unclear > 0 ? [`${unclear} cannot be told`] : []),
    ...(few > 0 ? [fewText(few)] : []),
    ...(kept > 0 ? [`${kept} passed`] : []),
  ].join(', ');
  const after = rest === '' ? '' : `, ${rest}`;
  if (exceeded > 0) {
    return `failed: ${counted(exceeded, 'limit')} ${exceeded === 1 ? 'is' : 'are'} exceeded${after}`;
  }
  if (unclear > 0) return `cannot tell: ${rest}`;
  return `passed: ${counted(kept, 'comparison')}${few > 0 ? `, ${fewText(few)}` : ''}`;
}

/** Formats the number of unclear functions that have no rule of their own. */
function fewText(count: number): string {
  return `${count} ${count === 1 ? 'has' : 'have'} too few samples`;
}

function percent(share: number): string {
  return `${number(share)} %`;
}

function signed(share: number): string {
  return `${share < 0 ? '\u2212' : '+'}${percent(Math.abs(share))}`;
}

/** Formats a share in percent, with one decimal if it is below ten. */
function number(share: number): string {
  const value = share * 100;
  return Math.abs(value) < 9.95 ? String(Number(value.toFixed(1))) : value.toFixed(0);
}
