// Copies a data directory, for backups and restores. Files that never change can be hard-linked
// instead.
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { copyContent, makeDurableFolder } from '../../base/durable-files.ts';
import { metaName } from '../files/meta.ts';

/** Size of a copy. */
interface CopiedFiles {
  readonly count: number;
  readonly bytes: number;
}

/** The files in one folder of a data directory whose names match a pattern. */
interface Part {
  /** Name of the folder; "" is the data directory itself. */
  readonly folder: string;
  readonly pattern: RegExp;
  /** True if the files never change after they get their final name. */
  readonly isFixed: boolean;
}

const parts: readonly Part[] = [
  { folder: '', pattern: new RegExp(`^${metaName}$`), isFixed: true },
  { folder: 'blocks', pattern: /\.(block|deleted)$/, isFixed: true },
  { folder: 'debuginfo', pattern: /^[0-9a-f]+\.[a-z-]+\.(\d+|json)$/, isFixed: true },
  { folder: 'wal', pattern: /^\d{8,15}\.wal$/, isFixed: false },
];

interface CopyOptions {
  /** True if files that never change are hard-linked where possible, which takes no disk space. */
  readonly isLinked: boolean;
  /**
   * If set, only these blocks are copied. The log is then left out, because a running server is
   * writing it.
   */
  readonly onlyBlocks?: ReadonlySet<string>;
}

/**
 * Makes `to` a durable copy of the data directory `from`. The files must not change until the
 * promise is resolved.
 *
 * Errors: AppError 'failed-precondition' if `to` is not empty, or `from` is not a data directory.
 */
export async function copyDirectory(
  files: Files,
  from: string,
  to: string,
  { isLinked, onlyBlocks }: CopyOptions,
): Promise<CopiedFiles> {
  if (!(await files.exists(`${from}/${metaName}`))) {
    throw new AppError('failed-precondition', `cannot copy ${from}: it is not a data directory`);
  }
  if ((await files.list(to)).length > 0) {
    throw new AppError('failed-precondition', `cannot copy to ${to}: it is not empty`);
  }
  await makeDurableFolder(files, to, to);
  let count = 0;
  let bytes = 0;
  // The file `meta` makes a folder a data directory, so it is written last.
  for (const part of [...parts].reverse()) {
    const isWanted = (name: string): boolean => {
      if (!part.pattern.test(name)) return false;
      if (onlyBlocks === undefined || part.folder === '') return true;
      return part.folder === 'blocks' && onlyBlocks.has(name.replace(/\.\w+$/, ''));
    };
    const source = `${from}/${part.folder}`.replace(/\/$/, '');
    const target = `${to}/${part.folder}`.replace(/\/$/, '');
    await files.makeDirectory(target);
    for (const name of await files.listFiles(source)) {
      if (!isWanted(name)) continue;
      bytes += await copyFile(
        files,
        `${source}/${name}`,
        `${target}/${name}`,
        isLinked && part.isFixed,
      );
      count += 1;
    }
    await files.syncDirectory(target);
  }
  return { count, bytes };
}

/** Copies or links a file. Returns its size in bytes. */
async function copyFile(
  files: Files,
  from: string,
  to: string,
  isLinked: boolean,
): Promise<number> {
  const source = await files.open(from, { create: false });
  try {
    if (isLinked && (await tryLink(files, from, to))) return await source.size();
    const target = await files.open(to, { create: true });
    try {
      const bytes = await copyContent(source, target);
      await target.sync();
      return bytes;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Links a file, and returns true. Returns false if the disk does not support links, or if the link
 * would cross file systems.
 */
async function tryLink(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await files.link(from, to);
    return true;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code === 'EXDEV' || code === 'EPERM' || code === 'ENOTSUP') return false;
    throw error;
  }
}
