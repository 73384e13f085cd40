// Settings of Grafana's app in one JSON file, which persists across restarts.
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { KeptJson, readKeptJson, writeKeptJson } from '../base/kept-json.ts';
import type { Logger } from '../base/logger.ts';
import type { AppSetting, AppSettings } from './interface.ts';

/** Parts that a file of settings needs. */
export interface AppSettingsOptions {
  readonly path: string;
  readonly files: Files;
  readonly logger: Logger;
}

/** Settings that are kept in memory only, for servers that store nothing. */
export function settingsInMemory(): AppSettings {
  let kept: readonly AppSetting[] = [];
  return {
    list: () => kept,
    change: async (edit) => {
      kept = edit(kept);
    },
  };
}

/**
 * Opens the settings in a file, which may be missing. A damaged file is kept under another name,
 * and logged.
 */
export async function openAppSettings({
  path,
  files,
  logger,
}: AppSettingsOptions): Promise<AppSettings> {
  const saved = await readKeptJson(files, path, parseSettings, ({ movedTo, error }) => {
    const fields = { file: path, movedTo, error: errorMessage(error) };
    logger.warn("cannot read the settings of Grafana's app", fields);
  });
  const kept = new KeptJson<readonly AppSetting[]>(saved ?? [], (settings) =>
    writeKeptJson(files, path, settings),
  );
  return { list: () => kept.value, change: (edit) => kept.change(edit) };
}

function parseSettings(all: unknown): AppSetting[] {
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
