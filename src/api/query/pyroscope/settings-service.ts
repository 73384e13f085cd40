// settings.v1: settings that Profiles Drilldown stores on the server.
import Long from 'long';
import { settings } from '../../../../proto/gen/pyroscope.js';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { appSettingsLengthMax, appSettingsMax } from '../../limits.ts';
import type { AppSetting, AppSettings } from '../../../shares/interface.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { UnaryMethod } from '../../transport/call/method.ts';
import { invalid } from './request.ts';

const messages = settings.v1;

/**
 * Returns the methods of SettingsService, and the method that lists recording rules, which returns
 * an empty list.
 */
export function settingsMethods(
  stored: AppSettings,
  clock: Pick<Clock, 'nowMillis'>,
): UnaryMethod[] {
  const answers: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>>> =
    {
      'SettingsService/Get': (bytes) => {
        decodeRequest(messages.GetSettingsRequest, bytes);
        const settings = stored.list().map(wireSetting);
        return messages.GetSettingsResponse.encode({ settings }).finish();
      },
      'SettingsService/Set': async (bytes) => {
        const { setting } = decodeRequest(messages.SetSettingsRequest, bytes);
        if (setting === null) throw invalid('no setting values provided');
        const { name, value, modifiedAt } = setting;
        const modified = modifiedAt.isZero() ? clock.nowMillis() : modifiedAt.toNumber();
        const own = { name, value, modifiedMillis: modified };
        if (name === '') throw invalid('no setting name provided');
        await stored.change((kept) => {
          checkSetting(own, kept);
          return sortedWith(kept, own);
        });
        return messages.SetSettingsResponse.encode({ setting: wireSetting(own) }).finish();
      },
      'SettingsService/Delete': async (bytes) => {
        const { name } = decodeRequest(messages.DeleteSettingsRequest, bytes);
        if (name === '') throw invalid('no setting name provided');
        if (stored.list().some((one) => one.name === name)) {
          await stored.change((kept) => kept.filter((one) => one.name !== name));
        }
        return messages.DeleteSettingsResponse.encode({}).finish();
      },
      'RecordingRulesService/ListRecordingRules': (bytes) => {
        decodeRequest(messages.ListRecordingRulesRequest, bytes);
        return messages.ListRecordingRulesResponse.encode({ rules: [] }).finish();
      },
    };
  return Object.entries(answers).map(([name, answer]) => ({
    path: `/settings.v1.${name}`,
    kind: 'unary',
    handle: async (bytes) => answer(bytes),
  }));
}

/** Returns the settings, sorted by name, with one setting added or replaced. */
function sortedWith(settings: readonly AppSetting[], own: AppSetting): AppSetting[] {
  const others = settings.filter(({ name }) => name !== own.name);
  return [...others, own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function wireSetting({ name, value, modifiedMillis }: AppSetting) {
  return { name, value, modifiedAt: Long.fromNumber(modifiedMillis) };
}

/** Refuses a setting that exceeds the limits, or that is older than the stored setting. */
function checkSetting(
  { name, value, modifiedMillis }: AppSetting,
  stored: readonly AppSetting[],
): void {
  let length = name.length + value.length;
  for (const one of stored) if (one.name !== name) length += one.name.length + one.value.length;
  if (length > appSettingsLengthMax) {
    const why = `all settings would have ${length} characters, the limit is ${appSettingsLengthMax}`;
    throw new AppError('resource-exhausted', `cannot store setting: ${why}`);
  }
  const known = stored.find((one) => one.name === name);
  if (known === undefined && stored.length >= appSettingsMax) {
    throw new AppError('resource-exhausted', `cannot store setting: there are ${stored.length}`);
  }
  if (known === undefined || modifiedMillis >= known.modifiedMillis) return;
  throw new AppError('already-exists', `failed to update ${name}: newer update already written`);
}
