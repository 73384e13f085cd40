// Reads a web config file, and the files that it names.
import type { Files } from '../../base/files.ts';
import { readTextSource, type TextSource } from '../text-source.ts';
import { ConfigDocument, readConfigText } from '../schema/document.ts';
import { openWebConfig, type ServerTls, type WebConfig } from './web-config.ts';
import { type ServerTlsKeys, webSchema } from './web-schema.ts';

const nothing = { ...openWebConfig, tls: undefined };

/**
 * Parses a web config, and reads the files that it names. `file` is its name in messages; file
 * names in it are relative to its folder.
 *
 * Errors: ConfigError with all mistakes.
 */
export async function parseWebConfig(
  text: string,
  file: string,
  files: Pick<Files, 'read'>,
): Promise<WebConfig> {
  const document = new ConfigDocument(text, file, webSchema, nothing);
  await document.checkFiles(files);
  const { tls, ...rest } = document.content();
  return { ...rest, tls: tls && (await withTexts(tls, files)) };
}

/** Reads the file at `path`. Errors: as in parseWebConfig and readConfigText. */
export async function loadWebConfig(path: string, files: Pick<Files, 'read'>): Promise<WebConfig> {
  return parseWebConfig(await readConfigText(path, 'web config file', files), path, files);
}

async function withTexts(keys: ServerTlsKeys, files: Pick<Files, 'read'>): Promise<ServerTls> {
  const text = (source: TextSource): Promise<string> => readTextSource(source, files);
  return {
    ...keys,
    certificate: await text(keys.certificate),
    key: await text(keys.key),
    clientAuthorities: await text(keys.clientAuthorities),
  };
}
