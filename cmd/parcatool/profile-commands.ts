// The commands about profiles: tables of functions, changes, and exports.
import { AppError } from '../../src/base/errors.ts';
import { changesMax } from '../../src/base/limits.ts';
import { changesText } from './changes-table.ts';
import type { ChangesTitle } from './changes-table.ts';
import { get, getJson } from './client.ts';
import type { Output } from './commands.ts';
import { field, int64Of, listOf, textOf } from './json.ts';
import type { Options } from './options.ts';
import { withProfiles } from './profiles-of.ts';
import type { Profiles } from './profiles-of.ts';
import type { Terminal } from './text-table.ts';
import { topJson, topText } from './top-table.ts';
import type { TopAnswer, TopRow } from './top-table.ts';

/** Formats of lists; others are exports. */
export const listFormats = ['text', 'json'];

/** A table of functions, or stacks where the format is one of an export. */
export function query(
  args: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<Output> {
  return listFormats.includes(options.format)
    ? top(args, options, terminal)
    : exported(args, options);
}

export function top(
  args: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<Output> {
  return withProfiles(args, 'merge', options, async (profiles) => {
    const answer = await askTop(profiles);
    return options.format === 'json'
      ? topJson(answer, options.top)
      : topText(profiles.title, answer, options.top, terminal);
  });
}

async function askTop({ client, query: text, from, to }: Profiles): Promise<TopAnswer> {
  const json = await getJson(client, '/api/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': text,
    'merge.start': from,
    'merge.end': to,
  });
  const rows = listOf(field(json, 'top', 'list')).map(topRow);
  if (rows.length === 0) throw new AppError('not-found', `no profiles match ${text}`);
  const unit = textOf(field(json, 'top', 'unit'));
  return { query: text, from, to, unit, total: int64Of(field(json, 'total')), rows };
}

function topRow(node: unknown): TopRow {
  const name = textOf(field(node, 'meta', 'function', 'name'));
  const address = textOf(field(node, 'meta', 'location', 'address'));
  const binary = textOf(field(node, 'meta', 'mapping', 'file'));
  const unnamed = address === '' ? '[unknown]' : `0x${BigInt(address).toString(16)}`;
  return {
    name: name !== '' ? name : binary === '' ? unnamed : `${unnamed} (${binary})`,
    file: textOf(field(node, 'meta', 'function', 'filename')),
    flat: int64Of(field(node, 'flat')),
    cumulative: int64Of(field(node, 'cumulative')),
  };
}

/** What changed from the first to the second of two queries or files, or over time. */
export function diff(
  args: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<Output> {
  return withProfiles(args, 'compare', options, async (profiles) => {
    const { client, query: text, baseQuery, from, to } = profiles;
    const { baseFrom, baseTo, normalize, top: rows } = options;
    const json = await getJson(client, '/api/v1/changes', {
      ...{ query: text, start: from, end: to, normalize, sort: rows.sort },
      ...(baseQuery !== undefined && { base_query: baseQuery }),
      ...(baseFrom !== '' && { base_start: baseFrom }),
      ...(baseTo !== '' && { base_end: baseTo }),
      limit: String(rows.rowsMax === 0 ? changesMax : Math.min(rows.rowsMax, changesMax)),
    });
    const count =
      Number(field(json, 'base', 'profiles')) + Number(field(json, 'compared', 'profiles'));
    if (count === 0) throw new AppError('not-found', `no profiles match ${text}`);
    if (options.format === 'json') return `${JSON.stringify(json, undefined, 2)}\n`;
    return changesText(json, titleOf(profiles, options), rows.sort, terminal);
  });
}

/** Files are named; what a server was asked has its times, too. */
function titleOf(profiles: Profiles, { baseFrom, baseTo }: Options): ChangesTitle {
  const { title, baseTitle, areFiles, from, to } = profiles;
  if (areFiles) return { compared: title, base: baseTitle ?? title };
  const isBefore = baseTitle === undefined && baseFrom === '' && baseTo === '';
  const baseRange = isBefore ? 'the time before' : `${baseFrom || from} to ${baseTo || to}`;
  return {
    compared: `${title}, ${from} to ${to}`,
    base: `${baseTitle ?? title}, ${baseRange}`,
  };
}

export function exported(args: readonly string[], options: Options): Promise<Output> {
  return withProfiles(args, 'merge', options, ({ client, query: text, from, to }) => {
    const what = { query: text, start: from, end: to };
    return options.format === 'pgo'
      ? get(client, '/api/v1/pgo', what)
      : get(client, '/api/v1/export', { ...what, format: options.format });
  });
}
