// Formats the visible data as Markdown for a chat or an issue: query, range, largest functions, and
// a link.
import { formatTotal, type Measure } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import type { SideWords } from '../language/side-letters.ts';
import type { FunctionTable } from '../tree/function-table.ts';
import { StringReader } from '../tree/strings.ts';

const functionsMax = 10;

export interface MarkdownView {
  readonly query: string;
  /** Description of the range. */
  readonly range: string;
  readonly headline: string;
  readonly measure: Measure;
  /** Sentence about a comparison or a selection; "" = none. */
  readonly sentence: string;
  /** Words for the sides of a comparison. */
  readonly sides: SideWords;
  readonly link: string;
}

/** Lists functions by self value; shares are shares of the total. */
export function formatMarkdown(table: FunctionTable, view: MarkdownView): string {
  const { whole, baseWhole } = table;
  const { before, now } = view.sides;
  const names = new StringReader(table.names);
  const share = (value: bigint, of: bigint): string =>
    formatPercent(of === 0n ? 0 : Number(value) / Number(of));
  const rows = [...table.order.self.subarray(0, functionsMax)].map((row) => {
    const [self, total] = [table.self[row], table.total[row]];
    const value = formatTotal(self, view.measure);
    const shares = `${share(self, whole)} | ${share(total, baseWhole ?? whole)}`;
    return `| ${shares} | ${value} | ${formatCode(names.get(row))} |`;
  });
  return [
    `**${view.headline}** · ${view.range}`,
    '',
    '```',
    view.query,
    '```',
    '',
    ...(view.sentence === '' ? [] : [view.sentence, '']),
    `| ${baseWhole === undefined ? 'self | total' : `self ${now} | self ${before}`} | self value | function |`,
    '| ---: | ---: | ---: | --- |',
    ...rows,
    '',
    `[Open this view](${view.link})`,
    '',
  ].join('\n');
}

/**
 * Quotes a name with more backticks than it contains, and escapes characters that would end a table
 * cell.
 */
function formatCode(name: string): string {
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const room = longest > 0 ? ' ' : '';
  return `${fence}${room}${name.replaceAll('|', '\\|')}${room}${fence}`;
}
