// Reads a config file from the disk.
import type { Files } from '../../base/files.ts';
import type { Config } from '../config.ts';
import type { Environment } from '../expand-environment.ts';
import { readConfigText } from '../schema/document.ts';
import { checkConfig } from './parse.ts';
import type { DiscoverySchema } from '../schema/discovery-schema.ts';

/**
 * Reads the config file at `path` and its `scrape_config_files`, parses them, and checks the files
 * that they name. `kinds` are the supported ways to find targets. If `environment` is given,
 * variables in all these files are replaced.
 *
 * Errors: ConfigError; AppErrors of readConfigText.
 */
export async function loadConfig(
  path: string,
  files: Pick<Files, 'list' | 'read'>,
  kinds: readonly DiscoverySchema[],
  environment?: Environment,
): Promise<Config> {
  const text = await readConfigText(path, 'config file', files);
  return checkConfig(text, path, files, kinds, environment);
}
