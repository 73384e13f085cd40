// Markdown of what is in view, for a chat or an issue: query, range, the largest functions, a link.
import { formatTotal, type Measure } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import type { TopAnswer } from '../rpc/api.ts';

const functionsMax = 10;

export interface MarkdownView {
  readonly query: string;
  /** The range, in words. */
  readonly range: string;
  readonly headline: string;
  readonly measure: Measure;
  readonly link: string;
}

/** Lists functions by their own value; shares are of the total. */
export function markdownOf({ top, total }: TopAnswer, view: MarkdownView): string {
  const whole = Number(total);
  const share = (value: bigint): string => formatPercent(whole === 0 ? 0 : Number(value) / whole);
  const rows = top.list
    .toSorted((a, b) => (a.flat < b.flat ? 1 : a.flat > b.flat ? -1 : 0))
    .slice(0, functionsMax)
    .map(({ meta, flat, cumulative }) => {
      const name = meta?.function?.name || `0x${(meta?.location?.address ?? 0n).toString(16)}`;
      const value = formatTotal(flat, view.measure);
      return `| ${share(flat)} | ${share(cumulative)} | ${value} | ${codeOf(name)} |`;
    });
  return [
    `**${view.headline}** · ${view.range}`,
    '',
    ...['```', view.query, '```'],
    '',
    '| self | total | self value | function |',
    '| ---: | ---: | ---: | --- |',
    ...rows,
    '',
    `[Open this view](${view.link})`,
    '',
  ].join('\n');
}

/** Escapes what ends a cell, and quotes with more backticks than the name has. */
function codeOf(name: string): string {
  const longest = Math.max(0, ...(name.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const room = longest > 0 ? ' ' : '';
  return `${fence}${room}${name.replaceAll('|', '\\|')}${room}${fence}`;
}
