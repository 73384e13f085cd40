// The schema of `profiling_config`: the profiles that are fetched, merged with the defaults.
import type { ValueType } from '../../model/profile-type.ts';
import { nearest } from '../../base/text/nearest.ts';
import type { ScrapedProfile } from '../config.ts';
import {
  boolean,
  integer,
  list,
  readMap,
  nonEmptyText,
  optional,
  record,
  refine,
  refuse,
  required,
  text,
  type Reader,
} from './read.ts';

/** Parca's default profiles: name, path, and true if the profile covers a period of time. */
const defaultProfiles: readonly (readonly [string, string, boolean])[] = [
  ['memory', '/debug/pprof/allocs', false],
  ['block', '/debug/pprof/block', false],
  ['goroutine', '/debug/pprof/goroutine', false],
  ['mutex', '/debug/pprof/mutex', false],
  ['process_cpu', '/debug/pprof/profile', true],
];

/** Path of Go's index page, which links to every profile. */
const defaultIndexPath = '/debug/pprof/';

const defaultNames = defaultProfiles.map(([name]) => name);

/** Longest profile in seconds: a day. A longer profile is a mistake. */
const secondsMax = 86_400;

const valueType: Reader<ValueType> = record({
  type: required(nonEmptyText),
  unit: required(nonEmptyText),
});

/** Missing keys stay undefined, so that the defaults for the profile's name apply. */
const pprofProfile = record({
  enabled: optional(boolean, undefined),
  path: optional(path(nonEmptyText), undefined),
  delta: optional(boolean, undefined),
  seconds: optional(integer(0, secondsMax), 0),
  keep_sample_type: optional(list(valueType), []),
});
type PprofProfile = Exclude<ReturnType<typeof pprofProfile>, symbol>;

const profilingKeys = record(
  {
    path_prefix: optional(path(text), ''),
    pprof_config: optional(
      readMap(pprofProfile, profileNameMistake),
      new Map<string, PprofProfile>(),
    ),
  },
  [],
  (_given, place) => {
    for (const { key, place: at } of place.find('pprof_config')?.entries() ?? []) {
      const isEnabled = at.find('enabled')?.scalar()?.value === true;
      const hasPath = at.find('path') !== undefined;
      if (defaultNames.includes(key)) continue;
      if (isEnabled && !hasPath) at.report('enabled, but path is missing');
      if (at.find('enabled') === undefined) at.warn(neverFetched(key));
    }
  },
);

/**
 * Returns the message for a profile that is never fetched: there are no defaults for its name, and
 * the config does not enable it.
 */
function neverFetched(name: string): string {
  const near = nearest(name, defaultNames);
  const meant = near === undefined ? '' : `, or did you mean ${near}?`;
  return `nothing is fetched: a profile other than ${defaultNames.join(', ')} needs enabled: true${meant}`;
}

/** Refuses a name with a colon, because colons separate the parts of a profile type. */
function profileNameMistake(name: string): string | undefined {
  return name.includes(':') ? 'a profile name has no colon' : undefined;
}

/**
 * Reads a path. A path with parameters is refused, because its "?" would be encoded; parameters
 * belong in `params`.
 */
function path(read: Reader<string>): Reader<string> {
  return refine(read, (value, place) =>
    /[?#]/.test(value)
      ? refuse(place, 'a path without ? and #, as parameters go into params')
      : value,
  );
}

/**
 * Reads `profiling_config`: the enabled profiles. A default profile is enabled unless the config
 * disables it; another profile must be enabled by the config and have a path.
 */
export const profiling: Reader<readonly ScrapedProfile[]> = refine(
  profilingKeys,
  ({ path_prefix: prefix, pprof_config: given }) => {
    const profiles = defaultProfiles.map(([name, defaultPath, delta]) =>
      merge(name, given.get(name), { enabled: true, path: defaultPath, delta }, prefix),
    );
    for (const [name, profile] of given) {
      if (defaultNames.includes(name)) continue;
      profiles.push(merge(name, profile, { enabled: false, path: '', delta: false }, prefix));
    }
    return profiles.filter((profile) => profile !== undefined);
  },
);

/** Profiles that are scraped when a job has no `profiling_config`. */
export const profilesByDefault: readonly ScrapedProfile[] = defaultProfiles.map(
  ([name, path, delta]) => ({
    name,
    path,
    delta,
    seconds: undefined,
    keepSampleTypes: [],
    indexPath: defaultIndexPath,
  }),
);

function merge(
  name: string,
  given: PprofProfile | undefined,
  defaults: { readonly enabled: boolean; readonly path: string; readonly delta: boolean },
  prefix: string,
): ScrapedProfile | undefined {
  if (!(given?.enabled ?? defaults.enabled)) return undefined;
  const seconds = given?.seconds ?? 0;
  return {
    name,
    path: joinPath(prefix, given?.path ?? defaults.path),
    delta: given?.delta ?? defaults.delta,
    seconds: seconds === 0 ? undefined : seconds,
    keepSampleTypes: given?.keep_sample_type ?? [],
    // A profile that the config names must exist, so no index is read to check whether a target has
    // it.
    indexPath: given === undefined ? joinPath(prefix, defaultIndexPath) : '',
  };
}

/** Returns `/prefix/path` with a single slash between parts. */
function joinPath(prefix: string, path: string): string {
  return `/${prefix}/${path}`.replace(/\/{2,}/g, '/');
}
