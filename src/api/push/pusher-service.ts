// PusherService: pprof as Pyroscope's SDKs and Grafana Alloy push it.
import { push } from '../../../proto/gen/push.js';
import { decompress } from '../../formats/import/import-profile.ts';
import { profileNameOf } from '../../formats/import/profile-name.ts';
import { readPprofHead } from '../../formats/pprof/head.ts';
import type { ProfileUpload } from '../../ingest/interface.ts';
import { type Label, profileNameLabel } from '../../model/labels.ts';
import { decodeRequest } from '../call/message.ts';
import type { Method } from '../call/method.ts';
import type { ProfilePushes } from '../write/profile-pushes.ts';
import { splitChanges } from './deltas.ts';
import { isPrivateLabel, queryableLabels } from './labels.ts';

const deltaPrefix = 'godeltaprof_';
/**
 * Time between two profiles of godeltaprof, which is not in the profiles. All senders use this one.
 */
const deltaNanos = 15_000_000_000n;

/** The service's method. */
export function pusherMethods(pushes: ProfilePushes): Method[] {
  return [
    {
      path: '/push.v1.PusherService/Push',
      kind: 'unary',
      handle: async (request, { peer }) => {
        const { series } = decodeRequest(push.v1.PushRequest, request);
        const uploads = series.flatMap((one) => uploadsOf(one));
        await pushes.store(uploads, peer);
        return new Uint8Array(0);
      },
    },
  ];
}

function uploadsOf({ labels, samples }: push.v1.RawProfileSeries): ProfileUpload[] {
  const given = new Map(labels.map(({ name, value }) => [name, value]));
  const fullName = given.get(profileNameLabel) ?? '';
  const isDelta = fullName.startsWith(deltaPrefix) || given.get('__delta__') === 'false';
  const kept = labels.filter(({ name }) => name !== profileNameLabel && !isPrivateLabel(name));
  return samples.flatMap(({ rawProfile }) => {
    const name = fullName.slice(fullName.startsWith(deltaPrefix) ? deltaPrefix.length : 0);
    if (!isDelta && name !== '') return [{ labels: named(kept, name), profile: rawProfile }];
    const content = decompress(rawProfile);
    const known = name || profileNameOf(readPprofHead(content).sampleTypes);
    const duration = isDelta ? deltaNanos : 0n;
    return splitChanges(content, ({ type }) => !type.startsWith('inuse_'), 0n, duration).map(
      (upload) => ({ ...upload, labels: named(kept, known) }),
    );
  });
}

function named(labels: Iterable<Label>, name: string): Label[] {
  return queryableLabels([{ name: profileNameLabel, value: name }, ...labels]);
}
