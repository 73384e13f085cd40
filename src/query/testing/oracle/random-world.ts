// Random stores for the naive evaluation: profiles whose frames have files, lines and binaries, in
// heads, blocks and compacted blocks.
import { formatProfileType } from '../../../model/profile-type.ts';
import type { Querier } from '../../../storage/interface.ts';
import type { PlainFrame, PlainProfile, PlainRow } from './plain-data.ts';
import { randomRows, type RandomBelow } from '../random-rows.ts';
import { randomParts, randomProfiles } from '../random-store.ts';
import { realStore } from '../real-parts.ts';
import { TestStore, type TestLocation, type TestProfile } from '../test-store.ts';

/** A store, and its contents. */
export interface World {
  readonly querier: Querier;
  /** A fake store with the same profiles. */
  readonly fake: TestStore;
  readonly profiles: readonly PlainProfile[];
}

/** Returns up to 100 profiles, split over up to 4 parts. */
export async function randomWorld(random: RandomBelow): Promise<World> {
  const describe = locationsFrom(random);
  const profiles = randomProfiles(random, 1, randomFrames);
  const parts = Array.from({ length: 1 + random(4) }, () => {
    const kind = (['head', 'block', 'compacted', 'compacted'] as const)[random(4)];
    return { store: new TestStore(describe), kind };
  });
  const partNumbers = randomParts(random, profiles, parts.length);
  profiles.forEach((profile, i) => parts[partNumbers[i]].store.add(profile));
  const fake = new TestStore(describe);
  for (const profile of profiles) fake.add(profile);
  return {
    querier: await realStore(parts),
    fake,
    profiles: profiles.map((profile) => oracleProfile(profile, describe)),
  };
}

/** Returns frames f0~0..f4~2, some with inlined calls: each function has several lines. */
export function randomFrames(random: RandomBelow, count: number): string {
  return randomRows(random, count).replace(/[fg]\d/g, (name) => `${name}~${random(3)}`);
}

const binaries = [
  {},
  { mappingFile: '/usr/bin/app', buildId: 'b1' },
  { mappingFile: '/usr/lib/libF1.so', buildId: 'b2' },
  { mappingFile: '/opt/app', buildId: '' },
] as const;
const files = ['', 'src/a.go', 'lib/b.c'];

/** Returns the locations of frames in one world; no two frames share both address and binary. */
export function locationsFrom(random: RandomBelow): (text: string) => TestLocation {
  const known = new Map<string, TestLocation>();
  return (text) => {
    const number = known.size;
    const isBare = !text.includes('>') && random(8) === 0;
    const location = known.get(text) ?? {
      ...binaries[number % binaries.length],
      address: 0x1000 + (number >> 2) * 16 + (number % 3 === 0 ? 2 ** 33 : 0),
      lines: isBare ? [] : text.split('>').map(parseLine).reverse(),
    };
    known.set(text, location);
    return location;
  };
}

/** Parses `f1~2`: a name, and which of its three positions. */
function parseLine(text: string): TestLocation['lines'][number] {
  const [name, placeText] = text.split('~');
  const place = Number(placeText);
  const isMangled = place === 1;
  return {
    // Some functions have only a linker name.
    name: place === 2 && name === 'g1' ? '' : name,
    systemName: isMangled ? `_Z${name}` : name,
    fileName: files[(place + name.charCodeAt(1)) % files.length],
    startLine: place * 10,
    line: place * 10 + (place === 0 ? 0 : name.charCodeAt(1) % 4),
  };
}

export function oracleProfile(
  { type, labels = {}, timeNanos, durationNanos = 0n, period = 0n, rows }: TestProfile,
  describe: (text: string) => TestLocation,
): PlainProfile {
  return {
    type: formatProfileType(type),
    labels,
    timeNanos,
    durationNanos,
    period,
    rows: rows.split('\n').map((line) => oracleRow(line, describe)),
  };
}

function oracleRow(line: string, describe: (text: string) => TestLocation): PlainRow {
  const [stack, value, ...labels] = line.split(' ');
  const locations = stack === '-' ? [] : stack.split(';').map(describe);
  return {
    frames: locations.flatMap(inlinedFrames),
    value: BigInt(value),
    labels: Object.fromEntries(labels.map((label) => label.split('='))),
  };
}

/** Returns the frames of a location, the outermost first. */
function inlinedFrames({
  address,
  mappingFile = '',
  buildId = '',
  lines,
}: TestLocation): PlainFrame[] {
  const binary = mappingFile + buildId === '' ? undefined : { path: mappingFile, buildId };
  const common = { address: BigInt(address), binary };
  const bare = { name: '', systemName: '', fileName: '', line: 0 };
  if (lines.length === 0) return [{ ...common, ...bare }];
  return lines.toReversed().map(({ name, systemName = '', fileName = '', line = 0 }) => ({
    ...common,
    name: name === '' ? systemName : name,
    systemName,
    fileName,
    line,
  }));
}
