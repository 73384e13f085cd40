// Facts about the file of one build id and type, which are stored as JSON next to the file.
import { AppError } from '../base/errors.ts';
import type { GoBuild } from '../model/go-build.ts';
import type { AlternateName } from '../symbolize/debug-link.ts';
import type { ProgramLayout } from '../symbolize/load-bias.ts';
import type { FileKind, Quality } from './interface.ts';

/** A stored file. */
export interface StoredFile {
  /** Name of the file in the folder. */
  readonly name: string;
  readonly bytes: number;
  readonly hash: string;
  readonly quality: Quality;
  readonly uploadedAtMillis: number;
  /** True if a person forced the upload; absent in entries of earlier versions. */
  readonly isExplicit?: boolean;
  /** Layout of the program; absent in entries of earlier versions. */
  readonly layout?: ProgramLayout;
  /** Name of the other file that contains a part of the DWARF. */
  readonly alternate?: AlternateName;
  /**
   * Build information of a Go program; null if it has none. Absent in entries of other files, and
   * in entries of earlier versions.
   */
  readonly goBuild?: GoBuild | null;
}

/** All known facts about a build id and type. */
export interface Entry {
  readonly buildId: string;
  readonly type: FileKind;
  /** Number of times that a new file has become the best one. */
  readonly generation: number;
  /** The best file; absent if there has been no good file yet, or if a limit removed it. */
  readonly file?: StoredFile;
  /** Hashes of files that were recently refused, or were not better than the stored file. */
  readonly refusedHashes: readonly string[];
  /** Reason why the last file was refused; "" if it was good but not better. */
  readonly refusal: string;
}

/** Returns an entry for a build id and type without uploads. */
export function newEntry(buildId: string, type: FileKind): Entry {
  return { buildId, type, generation: 0, refusedHashes: [], refusal: '' };
}

export function printEntry(entry: Entry): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(entry, undefined, 2)}\n`);
}

/** Parses an entry. Errors: AppError 'data-loss' when the bytes are not a valid entry. */
export function parseEntry(bytes: Uint8Array, path: string): Entry {
  try {
    const entry: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isEntry(entry)) return entry;
  } catch (error) {
    throw damaged(path, error);
  }
  throw damaged(path);
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const entry: Partial<Record<keyof Entry, unknown>> = value;
  return (
    typeof entry.buildId === 'string' &&
    typeof entry.type === 'string' &&
    typeof entry.generation === 'number' &&
    Array.isArray(entry.refusedHashes) &&
    typeof entry.refusal === 'string' &&
    (entry.file === undefined || isStoredFile(entry.file))
  );
}

function isStoredFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const file: Partial<Record<keyof StoredFile, unknown>> = value;
  return (
    typeof file.name === 'string' &&
    /^[0-9a-f]+\.[a-z-]+\.\d+$/.test(file.name) &&
    typeof file.bytes === 'number' &&
    typeof file.hash === 'string' &&
    typeof file.quality === 'object' &&
    typeof file.uploadedAtMillis === 'number' &&
    (file.layout === undefined || isLayout(file.layout)) &&
    (file.alternate === undefined || isAlternate(file.alternate)) &&
    (file.goBuild === undefined || file.goBuild === null || isGoBuild(file.goBuild))
  );
}

function isAlternate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, buildId }: Partial<Record<keyof AlternateName, unknown>> = value;
  return typeof name === 'string' && typeof buildId === 'string';
}

function isGoBuild(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const build: Partial<Record<keyof GoBuild, unknown>> = value;
  const { goVersion, module, version, revision, isModified } = build;
  const texts = [goVersion, module, version, revision];
  return texts.every((text) => typeof text === 'string') && typeof isModified === 'boolean';
}

function isLayout(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'segments' in value &&
    Array.isArray(value.segments)
  );
}

function damaged(path: string, cause?: unknown): AppError {
  return new AppError('data-loss', `cannot read ${path}: it is not what the server wrote`, {
    cause,
  });
}
