// Reads a config file from the disk.
import type { Files } from '../base/files.ts';
import type { Config } from './config.ts';
import { readConfigText } from './document.ts';
import { checkConfig } from './parse.ts';

/**
 * Reads and parses the config file at `path`, and looks at the files that it names.
 *
 * Errors: ConfigError; AppErrors of readConfigText.
 */
export async function loadConfig(path: string, files: Pick<Files, 'read'>): Promise<Config> {
  return checkConfig(await readConfigText(path, 'config file', files), path, files);
}
