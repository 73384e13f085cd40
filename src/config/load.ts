// Reads a config file from the disk.
import type { Files } from '../base/files.ts';
import type { Config } from './config.ts';
import type { Environment } from './expand-environment.ts';
import { readConfigText } from './document.ts';
import { checkConfig } from './parse.ts';

/**
 * Reads and parses the config file at `path` and its `scrape_config_files`, and checks the files
 * that they name. With an `environment`, its variables are replaced in all of them.
 *
 * Errors: ConfigError; AppErrors of readConfigText.
 */
export async function loadConfig(
  path: string,
  files: Pick<Files, 'list' | 'read'>,
  environment?: Environment,
): Promise<Config> {
  return checkConfig(await readConfigText(path, 'config file', files), path, files, environment);
}
