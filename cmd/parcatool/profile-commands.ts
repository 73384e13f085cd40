// Commands about profiles: tables of functions, changes, and exports.
import { AppError, errorCode } from '../../src/base/errors.ts';
import { changesMax } from '../../src/base/limits.ts';
import { readSumNote } from '../../src/model/sum-note.ts';
import { parseQuery } from '../../src/promql-like/parse.ts';
import { printQuery } from '../../src/promql-like/print.ts';
import type { SelectorPipeline } from '../../src/promql-like/query.ts';
import { invalidFlag } from '../flag-table.ts';
import { readAverages, changesText, type ChangesTitle } from './changes-table.ts';
import { divided, field, get, getJson, readInt64, readList, readString } from './shared/client.ts';
import type { Output } from './shared/command.ts';
import { explainNothing, hasSandwich } from './explain-nothing.ts';
import type { Options } from './shared/options.ts';
import { type Profiles, withProfiles } from './profiles-of.ts';
import type { Terminal } from './shared/terminal.ts';
import { type TopAnswer, topJson, type TopRow, topText } from './shared/top-table.ts';

/** List formats; other formats are exports. */
export const listFormats = ['text', 'json'];

/** Prints a table of functions, or stacks in an export format. */
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
    const isByLine = options.top.by === 'line';
    if (parseQuery(profiles.query).operand.kind === 'diff') {
      if (isByLine) throw invalidFlag('--by=line is for one query: a diff is by function');
      return changed(profiles, options, terminal);
    }
    const answer = isByLine ? await askLines(profiles) : await askTop(profiles, options.top);
    return options.format === 'json'
      ? topJson(answer, options.top)
      : topText(profiles.title, answer, options.top, terminal);
  });
}

/** Requests the stacks, and sums them by line. */
async function askLines(profiles: Profiles): Promise<TopAnswer> {
  const { client, query: text, from, to } = profiles;
  const head = await askTop(profiles, { rowsMax: 1, sort: 'flat' });
  // The first request has already printed all warnings, so further requests print none.
  const quiet = { ...client, warn: () => undefined };
  const what = { query: text, start: from, end: to, format: 'pprof' };
  // Imported here, because only this command needs the decoder.
  const { lineRows } = await import('./line-rows.ts');
  const rows = await lineRows(await get(quiet, '/api/v1/export', what), head.unit);
  return { ...head, rows, functionCount: rows.length };
}

async function askTop(
  profiles: Profiles,
  { rowsMax, sort }: Pick<Options['top'], 'rowsMax' | 'sort'>,
): Promise<TopAnswer> {
  const { client, query: text, from, to } = profiles;
  const json = await getJson(client, '/api/profiles/query', {
    mode: 'MODE_MERGE',
    reportType: 'REPORT_TYPE_TOP',
    'merge.query': text,
    'merge.start': from,
    'merge.end': to,
    ...(rowsMax > 0 && {
      'topLimit.count': String(rowsMax),
      'topLimit.cumulative': String(sort === 'cumulative'),
    }),
  });
  const isAverage = isSum(json);
  const divisor = isAverage ? Number(field(json, 'snapshots')) : 1;
  const rows = readList(field(json, 'top', 'list')).map((node) => topRow(node, divisor));
  if (rows.length === 0) throw await explainNothing(profiles);
  return {
    query: text,
    from,
    to,
    rows,
    // Servers of earlier versions list all functions.
    functionCount: Math.max(rows.length, Number(field(json, 'top', 'functions') ?? 0)),
    unit: readString(field(json, 'top', 'unit')),
    total: divided(readInt64(field(json, 'total')), divisor),
    profiles: Number(readInt64(field(json, 'profileCount'))),
    coveredNanos: readInt64(field(json, 'coveredNanos')),
    isAverage,
  };
}

/** Returns true if the values in a response are meaningless sums of snapshots. */
function isSum(answer: unknown): boolean {
  return readList(field(answer, 'warnings')).some(
    (said) => readSumNote(readString(said)) !== undefined,
  );
}

function topRow(node: unknown, divisor: number): TopRow {
  const name = readString(field(node, 'meta', 'function', 'name'));
  const address = readString(field(node, 'meta', 'location', 'address'));
  const binary = readString(field(node, 'meta', 'mapping', 'file'));
  const unnamed = address === '' ? '[unknown]' : `0x${BigInt(address).toString(16)}`;
  return {
    name: name !== '' ? name : binary === '' ? unnamed : `${unnamed} (${binary})`,
    file: readString(field(node, 'meta', 'function', 'filename')),
    flat: divided(readInt64(field(node, 'flat')), divisor),
    cumulative: divided(readInt64(field(node, 'cumulative')), divisor),
  };
}

/** Compares two queries or files, or a query with an earlier time. */
export function diff(
  args: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<Output> {
  return withProfiles(args, 'compare', options, (profiles) => changed(profiles, options, terminal));
}

async function changed(profiles: Profiles, options: Options, terminal: Terminal): Promise<Output> {
  const { client, query: text, baseQuery, from, to } = profiles;
  const { baseFrom, baseTo, normalize, top: rows } = options;
  const json = await getJson(client, '/api/v1/changes', {
    query: text,
    start: from,
    end: to,
    normalize,
    sort: rows.sort,
    ...(baseQuery !== undefined && { base_query: baseQuery }),
    ...(baseFrom !== '' && { base_start: baseFrom }),
    ...(baseTo !== '' && { base_end: baseTo }),
    limit: String(Math.min(rows.rowsMax || changesMax, changesMax)),
  });
  const [base, compared] = ['base', 'compared'].map((side) =>
    Number(field(json, side, 'profiles')),
  );
  const isZero = readInt64(field(json, 'base', 'total')) === 0n;
  const isNothing = isZero && readInt64(field(json, 'compared', 'total')) === 0n;
  if (base + compared === 0 || (isNothing && !profiles.areFiles)) {
    throw await explainNothing(profiles);
  }
  if (profiles.areFiles && (base === 0 || compared === 0)) {
    const type = readString(field(json, 'profileType')).replace(/^[^:]*:/, '');
    const without = base === 0 ? profiles.baseTitle : profiles.title;
    throw new AppError('invalid-argument', `cannot compare the files: ${without} has no ${type}`);
  }
  const areSums = isSum(json);
  if (areSums && normalize === 'none') {
    const why = 'they add up snapshots of different numbers: take --normalize=time';
    throw new AppError('invalid-argument', `cannot compare sums of ${rows.sort} values: ${why}`);
  }
  if (options.format === 'json') {
    const shown = areSums ? { ...Object(json), ...readAverages(json) } : json;
    return `${JSON.stringify(shown, undefined, 2)}\n`;
  }
  const look = { sort: rows.sort, areAverages: areSums };
  return changesText(json, changesTitle(profiles, options), look, terminal);
}

/** Returns the headings of both sides: file paths, or queries with times. */
function changesTitle(profiles: Profiles, { baseFrom, baseTo }: Options): ChangesTitle {
  const { title, baseTitle, areFiles, from, to, query: text } = profiles;
  const isBefore = baseTitle === undefined && baseFrom === '' && baseTo === '';
  const { operand, stages: all } = parseQuery(text);
  const stages = all.filter(({ kind }) => kind !== 'top');
  if (isBefore && operand.kind === 'diff') {
    const print = (side: SelectorPipeline): string =>
      printQuery({ operand: side.selector, stages: [...side.stages, ...stages] });
    const range = areFiles ? '' : `, ${from} to ${to}`;
    return { base: print(operand.base) + range, compared: print(operand.compared) + range };
  }
  if (areFiles) return { compared: title, base: baseTitle ?? title };
  const baseRange = isBefore ? 'the time before' : `${baseFrom || from} to ${baseTo || to}`;
  return {
    compared: `${title}, ${from} to ${to}`,
    base: `${baseTitle ?? title}, ${baseRange}`,
  };
}

export function exported(args: readonly string[], options: Options): Promise<Output> {
  return withProfiles(args, 'merge', options, async (profiles) => {
    const { client, query: text, from, to } = profiles;
    const what = { query: text, start: from, end: to };
    // Without this check, an unknown function would result in an empty file and no error.
    if (hasSandwich(text) && parseQuery(text).operand.kind !== 'diff') {
      await askTop(profiles, { rowsMax: 1, sort: 'flat' });
    }
    try {
      return options.format === 'pgo'
        ? await get(client, '/api/v1/pgo', what)
        : await get(client, '/api/v1/export', { ...what, format: options.format });
    } catch (error) {
      throw errorCode(error) === 'not-found' ? await explainNothing(profiles) : error;
    }
  });
}
