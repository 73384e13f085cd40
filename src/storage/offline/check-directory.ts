// Checks everything in a data directory: every checksum, and that all of it can be decoded.
import { errorCode, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { formatVersion, metaName, readMeta } from '../files/meta-file.ts';
import { checkLog } from './check-log.ts';
import type { Finding } from './finding.ts';
import { openBlockAlone } from './open-block.ts';
import { blockIdOf, blocksFolder, blocksPathOf, deletedIdOf } from '../files/block-names.ts';

/** What was looked at. */
export interface Checked {
  readonly blocks: number;
  readonly blockBytes: number;
  /** Of intact blocks. */
  readonly blockProfiles: number;
  /** In the log, those that are in blocks too included. */
  readonly logProfiles: number;
  readonly findings: readonly Finding[];
}

/** Nothing is changed. Errors: those of the disk, when a folder cannot be listed. */
export async function checkDirectory(files: Files, storagePath: string): Promise<Checked> {
  const findings: Finding[] = [];
  const report = (finding: Finding): void => void findings.push(finding);
  let logProfiles = 0;
  const meta = await readMeta(files, storagePath).catch((error: unknown) => {
    report(findingOf(metaName, error));
  });
  if (meta === undefined) {
    const message = `damaged, missing or not of version ${formatVersion}`;
    report({ path: metaName, offset: undefined, severity: 'damaged', message });
  } else {
    logProfiles = (await checkLog(files, storagePath, meta.seeds, report)).profileCount;
  }
  const counts = { blocks: 0, blockBytes: 0, blockProfiles: 0 };
  for (const name of await files.listFiles(blocksPathOf(storagePath))) {
    const path = `${blocksFolder}/${name}`;
    if (blockIdOf(name) !== undefined) {
      counts.blocks += 1;
      try {
        const { bytes, profiles } = await checkBlock(files, storagePath, path, report);
        counts.blockBytes += bytes;
        counts.blockProfiles += profiles;
      } catch (error) {
        report(findingOf(path, error));
      }
    } else if (deletedIdOf(name) === undefined) {
      const message = 'it is no block; a start removes it';
      report({ path, offset: undefined, severity: 'note', message });
    }
  }
  return { ...counts, logProfiles, findings };
}

/** Errors: AppError 'data-loss' when the block cannot be opened at all. */
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

function findingOf(path: string, error: unknown): Finding {
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
