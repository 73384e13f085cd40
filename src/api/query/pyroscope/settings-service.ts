// settings.v1: settings that Profiles Drilldown keeps on the server.
import Long from 'long';
import { settings } from '../../../../proto/gen/pyroscope.js';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { appSettingLengthMax, appSettingsMax } from '../../limits.ts';
import type { AppSetting, AppSettings } from '../../../shares/interface.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { UnaryMethod } from '../../transport/call/method.ts';
import { invalid } from './request.ts';

const messages = settings.v1;

/** Returns the methods of SettingsService, and the list of recording rules, which is empty. */
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
        checkSetting(own, stored.list());
        await stored.save(sortedWith(stored.list(), own));
        return messages.SetSettingsResponse.encode({ setting: wireSetting(own) }).finish();
      },
      'SettingsService/Delete': async (bytes) => {
        const { name } = decodeRequest(messages.DeleteSettingsRequest, bytes);
        if (name === '') throw invalid('no setting name provided');
        const kept = stored.list().filter((one) => one.name !== name);
        if (kept.length < stored.list().length) await stored.save(kept);
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

/** Returns the list with a setting added, or replaced, by name. */
function sortedWith(settings: readonly AppSetting[], own: AppSetting): AppSetting[] {
  const others = settings.filter(({ name }) => name !== own.name);
  return [...others, own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function wireSetting({ name, value, modifiedMillis }: AppSetting) {
  return { name, value, modifiedAt: Long.fromNumber(modifiedMillis) };
}

/** Refuses a setting that is too large, or older than the stored setting. */
function checkSetting(
  { name, value, modifiedMillis }: AppSetting,
  stored: readonly AppSetting[],
): void {
  if (name === '') throw invalid('no setting name provided');
  const length = name.length + value.length;
  if (length > appSettingLengthMax) {
    const why = `it has ${length} characters, the limit is ${appSettingLengthMax}`;
    throw new AppError('resource-exhausted', `cannot store setting: ${why}`);
  }
  const known = stored.find((one) => one.name === name);
  if (known === undefined && stored.length >= appSettingsMax) {
    throw new AppError('resource-exhausted', `cannot store setting: there are ${stored.length}`);
  }
  if (known === undefined || modifiedMillis >= known.modifiedMillis) return;
  throw new AppError('already-exists', `failed to update ${name}: newer update already written`);
}
