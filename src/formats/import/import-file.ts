// Imports a file of any known format, in a thread or directly.
import type { ImportContext } from '../reading/imported-profile.ts';
import {
  type ImportedContent,
  type ImportFormat,
  importProfile,
  recognise,
} from './import-profile.ts';

/** A file to import. */
export interface FileImport {
  /** Uncompressed bytes of the file. */
  readonly content: Uint8Array;
  readonly context: ImportContext;
  /** Format; undefined if the content determines it. */
  readonly format: ImportFormat | undefined;
}

/** Content of a file, and its format. */
export interface ImportedFile extends ImportedContent {
  readonly format: ImportFormat;
}

/**
 * Imports a file in a thread. The thread may take over the memory of the file's content.
 *
 * Errors: as in importFile; 'cancelled', 'internal'.
 */
export type ImportInThread = (
  file: FileImport,
  signal: AbortSignal,
  caller?: string,
) => Promise<ImportedFile>;

/** Returns the number of bytes that are read for a file. */
export function importedBytes({ content, context }: FileImport): number {
  const { earlier, jfrLabels } = context;
  return content.length + (earlier?.content.length ?? 0) + (jfrLabels?.length ?? 0);
}

/** Imports a file. Errors: as in importProfile. */
export function importFile({ content, context, format }: FileImport): ImportedFile {
  const file = format === undefined ? recognise(content) : { format };
  return { format: file.format, ...importProfile(content, context, file) };
}
