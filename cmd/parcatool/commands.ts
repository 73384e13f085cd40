// Table of all commands, and the implementations of commands that need no profiles.
import { resolve } from 'node:path';
import { exportFormats } from '../../src/api/routes/export-request.ts';
import { AppError } from '../../src/base/errors.ts';
import { counted } from '../../src/base/text/counted.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { nearestSentence } from '../../src/base/text/nearest.ts';
import { printable } from '../../src/base/printable.ts';
import { friendlyName } from '../../src/model/friendly-type.ts';
import { flag, type FlagRow } from '../flag-table.ts';
import { field, getJson, readList, readString } from './shared/client.ts';
import { checkFormats } from './shared/check-options.ts';
import { recorderNames } from './shared/record-options.ts';
import type { CodedOutput, Command, FailedOutput, Output } from './shared/command.ts';
import { dataCommands } from './data/commands.ts';
import { printBuildIds, uploadFiles } from './files/debuginfo.ts';
import { deleteSeries } from './delete-series.ts';
import { expandFlag, type Options, rangeParameters } from './shared/options.ts';
import { diff, exported, listFormats, query, top } from './profile-commands.ts';
import { addMark, listMarks, removeMark } from './marks.ts';
import { listTypeNames } from './profile-types.ts';
import { push } from './push.ts';
import type { Terminal } from './shared/terminal.ts';
import { token, webConfigCheck } from './token.ts';
import { users } from './users.ts';

const tokenFlag = flag(
  'bearer-token-file=FILE',
  '',
  'File with a token for the server; PARCA_BEARER_TOKEN_FILE sets the default.',
);
const loginFlags: readonly FlagRow[] = [
  flag(
    'user=NAME',
    '',
    'User of the server, also in front of its address; PARCA_USER sets the default.',
  ),
  flag(
    'password-file=FILE',
    '',
    'File with the password; PARCA_PASSWORD_FILE sets the default, PARCA_PASSWORD the password.',
  ),
];
const authorityFlag = flag(
  'ca-file=FILE',
  '',
  'Authorities to trust besides those of the system; PARCA_CA_FILE sets the default.',
);
const clientCertFlags: readonly FlagRow[] = [
  flag(
    'client-cert-file=FILE',
    '',
    'Certificate of this client, for servers that want one; PARCA_CLIENT_CERT_FILE sets the default.',
  ),
  flag('client-key-file=FILE', '', 'Its key; PARCA_CLIENT_KEY_FILE sets the default.'),
];
const serverFlags: readonly FlagRow[] = [
  flag(
    'server=URL',
    'http://localhost:7070',
    'Address of the server with its path prefix; PARCA_ADDRESS sets the default.',
  ),
  flag('timeout=DURATION', '1m', 'Longest wait for an answer.'),
  tokenFlag,
  ...loginFlags,
  authorityFlag,
  ...clientCertFlags,
];
const outputFlag = flag('output=FILE', '', 'File to write to instead of the terminal.');

function rangeFlags(from: string, to: string): FlagRow[] {
  const forms =
    '15m (15 minutes ago), 12:31 (local time, of the last 24 hours), now-1h, RFC 3339, Unix seconds or milliseconds.';
  return [
    flag('from=TIME', from, `Start of the range: ${forms}`),
    flag('to=TIME', to, 'End of the range.'),
  ];
}

function formatFlag(formats: readonly string[]): FlagRow {
  const help = `${formats.join(', ')}.`;
  return { name: 'format', short: 'o', placeholder: 'FORMAT', initial: formats[0], help };
}

const topFlags: readonly FlagRow[] = [
  flag('top=COUNT', '20', 'Number of functions to show at most; 0 means all.'),
  flag('sort=COLUMN', 'flat', 'Column to sort by: flat or cumulative.'),
];
const namesFlag = flag('names', 'false', 'Adds the name that the page has for each type.');
const byFlag = flag('by=WHAT', 'function', 'What a row is: a function, or a line of source.');
const colorFlag = flag(
  'color=WHEN',
  'auto',
  'When to use colors: always, never, or auto (at a terminal unless NO_COLOR is set).',
);
/** Flags of commands about profiles. */
const profileFlags: readonly FlagRow[] = [
  ...serverFlags,
  ...rangeFlags('now-1h', 'now'),
  flag(
    'symbolizer-wait=DURATION',
    '',
    'How long the answer may wait for names of addresses; by default as the server says.',
  ),
  flag('query=QUERY', '', 'For files: query that selects some of their profiles.'),
  outputFlag,
];
/** Flags of the base of a diff. */
const baseFlags: readonly FlagRow[] = [
  flag(
    'base-from=TIME',
    '',
    'Start of the base; by default the base is the time right before the range.',
  ),
  flag('base-to=TIME', '', 'End of the base.'),
  flag(
    'normalize=BY',
    'time',
    'How to scale the base: by time, by total (compares shares), by load (most functions then have no change), or none.',
  ),
];

/** Flags of `check`. */
const checkFlags: readonly FlagRow[] = [
  ...profileFlags.filter(({ name }) => name !== 'output'),
  flag(
    'base=FILES',
    '',
    'Profiles of the base: a file for each run, a pattern of files, or a query; may be repeated.',
  ),
  flag('new=FILES', '', 'Profiles to check, in the same forms.'),
  ...baseFlags.filter(({ name }) => name !== 'normalize'),
  flag(
    'run-label=NAME',
    '',
    'For queries: label whose values are runs; by default, parts of the time are.',
  ),
  flag('windows=COUNT', '6', 'For queries: number of parts of the time.'),
  flag(
    'last-good=BRANCH',
    '',
    'Base: the newest commit of the branch that has profiles, by the label commit.',
  ),
  flag('budget=FILE', '', 'File with the budget; by default parca-budget.yaml, if there is one.'),
  flag('scale=BY', '', 'Scale of the values of a run: none, time (a second), or total (shares).'),
  flag('total=PERCENT', '', 'Largest increase of the total; 3% by default.'),
  flag('package=PERCENT', '', 'Largest increase of each package.'),
  flag('function=PERCENT', '', 'Largest increase of each function; 10% by default.'),
  flag('cost=PERCENT', '', 'Increases below this share of the total are allowed; 1% by default.'),
  flag('alpha=PERCENT', '', 'Share of checks without a change that may fail; 1% by default.'),
  flag(
    'run-noise=PERCENT',
    '',
    'Noise between runs, assumed for less than 3 a side; 3% by default.',
  ),
  flag('unclear=HOW', 'pass', 'Result of a check that cannot tell: pass or fail.'),
  flag('report=FORMAT=FILE', '', 'Another report, in a format of --format; may be repeated.'),
  flag('top=COUNT', '5', 'Number of comparisons that passed to show at most; 0 means all.'),
  colorFlag,
  outputFlag,
];

/**
 * Flags of `debuginfo upload`, with the names of parca-debuginfo. Its --bearer-token is missing,
 * because command lines are visible in process lists.
 */
const uploadFlags: readonly FlagRow[] = [
  flag('store-address=HOST:PORT', 'localhost:7070', 'Address of the server.'),
  flag('insecure', 'false', 'Without TLS.'),
  flag('insecure-skip-verify', 'false', 'With TLS, but any certificate will do.'),
  tokenFlag,
  ...loginFlags,
  authorityFlag,
  ...clientCertFlags,
  flag('timeout=DURATION', '15m', 'Longest time of one call; the upload of a file is one.'),
  flag(
    'type=TYPE',
    '',
    'Kind of the files: debuginfo, executable, sources or source-map; by default what they are.',
  ),
  flag('build-id=ID', '', 'Build id of the file; by default its own, which sources do not have.'),
  flag('force', 'false', 'Uploads in place of a file that is there.'),
  flag('no-extract', 'false', 'Uploads code and data, too.'),
];

const rows: readonly Command[] = [
  {
    name: 'query',
    argument: 'PROFILES...',
    help: 'Prints the selected profiles as a table of functions or as stacks.',
    formats: ['text', 'json', 'collapsed', 'pprof'],
    flags: [...profileFlags, ...topFlags, byFlag, colorFlag],
    run: query,
  },
  {
    name: 'top',
    argument: 'PROFILES...',
    help: 'Prints the functions with the largest values.',
    formats: listFormats,
    flags: [...profileFlags, ...topFlags, byFlag, colorFlag],
    run: top,
  },
  {
    name: 'diff',
    argument: 'PROFILES...',
    help: 'Prints the functions that changed most; sums up changes that may be chance.',
    formats: listFormats,
    flags: [...profileFlags, ...baseFlags, ...topFlags, colorFlag],
    run: diff,
  },
  {
    name: 'users',
    argument: 'NAME',
    help: 'Prints the services and versions that use a function, a package or matching functions.',
    formats: listFormats,
    flags: [
      ...serverFlags,
      ...rangeFlags('now-1h', 'now'),
      flag('kind=KIND', 'function', 'What NAME is: function, package, or pattern in names.'),
      flag('query=QUERY', '', 'Profiles to search; by default all of CPU.'),
      flag('top=COUNT', '20', 'Number of rows to show at most; 0 means all.'),
      colorFlag,
      outputFlag,
    ],
    run: users,
  },
  {
    name: 'check',
    argument: '',
    help: 'Fails if a program uses more than a budget allows, beyond chance; for CI.',
    formats: checkFormats,
    flags: checkFlags,
    run: checkBudget,
  },
  {
    name: 'record',
    argument: 'COMMAND...',
    help: 'Runs a command after -- several times, and writes a CPU profile of each run.',
    formats: [],
    flags: [
      flag('runs=COUNT', '1', 'Number of runs in each folder; a check needs 3 or more.'),
      flag(
        'folder=NAME=FOLDER',
        '',
        'Folder to run in, and the name of its profiles; may be repeated: they take turns.',
      ),
      flag('target=FOLDER', 'profiles', 'Folder to write to.'),
      flag('with=HOW', 'auto', `Profiler: ${recorderNames.join(', ')}.`),
      flag('frequency=HZ', '1000', 'Samples a second; Go takes 100.'),
    ],
    run: recordCommand,
  },
  {
    name: 'export',
    argument: 'PROFILES...',
    help: 'Writes one merged profile as a file; pgo is for go build -pgo.',
    formats: [...exportFormats, 'pgo'],
    flags: profileFlags,
    run: exported,
  },
  {
    name: 'push',
    argument: 'FILE...',
    help: 'Sends profile files of one program to the server.',
    formats: [],
    flags: [
      ...serverFlags,
      flag('job=NAME', '', 'Value of the label job: the name of the program. Required.'),
      flag('label=NAME=VALUE', '', 'Another label of the profiles; may be repeated.'),
      flag(
        'name=NAME',
        '',
        'Name of the profiles, such as process_cpu; the default depends on their types.',
      ),
    ],
    run: push,
  },
  {
    name: 'import-from',
    argument: 'URL',
    help: 'Copies the history of a running Parca, or of another server like this, to the server.',
    formats: [],
    flags: [
      ...serverFlags,
      ...rangeFlags('now-365d', 'now'),
      flag('type=TYPE', '', 'Copies only this profile type.'),
      flag('dry-run', 'false', 'Only prints what would be copied.'),
      flag('source-bearer-token-file=FILE', '', 'File with a token for the server that is read.'),
    ],
    run: importHistory,
  },
  {
    name: 'labels',
    argument: '[NAME]',
    help: 'Lists the names of labels, or the values of one label.',
    formats: listFormats,
    flags: [
      ...serverFlags,
      ...rangeFlags('', ''),
      flag(
        'match=SELECTOR',
        '',
        'Lists only labels of series that match; of several selectors, all must match.',
      ),
      flag('type=TYPE', '', 'Lists only labels of this profile type.'),
      outputFlag,
    ],
    run: labels,
  },
  {
    name: 'types',
    argument: '',
    help: 'Lists the stored profile types.',
    formats: listFormats,
    flags: [...serverFlags, ...rangeFlags('', ''), namesFlag, outputFlag],
    run: types,
  },
  {
    name: 'mark',
    argument: 'TEXT',
    help: 'Marks a time, such as a rollout, in the graphs of everybody.',
    formats: listFormats,
    flags: [
      ...serverFlags,
      flag('time=TIME', 'now', 'The time, in the forms of --from.'),
      flag('link=URL', '', 'Address of the change.'),
      flag(
        'label=NAME=VALUE',
        '',
        'Shows the mark only for series with this label; may be repeated.',
      ),
      outputFlag,
    ],
    run: addMark,
  },
  {
    name: 'marks',
    argument: '',
    help: 'Lists the marked times.',
    formats: listFormats,
    flags: [...serverFlags, ...rangeFlags('', ''), outputFlag],
    run: listMarks,
  },
  {
    name: 'unmark',
    argument: 'ID',
    help: 'Removes a mark.',
    formats: [],
    flags: serverFlags,
    run: removeMark,
  },
  {
    name: 'delete',
    argument: 'QUERY',
    help: 'Deletes series permanently; the server must run with --enable-admin-api.',
    formats: listFormats,
    flags: [
      ...serverFlags,
      ...rangeFlags('', ''),
      flag('all', 'false', 'Deletes from the beginning of history, where --from is not given.'),
      flag('dry-run', 'false', 'Only prints what would be deleted.'),
      flag('yes', 'false', 'Deletes without asking; needed where nobody can answer.'),
      outputFlag,
    ],
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
    flags: [expandFlag],
    run: configCheck,
  },
  {
    name: 'rules check',
    argument: 'FILE...',
    help: 'Checks whether the server would accept files of rules.',
    formats: [],
    flags: [],
    run: rulesCheck,
  },
  {
    name: 'rules test',
    argument: 'FILE...',
    help: 'Evaluates rules over the profiles of a file of tests, and compares the alerts.',
    formats: [],
    flags: [],
    run: rulesTest,
  },
  {
    name: 'config targets',
    argument: 'FILE',
    help: 'Finds the targets of a configuration file and shows what relabeling makes of them.',
    formats: listFormats,
    flags: [
      flag('job=NAME', '', 'Only the targets of this job.'),
      expandFlag,
      flag('timeout=DURATION', '10s', 'Longest wait for what discovery asks.'),
      outputFlag,
    ],
    run: configTargets,
  },
  {
    name: 'config relabel',
    argument: 'FILE NAME=VALUE...',
    help: 'Shows what each rule of a configuration file makes of the labels of a target.',
    formats: [],
    flags: [flag('job=NAME', '', 'Only the rules of this job.'), expandFlag],
    run: configRelabel,
  },
  {
    name: 'debuginfo upload',
    argument: 'FILE...',
    help: 'Uploads debug information, sources and source maps, where the server wants them.',
    formats: [],
    flags: uploadFlags,
    run: uploadFiles,
  },
  {
    name: 'debuginfo buildid',
    argument: 'FILE...',
    help: 'Prints the build id of each file.',
    formats: [],
    flags: [],
    run: printBuildIds,
  },
  {
    name: 'web-config check',
    argument: 'FILE',
    help: 'Checks whether the server would accept a web config file.',
    formats: [],
    flags: [],
    run: webConfigCheck,
  },
  {
    name: 'token',
    argument: 'NAME',
    help: 'Makes a token for a web config file.',
    formats: listFormats,
    flags: [
      flag('scopes=SCOPE,...', 'read', 'What the token allows: read, write, debuginfo, admin.'),
    ],
    run: token,
  },
  ...dataCommands,
];

/** All commands in the order of the help. A test compares docs/parcatool.md with them. */
export const commands: readonly Command[] = rows.map((command) => ({
  ...command,
  flags:
    command.formats.length === 0 ? command.flags : [...command.flags, formatFlag(command.formats)],
}));

/** Flags of all commands. They give the initial values of flags that a command does not have. */
export const everyFlag: readonly FlagRow[] = commands.flatMap(({ flags }) => flags);

async function importHistory(args: readonly string[], options: Options): Promise<FailedOutput> {
  // Imported here, because no other command decodes profiles.
  const { importFrom } = await import('./import-from/import-from.ts');
  return importFrom(args, options);
}

async function labels([name = '']: readonly string[], options: Options): Promise<Output> {
  const path = name === '' ? '' : `/${encodeURIComponent(name)}/values`;
  const json = await getJson(options.client, `/api/profiles/labels${path}`, {
    ...rangeParameters(options),
    match: options.match,
    profileType: options.profileType,
  });
  const values = readList(field(json, name === '' ? 'labelNames' : 'labelValues'));
  if (name !== '' && values.length === 0) throw await noSuchLabel(name, options);
  return list(values, options);
}

async function noSuchLabel(name: string, options: Options): Promise<AppError> {
  const all = await getJson(options.client, '/api/profiles/labels', rangeParameters(options));
  const names = readList(field(all, 'labelNames')).map(readString);
  const isKnown = names.includes(name);
  const why = isKnown ? 'nothing matches' : `there is no label ${JSON.stringify(name)}`;
  const instead = isKnown ? '' : `, ${nearestSentence(name, names)}`;
  return new AppError('not-found', printable(why + instead));
}

async function types(_none: readonly string[], options: Options): Promise<Output> {
  const names = await listTypeNames(options);
  if (!options.withNames || names.length === 0) return list(names, options);
  const named = names.map((type) => ({ type, name: friendlyName(type) }));
  if (options.format === 'json') return `${JSON.stringify(named, undefined, 2)}\n`;
  const width = Math.max(...names.map((type) => printable(type).length));
  return named
    .map(({ type, name }) => `${printable(type).padEnd(width)}  ${printable(name)}\n`)
    .join('');
}

async function snapshot(_none: readonly string[], options: Options): Promise<Output> {
  const answer = await getJson(options.client, '/api/v1/admin/snapshot', {}, 'POST');
  const path = readString(field(answer, 'path'));
  const files = Number(field(answer, 'files'));
  const bytes = Number(field(answer, 'bytes'));
  if (options.format === 'json') return `${JSON.stringify({ path, files, bytes }, undefined, 2)}\n`;
  return `${printable(path)}: ${counted(files, 'file')}, ${counted(bytes, 'byte')}\n`;
}

function list(values: readonly unknown[], { format }: Options): string {
  const texts = values.map(readString);
  if (texts.length === 0) throw new AppError('not-found', 'nothing matches');
  if (format === 'json') return `${JSON.stringify(texts, undefined, 2)}\n`;
  return texts.map((text) => `${printable(text)}\n`).join('');
}

async function configCheck([file]: readonly string[], { variables }: Options): Promise<Output> {
  // Imported here, because no other command needs the YAML parser.
  const { loadConfig } = await import('../../src/config/load/load.ts');
  const { discoveryKinds } = await import('../../src/discovery/registry.ts');
  const config = await loadConfig(resolve(file), createFiles(), discoveryKinds, variables);
  const { scrapeConfigs, warnings } = config;
  const jobs = scrapeConfigs.length === 1 ? '1 job' : `${scrapeConfigs.length} jobs`;
  const found = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
  const lines = warnings.map((warning) => `${warning} (warning)\n`);
  return `${lines.join('')}${file}: good, ${jobs}${lines.length === 0 ? '' : `, ${found}`}\n`;
}

async function checkBudget(
  args: readonly string[],
  options: Options,
  terminal: Terminal,
): Promise<CodedOutput> {
  // Imported here, because it loads the decoder and the engine.
  const { check } = await import('./check.ts');
  return check(args, options, terminal);
}

async function recordCommand(args: readonly string[], options: Options): Promise<Output> {
  // Imported here, because it loads the decoder and the engine.
  const { record } = await import('./record.ts');
  return record(args, options);
}

async function rulesCheck(paths: readonly string[]): Promise<Output> {
  // Imported here, because it loads the YAML parser.
  const { readRuleFiles } = await import('../../src/rules/rule-file.ts');
  const defaults = { intervalMillis: 60_000, offsetMillis: 0 };
  const lines: string[] = [];
  for (const path of paths) {
    const groups = await readRuleFiles([path], defaults, createFiles());
    const rules = groups.reduce((sum, group) => sum + group.rules.length, 0);
    lines.push(`${path}: good, ${counted(rules, 'rule')}\n`);
  }
  return lines.join('');
}

async function rulesTest(paths: readonly string[]): Promise<FailedOutput> {
  // Imported here, because it loads the YAML parser.
  const { runTestFile } = await import('./rules/run-tests.ts');
  let text = '';
  let isFailed = false;
  for (const path of paths) {
    const { lines, failures } = await runTestFile(path, createFiles());
    text += lines.map((line) => `${printable(line)}\n`).join('');
    isFailed ||= failures > 0;
  }
  return { text, isFailed };
}

async function configTargets(args: readonly string[], options: Options): Promise<FailedOutput> {
  // Imported here, because it loads the YAML parser.
  const { showTargets } = await import('./config-targets.ts');
  return showTargets(args, options);
}

async function configRelabel(args: readonly string[], options: Options): Promise<Output> {
  // Imported here, because it loads the YAML parser.
  const { explainRelabeling } = await import('./config-relabel.ts');
  return explainRelabeling(args, options);
}
