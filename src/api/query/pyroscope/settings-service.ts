// settings.v1: settings that Profiles Drilldown keeps on the server, until the server stops.
import Long from 'long';
import { settings } from '../../../../proto/gen/pyroscope.js';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { appSettingLengthMax, appSettingsMax } from '../../../base/limits.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { UnaryMethod } from '../../transport/call/method.ts';
import { invalid } from './request.ts';

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly modifiedAt: Long;
}

const messages = settings.v1;

/** Returns the methods of SettingsService, and the list of recording rules, which is empty. */
export function settingsMethods(clock: Pick<Clock, 'nowMillis'>): UnaryMethod[] {
  const stored = new Map<string, Setting>();
  const answers: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
    'SettingsService/Get': (bytes) => {
      decodeRequest(messages.GetSettingsRequest, bytes);
      const all = [...stored.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      return messages.GetSettingsResponse.encode({ settings: all }).finish();
    },
    'SettingsService/Set': (bytes) => {
      const { setting } = decodeRequest(messages.SetSettingsRequest, bytes);
      if (setting === null) throw invalid('no setting values provided');
      const { name, value, modifiedAt } = setting;
      const now = Long.fromNumber(clock.nowMillis());
      const own = { name, value, modifiedAt: modifiedAt.isZero() ? now : modifiedAt };
      checkSetting(own, stored);
      stored.set(name, own);
      return messages.SetSettingsResponse.encode({ setting: own }).finish();
    },
    'SettingsService/Delete': (bytes) => {
      const { name } = decodeRequest(messages.DeleteSettingsRequest, bytes);
      if (name === '') throw invalid('no setting name provided');
      stored.delete(name);
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

/** Refuses a setting that is too large, or older than the stored one. */
function checkSetting({ name, value, modifiedAt }: Setting, stored: Map<string, Setting>): void {
  if (name === '') throw invalid('no setting name provided');
  const length = name.length + value.length;
  if (length > appSettingLengthMax) {
    const why = `it has ${length} characters, the limit is ${appSettingLengthMax}`;
    throw new AppError('resource-exhausted', `cannot store setting: ${why}`);
  }
  const known = stored.get(name);
  if (known === undefined && stored.size >= appSettingsMax) {
    throw new AppError('resource-exhausted', `cannot store setting: there are ${stored.size}`);
  }
  if (known === undefined || !modifiedAt.lt(known.modifiedAt)) return;
  throw new AppError('already-exists', `failed to update ${name}: newer update already written`);
}
