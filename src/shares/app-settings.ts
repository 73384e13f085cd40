// Settings of Grafana's app in a JSON file, which persists across restarts.
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { KeptJson, readKeptJson, writeKeptJson } from '../base/kept-json.ts';
import type { Logger } from '../base/logger.ts';
import type { AppSetting, AppSettings } from './interface.ts';

/** Dependencies of the settings file. */
export interface AppSettingsOptions {
  readonly path: string;
  readonly files: Files;
  readonly logger: Logger;
}

/** Returns settings that are kept only in memory, for servers without storage. */
export function settingsInMemory(): AppSettings {
  let kept: readonly AppSetting[] = [];
  return {
    list: () => kept,
    change: async (edit) => {
      kept = edit(kept);
    },
  };
}

/** Opens the settings file, which may be missing. A damaged file is renamed and logged. */
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
