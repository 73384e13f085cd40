// Imports of pushed files: large texts are read in a thread, so that others are answered meanwhile.
import { importInThreadBytesMin } from '../../base/limits.ts';
import {
  type FileImport,
  type ImportedFile,
  importFile,
  type ImportInThread,
} from '../../formats/import/import-file.ts';
import { isText } from '../../formats/import/import-profile.ts';

/** Imports a file. Errors: those of `importInThread`. */
export async function importPushed(
  file: FileImport,
  importInThread: ImportInThread,
  signal: AbortSignal,
): Promise<ImportedFile> {
  const isLarge = file.content.length > importInThreadBytesMin && isText(file.content);
  return isLarge ? importInThread(file, signal) : importFile(file);
}
