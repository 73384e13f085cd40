// Reads a config file from the disk.
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import type { Config } from './config.ts';
import { checkConfig } from './parse.ts';

/**
 * Reads and parses the config file at `path`, and looks at the files that it names.
 *
 * Errors: ConfigError; AppError 'not-found' when the file cannot be read, 'invalid-argument' when
 * it is not UTF-8.
 */
export async function loadConfig(path: string, files: Pick<Files, 'read'>): Promise<Config> {
  let bytes: Uint8Array;
  try {
    bytes = await files.read(path);
  } catch (error) {
    const isAbsent = errorCode(error) === 'not-found';
    const why = isAbsent ? 'there is no such file' : errorMessage(error);
    const message = `cannot read config file ${path}: ${why.replace(`cannot read ${path}: `, '')}`;
    throw new AppError('not-found', message, { cause: error });
  }
  return checkConfig(decode(bytes, path), path, files);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const message = `cannot read config file ${path}: it is not UTF-8`;
    throw new AppError('invalid-argument', message, { cause: error });
  }
}
