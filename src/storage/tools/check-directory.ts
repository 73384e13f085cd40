// Checks a data directory: that every checksum is right and that everything can be decoded.
import { errorCode, errorMessage } from '../../base/errors.ts';
import type { File, Files } from '../../base/files.ts';
import { formatVersion, metaName, readMeta } from '../files/meta.ts';
import { openBlockAlone } from './open-block.ts';
import {
  parseBlockId,
  blocksFolder,
  joinBlocksPath,
  parseDeletedId,
} from '../files/block-names.ts';
import { rowSegmentBytes } from '../limits.ts';
import type { LogFields, Logger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { Dictionary, type Seeds } from '../../model/dictionary.ts';
import { Head } from '../head/head.ts';
import { replayWal } from '../wal/replay.ts';
import { createStorageMetrics } from '../storage-metrics.ts';

/** Result of a check. */
export interface CheckedDirectory {
  readonly blocks: number;
  readonly blockBytes: number;
  /** Number of profiles in intact blocks. */
  readonly blockProfiles: number;
  /** Number of profiles in the log, including profiles that are also in blocks. */
  readonly logProfiles: number;
  readonly findings: readonly Finding[];
}

/** Checks a directory without changing it. Errors: I/O errors if a folder cannot be listed. */
export async function checkDirectory(files: Files, storagePath: string): Promise<CheckedDirectory> {
  const findings: Finding[] = [];
  const report = (finding: Finding): void => void findings.push(finding);
  let logProfiles = 0;
  const meta = await readMeta(files, storagePath).catch((error: unknown) => {
    report(toFinding(metaName, error));
  });
  if (meta === undefined) {
    const message = `damaged, missing or not of version ${formatVersion}`;
    report({ path: metaName, offset: undefined, severity: 'damaged', message });
  } else {
    logProfiles = await checkLog(files, storagePath, meta.seeds, report);
  }
  const counts = { blocks: 0, blockBytes: 0, blockProfiles: 0 };
  for (const name of await files.listFiles(joinBlocksPath(storagePath))) {
    const path = `${blocksFolder}/${name}`;
    if (parseBlockId(name) !== undefined) {
      counts.blocks += 1;
      try {
        const { bytes, profiles } = await checkBlock(files, storagePath, path, report);
        counts.blockBytes += bytes;
        counts.blockProfiles += profiles;
      } catch (error) {
        report(toFinding(path, error));
      }
    } else if (parseDeletedId(name) === undefined) {
      const message = 'it is not a block; a start removes it';
      report({ path, offset: undefined, severity: 'note', message });
    }
  }
  return { ...counts, logProfiles, findings };
}

/** Checks a block. Errors: AppError 'data-loss' if the block cannot be opened. */
async function checkBlock(
  files: Files,
  storagePath: string,
  path: string,
  report: (finding: Finding) => void,
): Promise<{ readonly bytes: number; readonly profiles: number }> {
  const block = await openBlockAlone(files, `${storagePath}/${path}`);
  try {
    for (const { offset, what } of await block.verify()) {
      report({ path, offset, severity: 'damaged', message: what });
    }
    return { bytes: block.fileBytes, profiles: block.profileCount };
  } finally {
    await block.close();
  }
}

function toFinding(path: string, error: unknown): Finding {
  if (errorCode(error) === 'internal') throw error;
  const message = errorMessage(error);
  const offset = /\bat (?:byte )?(\d+)\b/.exec(message)?.[1];
  return {
    path,
    offset: offset === undefined ? undefined : Number(offset),
    severity: 'unreadable',
    message,
  };
}

/**
 * Replays the log into memory and reports damage. Returns the number of profiles, including
 * profiles of epochs that are already in blocks. An unfinished write at the end of the log is
 * normal after a crash, so it is not reported as damage.
 */
async function checkLog(
  files: Files,
  storagePath: string,
  seeds: Seeds,
  report: (finding: Finding) => void,
): Promise<number> {
  const directory = `${storagePath}/wal`;
  try {
    const { epochs, end } = await replayWal(
      { files: readOnlyFiles(files), directory, seeds },
      {
        newHead: () => new Head(new Dictionary(seeds), rowSegmentBytes),
        finished: new Set(),
        nextEpoch: 1,
        logger: findingsLogger(report),
        metrics: createStorageMetrics(noMetrics),
      },
    );
    await end.file?.close();
    return epochs.reduce((sum, { head }) => sum + head.profileCount, 0);
  } catch (error) {
    if (errorCode(error) === 'internal') throw error;
    const message = errorMessage(error);
    const [, segment, at] = /(\d{8,15}\.wal)(?: at (\d+))?/.exec(message) ?? [];
    const path = segment === undefined ? 'wal' : `wal/${segment}`;
    const offset = at === undefined ? undefined : Number(at);
    report({ path, offset, severity: 'unreadable', message });
    return 0;
  }
}

/**
 * Returns a logger that reports the messages of a replay as findings. The messages name the segment
 * and the offset of the damage.
 */
function findingsLogger(report: (finding: Finding) => void): Logger {
  const line =
    (severity: Finding['severity']) =>
    (text: string, fields: LogFields = {}): void => {
      const { segment, from, ...rest } = fields;
      const path = typeof segment === 'string' ? `wal/${segment}` : 'wal';
      const offset = typeof from === 'number' ? from : undefined;
      const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
      report({ path, offset, severity, message: [text, ...more].join(', ') });
    };
  const logger: Logger = {
    error: line('damaged'),
    warn: line('note'),
    info: () => undefined,
    debug: () => undefined,
    with: () => logger,
  };
  return logger;
}

export interface Finding {
  /** Path relative to the storage path. */
  readonly path: string;
  /** Byte offset of the damage in the file, if known. */
  readonly offset: number | undefined;
  /**
   * note: nothing is lost. damaged: the server skips the damaged part and serves the rest.
   * unreadable: the server cannot use the file, or cannot start.
   */
  readonly severity: 'note' | 'damaged' | 'unreadable';
  readonly message: string;
}

/**
 * Wraps files so that they cannot be changed. Writes, truncations, renames and removals appear to
 * succeed but have no effect, so code that repairs files while it reads them can run. No locks are
 * taken.
 */
function readOnlyFiles(files: Files): Files {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    list: (path) => files.list(path),
    listFiles: (path) => files.listFiles(path),
    exists: (path) => files.exists(path),
    read: (path) => files.read(path),
    freeBytes: (path) => files.freeBytes(path),
    totalBytes: (path) => files.totalBytes(path),
    folderBytes: (path) => files.folderBytes(path),
    open: async (path) => readOnlyFile(await files.open(path, { create: false })),
    makeDirectory: nothing,
    checkWritable: nothing,
    rename: nothing,
    remove: nothing,
    link: nothing,
    syncDirectory: nothing,
    lock: () => Promise.resolve({ name: '', release: nothing }),
  };
}

function readOnlyFile(file: File): File {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    read: (into, offset) => file.read(into, offset),
    size: () => file.size(),
    close: () => file.close(),
    append: nothing,
    rewrite: nothing,
    sync: nothing,
    truncate: nothing,
  };
}
