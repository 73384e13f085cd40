// `parcatool data ...`: commands for a data directory, without a server.
import { counted } from '../../../src/base/text/counted.ts';
import { resolve } from 'node:path';
import { AppError } from '../../../src/base/errors.ts';
import type { Files } from '../../../src/base/files.ts';
import { createFiles } from '../../../src/base/node/files.ts';
import { parseBlockId, joinBlocksPath } from '../../../src/storage/files/block-names.ts';
import {
  checkDirectory,
  type CheckedDirectory,
  type Finding,
} from '../../../src/storage/tools/check-directory.ts';
import { copyDirectory } from '../../../src/storage/tools/copy-directory.ts';
import { inspectDirectory } from '../../../src/storage/tools/inspect-directory.ts';
import { openBlockAlone } from '../../../src/storage/tools/open-block.ts';
import {
  filesToMove,
  moveToQuarantine,
  quarantineName,
} from '../../../src/storage/tools/quarantine.ts';
import { printable } from '../../../src/base/printable.ts';
import { clickHouseFlagRows } from '../../clickhouse-flags.ts';
import { flag, invalidFlag } from '../../flag-table.ts';
import type { Command, FailedOutput, Output } from '../shared/command.ts';
import { expandFlag, type Options } from '../shared/options.ts';
import { copyBack, copyBucket, copyDirectory as copyBlocks, type CopyReport } from './copy.ts';
import { exportBlock } from './export-block.ts';
import { inspectedJson, inspectedText } from './inspect-text.ts';

const targetFlag = flag('target=FOLDER', '', 'Folder to write to; created if it does not exist.');
const topFlag = flag('top=COUNT', '20', 'Number of series to show at most; 0 means all.');
const applyFlag = flag(
  'apply',
  'false',
  'Moves the files; without it, the command only prints what it would do.',
);

const compressionFlag = flag('compression=NAME', 'lz4', 'Of Arrow files: none, lz4 or zstd.');

/** Commands below `data`. */
export const dataCommands: readonly Command[] = [
  {
    name: 'data inspect',
    argument: 'FOLDER',
    help: 'Shows the contents of a data directory.',
    formats: ['text', 'json'],
    flags: [topFlag],
    run: inspect,
  },
  {
    name: 'data verify',
    argument: 'FOLDER',
    help: 'Reads and checks everything in a data directory.',
    formats: [],
    flags: [],
    run: verify,
  },
  {
    name: 'data repair',
    argument: 'FOLDER',
    help: `Moves unreadable files to ${quarantineName}/.`,
    formats: [],
    flags: [applyFlag],
    run: repair,
  },
  {
    name: 'data backup',
    argument: 'FOLDER',
    help: 'Copies the data directory of a stopped server; blocks become hard links.',
    formats: [],
    flags: [targetFlag],
    run: backup,
  },
  {
    name: 'data restore',
    argument: 'BACKUP',
    help: 'Copies a backup to a new data directory and checks it.',
    formats: [],
    flags: [targetFlag],
    run: restore,
  },
  {
    name: 'data export',
    argument: 'FOLDER',
    help: 'Writes the samples of each block as a table for other tools.',
    formats: ['parquet', 'arrow'],
    flags: [targetFlag, compressionFlag],
    run: exported,
  },
  {
    name: 'data copy',
    argument: 'SOURCE',
    help: 'Copies a data directory, or the bucket of a config file, to ClickHouse, and checks it.',
    formats: [],
    flags: [targetFlag, expandFlag, ...clickHouseFlagRows],
    run: copy,
  },
  {
    name: 'data copy-back',
    argument: 'FOLDER',
    help: 'Copies the profiles in ClickHouse to a data directory, and checks that they arrived.',
    formats: [],
    flags: clickHouseFlagRows,
    run: copiedBack,
  },
];

async function inspect([folder]: readonly string[], options: Options): Promise<Output> {
  const { path, files } = await openFolder(folder);
  const { rowsMax } = options.top;
  const inspected = await inspectDirectory(files, path, rowsMax === 0 ? Infinity : rowsMax);
  return options.format === 'json'
    ? inspectedJson(path, inspected)
    : inspectedText(path, inspected);
}

async function verify([folder]: readonly string[]): Promise<Output | FailedOutput> {
  const { path, files } = await openFolder(folder);
  return report(await checkDirectory(files, path), path);
}

async function repair([folder]: readonly string[], { apply }: Options): Promise<Output> {
  const { path, files } = await openFolder(folder);
  return withLock(files, path, async () => {
    const { findings } = await checkDirectory(files, path);
    const moves = filesToMove(findings);
    const lines = findings.map(findingLine);
    if (moves.length === 0) return text([...lines, 'nothing to move']);
    if (apply) await moveToQuarantine(files, path, moves);
    const verb = apply ? 'moved' : 'would move';
    const moved = moves.map((name) => `${verb} ${printable(name)} to ${quarantineName}/`);
    return text([...lines, ...moved, ...(apply ? [] : ['run with --apply to move them'])]);
  });
}

async function backup([folder]: readonly string[], options: Options): Promise<Output> {
  const target = requireTarget(options);
  const { path, files } = await openFolder(folder);
  return withLock(files, path, async () => {
    const { count, bytes } = await copyDirectory(files, path, target, { isLinked: true });
    const copied = `${counted(count, 'file')}, ${counted(bytes, 'byte')}`;
    return text([`backed up ${copied}, to ${printable(target)}`]);
  });
}

async function restore(
  [folder]: readonly string[],
  options: Options,
): Promise<Output | FailedOutput> {
  const target = requireTarget(options);
  const { path, files } = await openFolder(folder);
  const { count, bytes } = await copyDirectory(files, path, target, { isLinked: false });
  const { text: checked, isFailed } = report(await checkDirectory(files, target), target);
  const copied = `${counted(count, 'file')}, ${counted(bytes, 'byte')}`;
  const output = `restored ${copied}, to ${printable(target)}\n${checked}`;
  return { text: output, isFailed };
}

async function exported(
  [folder]: readonly string[],
  options: Options,
): Promise<Output | FailedOutput> {
  const target = requireTarget(options);
  const { path, files } = await openFolder(folder);
  await files.makeDirectory(target);
  const format = options.format === 'arrow' ? 'arrow' : 'parquet';
  const lines: string[] = [];
  const missing: string[] = [];
  const blocksPath = joinBlocksPath(path);
  for (const name of await files.listFiles(blocksPath)) {
    if (parseBlockId(name) === undefined) continue;
    const block = await openBlockAlone(files, `${blocksPath}/${name}`);
    try {
      const written = await exportBlock(files, block, target, format, options.compression);
      lines.push(`${counted(written.rows, 'row')} of ${block.id}: ${written.files.join(' ')}`);
      missing.push(...written.missing);
    } finally {
      await block.close();
    }
  }
  if (lines.length === 0) {
    throw new AppError('not-found', `nothing to export: ${folder} has no blocks`);
  }
  lines.push(...missing.map((sentence) => `left out: ${printable(sentence)}`));
  return { text: text(lines), isFailed: missing.length > 0 };
}

async function copy([source]: readonly string[], options: Options): Promise<Output | FailedOutput> {
  const { clickHouse, variables } = options;
  if (/\.ya?ml$/.test(source)) {
    const from = { configPath: resolve(source), path: requireTarget(options), variables };
    return copyOutput('blocks', await copyBucket(createFiles(), from, clickHouse));
  }
  const { path, files } = await openFolder(source);
  return copyOutput('blocks', await copyBlocks(files, path, clickHouse));
}

async function copiedBack(
  [folder]: readonly string[],
  { clickHouse }: Options,
): Promise<Output | FailedOutput> {
  return copyOutput('hours', await copyBack(createFiles(), resolve(folder), clickHouse));
}

function copyOutput(what: string, report: CopyReport): Output | FailedOutput {
  const { done, skipped, profiles, rows, missing } = report;
  const before = skipped === 0 ? '' : `, ${skipped} were copied before`;
  const copied = `${counted(profiles, 'profile')} with ${counted(rows, 'row')}`;
  const counts = `copied ${copied} of ${done} ${what}${before}`;
  const lines = [...missing.map((sentence) => `missing: ${printable(sentence)}`), counts];
  return { text: text(lines), isFailed: missing.length > 0 };
}

/** Opens a data directory. Errors: AppError 'not-found' if it is not a data directory. */
async function openFolder(folder: string): Promise<{ path: string; files: Files }> {
  const files = createFiles();
  const path = resolve(folder);
  for (const name of ['meta', 'wal', 'blocks']) {
    if (await files.exists(`${path}/${name}`)) return { path, files };
  }
  throw new AppError('not-found', `cannot find a data directory in ${folder}`);
}

/** Runs `work` while holding the directory's lock. */
async function withLock<T>(files: Files, path: string, work: () => Promise<T>): Promise<T> {
  const lock = await files.lock(`${path}/LOCK`);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function requireTarget({ target }: Options): string {
  if (target !== '') return resolve(target);
  throw invalidFlag('--target FOLDER is required');
}

function report(checked: CheckedDirectory, path: string): { text: string; isFailed: boolean } {
  const { blocks, blockBytes, blockProfiles, logProfiles, findings } = checked;
  const damages = findings.filter(({ severity }) => severity !== 'note').length;
  const summary =
    `${printable(path)}: ${counted(blocks, 'block')} with ${counted(blockBytes, 'byte')} and ` +
    `${counted(blockProfiles, 'profile')}, ${counted(logProfiles, 'profile')} in the log; ` +
    (damages === 0 ? 'all good' : `${damages} damaged`);
  return { text: text([...findings.map(findingLine), summary]), isFailed: damages > 0 };
}

function findingLine({ path, offset, severity, message }: Finding): string {
  const place = offset === undefined ? path : `${path}:${offset}`;
  return `${severity}: ${printable(place)}: ${printable(message)}`;
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
