// PusherService: pprof as Pyroscope's SDKs and Grafana Alloy push it, and recordings of Java.
import { push } from '../../../../proto/gen/push.js';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { type InputLimitName, inputLimits, overInputLimit } from '../../../base/input-limits.ts';
import { recordingsPerPushMax } from '../../limits.ts';
import type { ImportInThread } from '../../../formats/import/import-file.ts';
import { isJfr } from '../../../formats/jfr/chunks.ts';
import { plainCounts } from '../../../formats/reading/imported-profile.ts';
import { unpackInPool } from '../../../formats/unpack.ts';
import { WireReader } from '../../../formats/wire-reader.ts';
import { bytesWire, eachField, readSpan } from '../../../formats/wire-fields.ts';
import type { ProfileUpload } from '../../../ingest/interface.ts';
import { type Label, profileNameLabel } from '../../../model/labels.ts';
import type { ValueType } from '../../../model/profile-type.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { CallContext, Method } from '../../transport/call/method.ts';
import type { PushStore } from '../profile-pushes.ts';
import { splitChanges } from '../deltas.ts';
import { readPprofFacts } from '../pprof-facts.ts';
import { isPrivateLabel, queryableLabels } from '../labels.ts';

const deltaPrefix = 'godeltaprof_';
/**
 * Time between two profiles of godeltaprof, which the profiles do not contain. All senders use this
 * one.
 */
const deltaNanos = 15_000_000_000n;

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
        checkCounts(request);
        const { series } = decodeRequest(push.v1.PushRequest, request, Infinity);
        checkRecordings(series);
        const uploads: ProfileUpload[] = [];
        for (const { labels, samples } of series) {
          const { recordings = [], others = [] } = Object.groupBy(samples, sampleKind);
          uploads.push(...(await toUploads({ labels, samples: others }, clock)));
          for (const { rawProfile } of recordings) {
            uploads.push(...(await readRecording(rawProfile, labels, importInThread, context)));
          }
        }
        await pushes.store(uploads, context);
        return new Uint8Array(0);
      },
    },
  ];
}

/** Checks numbers of series, labels and profiles before there is an object for each. */
function checkCounts(request: Uint8Array): void {
  const { seriesPerRequest, labelsPerSeries } = inputLimits;
  const counts = { series: 0, labels: 0, profiles: 0 };
  const count = (kind: keyof typeof counts, most: number, limit: InputLimitName): void => {
    counts[kind] += 1;
    if (counts[kind] <= most) return;
    throw overInputLimit(limit, `cannot write profiles: more than ${most} ${kind} in one request`);
  };
  const reader = new WireReader('cannot decode PushRequest');
  reader.open(request);
  eachField(reader, { start: 0, end: request.length }, (number, wire) => {
    if (number !== 1 || wire !== bytesWire) return;
    count('series', seriesPerRequest, 'seriesPerRequest');
    eachField(reader, readSpan(reader, request.length), (field, fieldWire) => {
      if (fieldWire !== bytesWire) return;
      if (field === 1) count('labels', seriesPerRequest * labelsPerSeries, 'labelsPerSeries');
      if (field === 2) count('profiles', seriesPerRequest, 'seriesPerRequest');
    });
  });
}

function checkRecordings(series: readonly push.v1.RawProfileSeries[]): void {
  let count = 0;
  for (const { samples } of series) count += samples.filter(isRecording).length;
  if (count <= recordingsPerPushMax) return;
  const why = `it has ${count} recordings, the limit is ${recordingsPerPushMax}`;
  throw new AppError('resource-exhausted', `cannot write profiles: ${why}`);
}

function isRecording({ rawProfile }: push.v1.RawSample): boolean {
  return isJfr(rawProfile);
}

function sampleKind(sample: push.v1.RawSample): 'recordings' | 'others' {
  return isRecording(sample) ? 'recordings' : 'others';
}

/** Returns the uploads of a recording of Java, whose profiles have names of their own. */
async function readRecording(
  recording: Uint8Array,
  labels: readonly Label[],
  importInThread: ImportInThread,
  { signal, caller }: CallContext,
): Promise<ProfileUpload[]> {
  const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts, mayBeEmpty: true };
  // A view would be sent with all of the request.
  const file = { content: Uint8Array.from(recording), context, format: 'jfr' as const };
  const { profiles } = await importInThread(file, signal, caller);
  const kept = labels.filter(({ name }) => name !== profileNameLabel && !isPrivateLabel(name));
  return profiles.map((profile) => ({
    labels: named([...kept, ...profile.labels], profile.name),
    profile: profile.pprof,
  }));
}

async function toUploads(
  { labels, samples }: Pick<push.v1.RawProfileSeries, 'labels' | 'samples'>,
  clock: Clock,
): Promise<ProfileUpload[]> {
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
  for (const { rawProfile } of samples) {
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
