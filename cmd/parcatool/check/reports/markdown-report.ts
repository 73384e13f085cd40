// Result of a check as Markdown, for a comment on a pull request.
import type { CheckResult, Finding } from '../check-sides.ts';
import {
  changeText,
  itemName,
  methodLines,
  placeText,
  resultText,
  sideText,
  valueText,
  verdictText,
} from '../phrases.ts';
import type { Sides } from '../runs.ts';

/** First line of the comment. A later run finds the comment by this line, and updates it. */
const marker = '<!-- parcatool check -->';

const icons = { exceeded: '❌', unclear: '❔', kept: '✅' } as const;

/**
 * Maximum number of rows in a table, because a comment on GitHub is limited to 65,536 characters.
 */
const rowsMax = 50;
/** Maximum number of characters in a name, so that all rows fit. */
const nameMax = 200;

/** Formats the result. Lists only the first `keptMax` comparisons that passed. */
export function markdownReport(result: CheckResult, keptMax: number): string {
  const { sides, findings, outcome } = result;
  const kept = findings.filter((one) => one.outcome === 'kept');
  const others = findings.filter((one) => one.outcome !== 'kept' && one.isDecisive);
  const lines = [
    marker,
    `### ${icons[outcome]} Profile check ${escaped(resultText(result))}`,
    '',
    ...(others.length > 0 ? tableOf(others, rowsMax, sides) : []),
    ...(kept.length > 0 ? detailsOf(kept, Math.min(keptMax, rowsMax), sides) : []),
    `- base: ${escaped(sideText(sides.base))}`,
    `- new: ${escaped(sideText(sides.compared))}`,
    ...methodLines(result).map((line) => `- ${escaped(line)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function tableOf(findings: readonly Finding[], most: number, sides: Sides): string[] {
  const rows = findings.slice(0, most).map((finding) => {
    const place = placeText(finding);
    const cells = [
      icons[finding.outcome],
      code(itemName(finding)) + (place === '' ? '' : `<br>${code(place)}`),
      valueText(finding.base, sides, finding),
      valueText(finding.compared, sides, finding),
      changeText(finding),
      verdictText(finding),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const more = findings.length - rows.length;
  return [
    '| | what | base | new | change | |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    ...rows,
    '',
    ...(more > 0 ? [`and ${more} more`, ''] : []),
  ];
}

function detailsOf(findings: readonly Finding[], most: number, sides: Sides): string[] {
  const table = tableOf(findings, most, sides);
  return [`<details><summary>${findings.length} passed</summary>`, '', ...table, '</details>', ''];
}

/** Formats a name as code inside a table. */
function code(name: string): string {
  const shown = name.length > nameMax ? `${name.slice(0, nameMax)}…` : name;
  const inside = shown
    .replaceAll(/[\r\n]/g, ' ')
    .replaceAll('`', "'")
    .replaceAll('|', '\\|');
  return `\`${inside}\``;
}

/** Escapes characters that have a meaning in Markdown or HTML. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|&#~]/g, (mark) => `\\${mark}`);
}
