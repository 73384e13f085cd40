// Lists the profile types of a server, and the types that measure CPU time.
import { friendlyRank } from '../../src/model/friendly-type.ts';
import { isCpuSamples, isCpuTime } from '../../src/model/profile-meaning.ts';
import { formatProfileType, type ProfileType } from '../../src/model/profile-type.ts';
import { field, getJson, readList, readString } from './shared/client.ts';
import { type Options, rangeParameters } from './shared/options.ts';

type Asked = Pick<Options, 'client' | 'from' | 'to'>;

/** Lists the types in a range. */
async function listProfileTypes(asked: Asked): Promise<ProfileType[]> {
  const json = await getJson(asked.client, '/api/profiles/types', rangeParameters(asked));
  return readList(field(json, 'types')).map((type) => {
    const text = (name: string): string => readString(field(type, name));
    return {
      name: text('name'),
      sample: { type: text('sampleType'), unit: text('sampleUnit') },
      period: { type: text('periodType'), unit: text('periodUnit') },
      delta: field(type, 'delta') === true,
    };
  });
}

/** Lists the names of the types in a range, sorted. */
export async function listTypeNames(asked: Asked): Promise<string[]> {
  return (await listProfileTypes(asked)).map(formatProfileType).sort();
}

/**
 * Lists the types of CPU profiles in a range. If a profile has both CPU time and counts, only the
 * type with the time is listed. Types of profiles from programs come first, then the agent's types.
 */
export async function listCpuTypes(asked: Asked): Promise<string[]> {
  const types = (await listProfileTypes(asked)).filter(({ delta }) => delta);
  const times = types.filter(isCpuTime);
  const timed = new Set(times.map(({ name }) => name));
  const counts = types.filter((type) => isCpuSamples(type) && !timed.has(type.name));
  const names = [...times, ...counts].map(formatProfileType);
  return names.sort((a, b) => friendlyRank(a) - friendlyRank(b) || (a < b ? -1 : 1));
}
