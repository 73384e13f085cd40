// A real Go profile in two forms: in our dictionary, and as stacks of names from an independent
// reader.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { ProfileBuilder } from '../../ingest/profile-builder.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { openContent } from '../gzip.ts';

const testdata = new URL('../pprof/testdata/', import.meta.url);

export interface RealProfile {
  readonly dictionary: Dictionary;
  readonly merged: MergedStacks;
  /**
   * Sums by stack. A stack is the names of its frames, root first, with inlined calls expanded.
   * Names are joined by line breaks, because a Go name may contain ";".
   */
  readonly sums: ReadonlyMap<string, bigint>;
}

/** Reads value type `index` of `go-cpu` or `go-heap`. */
export function readRealProfile(name: 'go-cpu' | 'go-heap', index: number): RealProfile {
  const upload = readFileSync(new URL(`${name}.pb.gz`, testdata));
  const dictionary = new Dictionary([1, 2, 3]);
  const profile = new ProfileBuilder(dictionary).build(openContent(upload), {
    series: { name: 'any', labels: [] },
    keepSampleTypes: [],
    receivedNanos: 0n,
    timeNanos: undefined,
    areFileAddresses: false,
    samplesMax: 0,
  });
  if (profile === undefined) throw new Error(`${name} has no rows`);
  const merged = {
    stacks: profile.stacks.slice(0, profile.rowCount),
    values: profile.values[index].slice(0, profile.rowCount),
  };
  return { dictionary, merged, sums: sumsByNames(gunzipSync(upload), index) };
}

/** The fields of a message that the test reads; 64-bit numbers are decimal strings. */
interface Message {
  readonly sample: readonly { locationId: string[]; value: string[] }[];
  readonly location: readonly { id: string; line: { functionId: string }[] }[];
  readonly function: readonly { id: string; name: string }[];
  readonly stringTable: readonly string[];
}

function sumsByNames(bytes: Uint8Array, index: number): Map<string, bigint> {
  const proto = protobuf.loadSync(fileURLToPath(new URL('profile.proto', testdata)));
  const type = proto.lookupType('perftools.profiles.Profile');
  const options = { longs: String, defaults: true, arrays: true };
  const message = type.toObject(type.decode(bytes), options) as unknown as Message;
  const names = new Map(
    message.function.map(({ id, name }) => [id, message.stringTable[Number(name)]]),
  );
  const calls = new Map(
    message.location.map(({ id, line }) => [
      id,
      line.map(({ functionId }) => names.get(functionId) ?? ''),
    ]),
  );
  const sums = new Map<string, bigint>();
  for (const { locationId, value } of message.sample) {
    const path = locationId.flatMap((id) => calls.get(id) ?? []).reverse();
    const key = path.join('\n');
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(value[index]));
  }
  for (const [key, sum] of sums) if (sum === 0n) sums.delete(key);
  return sums;
}
