// Reads profile files given by the user.
import { readFile } from 'node:fs/promises';
import { AppError, errorMessage } from '../../../src/base/errors.ts';

/** Reads a file. Errors: AppError 'not-found' with its path. */
export async function readProfile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw new AppError('not-found', `cannot read ${path}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
