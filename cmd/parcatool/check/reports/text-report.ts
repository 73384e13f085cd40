// Result of a check for a terminal.
import { bold, green, red, tableLines, type Terminal, yellow } from '../../shared/terminal.ts';
import type { CheckResult, Finding } from '../check-sides.ts';
import {
  changeText,
  itemName,
  methodLines,
  outcomeWords,
  placeText,
  resultText,
  sideText,
  valueText,
  verdictText,
} from '../phrases.ts';
import type { Side } from '../runs.ts';

const colours = { exceeded: red, unclear: yellow, kept: green };

/** Formats the result. Shows only the first `keptMax` comparisons that passed. */
export function textReport(result: CheckResult, keptMax: number, terminal: Terminal): string {
  const { sides, findings } = result;
  const shown = listShown(findings, keptMax);
  const heads = ['result', 'base', 'new', 'change', 'what'];
  const rows = shown.map((finding) => ({
    cells: [
      outcomeWords[finding.outcome],
      valueText(finding.base, sides, finding),
      valueText(finding.compared, sides, finding),
      changeText(finding),
      `${itemName(finding)}${placeOf(finding)}: ${verdictText(finding)}`,
    ],
    colour: colours[finding.outcome],
  }));
  const few = findings.filter(({ isDecisive }) => !isDecisive).length;
  const more = findings.length - shown.length - few;
  const verdict = resultText(result);
  const last = terminal.isColoured ? `\u001b[${bold}m${verdict}\u001b[0m` : verdict;
  const lines = [
    sideLine('base', sides.base),
    sideLine('new', sides.compared),
    ...methodLines(result),
    '',
    ...(rows.length > 0 ? tableLines(heads, rows, { ...terminal, width: undefined }) : []),
    ...(few > 0 ? [`and ${few} that have too few samples to tell`] : []),
    ...(more > 0 ? [`and ${more} more that passed`] : []),
    '',
    last,
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the findings that failed or are decisive, and the first findings that passed. */
function listShown(findings: readonly Finding[], keptMax: number): Finding[] {
  let kept = 0;
  return findings.filter(({ outcome, isDecisive }) =>
    outcome === 'kept' ? (kept += 1) <= keptMax : isDecisive,
  );
}

function sideLine(name: string, side: Side): string {
  return `${name.padEnd(5)} ${sideText(side)}`;
}

function placeOf(finding: Finding): string {
  const text = placeText(finding);
  return text === '' ? '' : ` (${text})`;
}
