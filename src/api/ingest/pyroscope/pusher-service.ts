// PusherService: pprof profiles and Java recordings from Pyroscope's SDKs and Grafana Alloy.
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { finishPausing, Pacer } from '../../../base/pacer.ts';
import { recordingsPerPushMax } from '../../limits.ts';
import type { ImportInThread } from '../../../formats/import/import-file.ts';
import { isJfr } from '../../../formats/jfr/chunks.ts';
import { plainCounts } from '../../../formats/reading/imported-profile.ts';
import { unpackInPool } from '../../../formats/unpack.ts';
import type { ProfileUpload } from '../../../ingest/interface.ts';
import { type Label, profileNameLabel } from '../../../model/labels.ts';
import type { ValueType } from '../../../model/profile-type.ts';
import type { CallContext, Method } from '../../transport/call/method.ts';
import type { PushStore } from '../profile-pushes.ts';
import { splitChanges } from '../deltas.ts';
import { readPprofFacts } from '../pprof-facts.ts';
import { isPrivateLabel, queryableLabels } from '../labels.ts';
import { type RawSeries, readRawSeries } from '../raw-series.ts';

const deltaPrefix = 'godeltaprof_';
/**
 * Time between two profiles of godeltaprof, which the profiles do not contain. All known senders
 * use this interval.
 */
const deltaNanos = 15_000_000_000n;

const layout = { message: 'PushRequest', seriesField: 1, areLabelsNested: false } as const;

/** The service's method. */
export function pusherMethods(
  pushes: PushStore,
  clock: Clock,
  importInThread: ImportInThread,
): Method[] {
  return [
    {
      path: '/push.v1.PusherService/Push',
      kind: 'unary',
      handle: async (request, context) => {
        const pacer = new Pacer(clock);
        const reading = readRawSeries(request, layout, ({ series: all }) => all);
        const series = await finishPausing(reading, pacer);
        checkRecordings(series);
        const uploads: ProfileUpload[] = [];
        for (const { labels, profiles } of series) {
          const { recordings = [], others = [] } = Object.groupBy(profiles, profileKind);
          uploads.push(...(await toUploads({ labels, profiles: others }, clock)));
          for (const recording of recordings) {
            uploads.push(...(await readRecording(recording, labels, importInThread, context)));
          }
          const pausing = pacer.pause();
          if (pausing !== undefined) await pausing;
        }
        await pushes.store(uploads, context);
        return new Uint8Array(0);
      },
    },
  ];
}

function checkRecordings(series: readonly RawSeries[]): void {
  let count = 0;
  for (const { profiles } of series) count += profiles.filter(isJfr).length;
  if (count <= recordingsPerPushMax) return;
  const why = `it has ${count} recordings, the limit is ${recordingsPerPushMax}`;
  throw new AppError('resource-exhausted', `cannot write profiles: ${why}`);
}

function profileKind(profile: Uint8Array): 'recordings' | 'others' {
  return isJfr(profile) ? 'recordings' : 'others';
}

/** Returns the uploads of a Java recording, whose profiles have their own names. */
async function readRecording(
  recording: Uint8Array,
  labels: readonly Label[],
  importInThread: ImportInThread,
  { signal, caller }: CallContext,
): Promise<ProfileUpload[]> {
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts, mayBeEmpty: true };
  // Sending a view would copy the complete request.
  const file = { content: Uint8Array.from(recording), context, format: 'jfr' as const };
  const { profiles } = await importInThread(file, signal, caller);
  const kept = labels.filter(({ name }) => name !== profileNameLabel && !isPrivateLabel(name));
  return profiles.map((profile) => ({
    labels: named([...kept, ...profile.labels], profile.name),
    profile: profile.pprof,
  }));
}

async function toUploads({ labels, profiles }: RawSeries, clock: Clock): Promise<ProfileUpload[]> {
  const given = new Map(labels.map(({ name, value }) => [name, value]));
  const fullName = given.get(profileNameLabel) ?? '';
  const isDelta = fullName.startsWith(deltaPrefix) || given.get('__delta__') === 'false';
  const kept = labels.filter(({ name }) => name !== profileNameLabel && !isPrivateLabel(name));
  const name = fullName.slice(fullName.startsWith(deltaPrefix) ? deltaPrefix.length : 0);
  const times = {
    isChange: ({ type }: ValueType): boolean => !type.startsWith('inuse_'),
    timeNanos: 0n,
    durationNanos: isDelta ? deltaNanos : 0n,
  };
  const uploads: ProfileUpload[] = [];
  for (const rawProfile of profiles) {
    if (!isDelta && name !== '') {
      uploads.push({ labels: named(kept, name), profile: rawProfile });
      continue;
    }
    const content = await unpackInPool(rawProfile, { what: 'cannot read profile' });
    const facts = await readPprofFacts(content, clock, name === '' ? undefined : name);
    for (const upload of splitChanges(content, facts.head, times, rawProfile)) {
      uploads.push({ ...upload, labels: named(kept, facts.name) });
    }
  }
  return uploads;
}

function named(labels: Iterable<Label>, name: string): Label[] {
  return queryableLabels([{ name: profileNameLabel, value: name }, ...labels]);
}
