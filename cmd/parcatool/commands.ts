// The commands: what each is called with, and what it does.
import { resolve } from 'node:path';
import { exportFormats } from '../../src/api/v1/export-request.ts';
import { AppError } from '../../src/base/errors.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { flag, type FlagRow } from '../flag-table.ts';
import { field, getJson, listOf, textOf } from './client.ts';
import type { Command, Output } from './command.ts';
import { dataCommands } from './data/commands.ts';
import { insteadOf } from './explain-nothing.ts';
import type { Options } from './options.ts';
import { diff, exported, listFormats, query, top } from './profile-commands.ts';
import { push } from './push.ts';
import { printable } from './terminal.ts';

const serverFlags: readonly FlagRow[] = [
  flag(
    'server=URL',
    'http://localhost:7070',
    'Address of the server, with its path prefix; or in PARCA_ADDRESS.',
  ),
  flag('timeout=DURATION', '1m', 'Longest wait for an answer.'),
];
const outputFlag = flag('output=FILE', '', 'File to write to instead of the terminal.');

function rangeFlags(from: string, to: string): FlagRow[] {
  const forms = '15m ago, now-1h, RFC 3339, Unix seconds or milliseconds.';
  return [flag('from=TIME', from, `First moment: ${forms}`), flag('to=TIME', to, 'Last moment.')];
}

function formatFlag(formats: readonly string[]): FlagRow {
  const help = `${formats.join(', ')}.`;
  return { name: 'format', short: 'o', placeholder: 'FORMAT', initial: formats[0], help };
}

const topFlags: readonly FlagRow[] = [
  flag('top=COUNT', '20', 'Most functions to show; 0 = all.'),
  flag('sort=COLUMN', 'flat', 'flat or cumulative.'),
];
const colorFlag = flag(
  'color=WHEN',
  'auto',
  'always, never, or auto: at a terminal, unless NO_COLOR is set.',
);
/** Flags of commands about profiles. */
const profileFlags: readonly FlagRow[] = [
  ...serverFlags,
  ...rangeFlags('now-1h', 'now'),
  flag('query=QUERY', '', 'For files: which of their profiles to show.'),
  outputFlag,
];
/** Flags of the base of a diff. */
const baseFlags: readonly FlagRow[] = [
  flag(
    'base-from=TIME',
    '',
    'First moment of the base; by default the base is the time right before.',
  ),
  flag('base-to=TIME', '', 'Last moment of the base.'),
  flag(
    'normalize=BY',
    'time',
    'How the base is scaled: by time, by total (compares shares), or none.',
  ),
];

const rows: readonly Command[] = [
  {
    name: 'query',
    argument: 'PROFILES...',
    help: 'What a query selects: a table of functions, or its stacks.',
    formats: ['text', 'json', 'collapsed', 'pprof'],
    flags: [...profileFlags, ...topFlags, colorFlag],
    run: query,
  },
  {
    name: 'top',
    argument: 'PROFILES...',
    help: 'The functions that use the most.',
    formats: listFormats,
    flags: [...profileFlags, ...topFlags, colorFlag],
    run: top,
  },
  {
    name: 'diff',
    argument: 'PROFILES...',
    help: 'The functions that changed the most, without chance.',
    formats: listFormats,
    flags: [...profileFlags, ...baseFlags, ...topFlags, colorFlag],
    run: diff,
  },
  {
    name: 'export',
    argument: 'PROFILES...',
    help: 'A merged profile as a file; pgo is for go build -pgo.',
    formats: [...exportFormats, 'pgo'],
    flags: profileFlags,
    run: exported,
  },
  {
    name: 'push',
    argument: 'FILE...',
    help: 'Sends profile files to the server, each as a profile of one program.',
    formats: [],
    flags: [
      ...serverFlags,
      flag('job=NAME', '', 'Label job: the program. Required.'),
      flag('label=NAME=VALUE', '', 'Another label; may be repeated.'),
      flag(
        'name=NAME',
        '',
        'Name of the profiles, such as process_cpu; by default it follows from their types.',
      ),
    ],
    run: push,
  },
  {
    name: 'labels',
    argument: '[NAME]',
    help: 'The names of labels, or the values of one.',
    formats: listFormats,
    flags: [
      ...serverFlags,
      ...rangeFlags('', ''),
      flag(
        'match=SELECTOR',
        '',
        'Only labels of series that match; repeated selectors must all match.',
      ),
      flag('type=TYPE', '', 'Only labels of this profile type.'),
      outputFlag,
    ],
    run: labels,
  },
  {
    name: 'types',
    argument: '',
    help: 'The profile types that are stored.',
    formats: listFormats,
    flags: [...serverFlags, ...rangeFlags('', ''), outputFlag],
    run: types,
  },
  {
    name: 'delete',
    argument: 'QUERY',
    help: 'Deletes series for good; the server must run with --enable-admin-api.',
    formats: listFormats,
    flags: [...serverFlags, ...rangeFlags('', ''), outputFlag],
    run: deleteSeries,
  },
  {
    name: 'snapshot',
    argument: '',
    help: 'Makes a backup inside the storage path; the server must run with --enable-admin-api.',
    formats: listFormats,
    flags: [...serverFlags, outputFlag],
    run: snapshot,
  },
  {
    name: 'config check',
    argument: 'FILE',
    help: 'Checks whether the server would accept a configuration file.',
    formats: [],
    flags: [],
    run: configCheck,
  },
  ...dataCommands,
];

/** Every command, in the order of the help. docs/parcatool.md is checked against it. */
export const commands: readonly Command[] = rows.map((command) => ({
  ...command,
  flags:
    command.formats.length === 0 ? command.flags : [...command.flags, formatFlag(command.formats)],
}));

/** The flags of all commands, for values of flags that a command does not have. */
export const everyFlag: readonly FlagRow[] = commands.flatMap(({ flags }) => flags);

async function labels([name = '']: readonly string[], options: Options): Promise<Output> {
  const path = name === '' ? '' : `/${encodeURIComponent(name)}/values`;
  const json = await getJson(options.client, `/api/profiles/labels${path}`, {
    ...rangeParameters(options),
    match: options.match,
    profileType: options.profileType,
  });
  const values = listOf(field(json, name === '' ? 'labelNames' : 'labelValues'));
  if (name !== '' && values.length === 0) throw await noSuchLabel(name, options);
  return list(values, options);
}

async function noSuchLabel(name: string, options: Options): Promise<AppError> {
  const all = await getJson(options.client, '/api/profiles/labels', rangeParameters(options));
  const names = listOf(field(all, 'labelNames')).map(textOf);
  const isKnown = names.includes(name);
  const why = isKnown ? 'nothing matches' : `there is no label ${JSON.stringify(name)}`;
  const instead = isKnown ? '' : `, ${insteadOf(name, names)}`;
  return new AppError('not-found', printable(why + instead));
}

async function types(_none: readonly string[], options: Options): Promise<Output> {
  const json = await getJson(options.client, '/api/profiles/types', rangeParameters(options));
  const parts = ['name', 'sampleType', 'sampleUnit', 'periodType', 'periodUnit'];
  const names = listOf(field(json, 'types')).map((type) => {
    const delta = field(type, 'delta') === true ? ['delta'] : [];
    return [...parts.map((part) => textOf(field(type, part))), ...delta].join(':');
  });
  return list(names.sort(), options);
}

async function deleteSeries([selector]: readonly string[], options: Options): Promise<Output> {
  const asked = { query: selector, ...rangeParameters(options) };
  const answer = await getJson(options.client, '/api/v1/admin/delete', asked, 'POST');
  const series = Number(field(answer, 'series'));
  const blocks = Number(field(answer, 'blocks'));
  if (series === 0) throw new AppError('not-found', `no profiles match ${selector}`);
  if (options.format === 'json') return `${JSON.stringify({ series, blocks }, undefined, 2)}\n`;
  return `deleted ${series} series from ${blocks} blocks\n`;
}

async function snapshot(_none: readonly string[], options: Options): Promise<Output> {
  const answer = await getJson(options.client, '/api/v1/admin/snapshot', {}, 'POST');
  const path = textOf(field(answer, 'path'));
  const files = Number(field(answer, 'files'));
  const bytes = Number(field(answer, 'bytes'));
  if (options.format === 'json') return `${JSON.stringify({ path, files, bytes }, undefined, 2)}\n`;
  return `${printable(path)}: ${files} files, ${bytes} bytes\n`;
}

/** Parameters of the range; a bound that was not given is left out, which means all of history. */
function rangeParameters({ from, to }: Options): Record<string, string> {
  return { ...(from !== '' && { start: from }), ...(to !== '' && { end: to }) };
}

function list(values: readonly unknown[], { format }: Options): string {
  const texts = values.map(textOf);
  if (texts.length === 0) throw new AppError('not-found', 'nothing matches');
  if (format === 'json') return `${JSON.stringify(texts, undefined, 2)}\n`;
  return texts.map((text) => `${printable(text)}\n`).join('');
}

async function configCheck([file]: readonly string[]): Promise<Output> {
  // Imported here, because no other command needs the YAML parser.
  const { loadConfig } = await import('../../src/config/load.ts');
  const { scrapeConfigs } = await loadConfig(resolve(file), createFiles());
  const jobs = scrapeConfigs.length === 1 ? '1 job' : `${scrapeConfigs.length} jobs`;
  return `${file}: good, ${jobs}\n`;
}
