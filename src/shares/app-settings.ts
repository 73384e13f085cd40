// Settings of Grafana's app in one file of JSON, which survives a restart.
import { AppError, errorMessage } from '../base/errors.ts';
import { replaceFile, temporaryPath } from '../base/durable-files.ts';
import type { Files } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import type { AppSetting, AppSettings } from './interface.ts';

/** Parts that a file of settings needs. */
export interface AppSettingsOptions {
  readonly path: string;
  readonly files: Files;
  readonly logger: Logger;
}

/** Settings without a file, for servers that store nothing. */
export function settingsInMemory(): AppSettings {
  let kept: readonly AppSetting[] = [];
  return {
    list: () => kept,
    save: async (settings) => {
      kept = settings;
    },
  };
}

/**
 * Opens the settings of a file, which may be missing. A damaged file is kept under another name,
 * and logged.
 */
export async function openAppSettings({
  path,
  files,
  logger,
}: AppSettingsOptions): Promise<AppSettings> {
  const memory = settingsInMemory();
  if (await files.exists(path)) {
    try {
      await memory.save(parseSettings(await files.read(path)));
    } catch (error) {
      const aside = `${path}.damaged`;
      await files.rename(path, aside);
      const fields = { file: path, movedTo: aside, error: errorMessage(error) };
      logger.warn("cannot read the settings of Grafana's app", fields);
    }
  }
  let last = Promise.resolve();
  const write = async (settings: readonly AppSetting[]): Promise<void> => {
    const bytes = Buffer.from(JSON.stringify(settings));
    try {
      await replaceFile(files, path, (file) => file.append(bytes));
    } catch (error) {
      await files.remove(temporaryPath(path)).catch(() => undefined);
      throw error;
    }
    await memory.save(settings);
  };
  return {
    list: () => memory.list(),
    save: (settings) => {
      const writing = last.then(() => write(settings));
      // The next settings are written whether or not this write succeeded.
      last = writing.catch(() => undefined);
      return writing;
    },
  };
}

function parseSettings(bytes: Uint8Array): AppSetting[] {
  const all: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (Array.isArray(all) && all.every(isSetting)) return all;
  throw new AppError('data-loss', 'it is no list of settings');
}

function isSetting(value: unknown): value is AppSetting {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'value' in value &&
    typeof value.value === 'string' &&
    'modifiedMillis' in value &&
    typeof value.modifiedMillis === 'number'
  );
}
