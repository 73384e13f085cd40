// Encodes test profiles as pprof uploads, and reads pprof answers, with a third-party library.
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  Function as PprofFunction,
  Label,
  Line,
  Location,
  Mapping,
  Profile,
  Sample,
  StringTable,
  ValueType,
} from 'pprof-format';
import type { TestLocation, TestProfile } from '../../src/query/testing/test-store.ts';

/** Returns the gzipped pprof message of a test profile. */
export function encodeUpload(
  profile: TestProfile,
  describe: (text: string) => TestLocation,
): Buffer {
  const strings = new StringTable();
  const text = (value: string): number => strings.dedup(value);
  const mappings = new Map<string, Mapping>();
  const functions = new Map<string, PprofFunction>();
  const locations = new Map<string, Location>();
  const addMapping = ({ mappingFile = '', buildId = '' }: TestLocation): number => {
    if (mappingFile + buildId === '') return 0;
    const key = `${mappingFile} ${buildId}`;
    const known = mappings.get(key);
    if (known !== undefined) return Number(known.id);
    const id = mappings.size + 1;
    const range = { memoryStart: 0, memoryLimit: 1000, fileOffset: 0 };
    const names = { filename: text(mappingFile), buildId: text(buildId) };
    mappings.set(key, new Mapping({ id, ...range, ...names }));
    return id;
  };
  const addLine = (line: TestLocation['lines'][number]): Line => {
    const key = JSON.stringify(line);
    const { name, systemName = name, fileName = '', startLine = 0 } = line;
    let found = functions.get(key);
    if (found === undefined) {
      const names = { name: text(name), systemName: text(systemName), filename: text(fileName) };
      found = new PprofFunction({ id: functions.size + 1, ...names, startLine });
      functions.set(key, found);
    }
    return new Line({ functionId: found.id, line: line.line ?? 0 });
  };
  const addLocation = (frame: string): number => {
    const known = locations.get(frame);
    if (known !== undefined) return Number(known.id);
    const described = describe(frame);
    const id = locations.size + 1;
    const line = described.lines.map(addLine);
    const mappingId = addMapping(described);
    locations.set(frame, new Location({ id, mappingId, address: described.address, line }));
    return id;
  };
  const sample = profile.rows.split('\n').map((row) => {
    const [stack, value, ...labels] = row.split(' ');
    return new Sample({
      locationId: stack === '-' ? [] : stack.split(';').map(addLocation).reverse(),
      value: [BigInt(value)],
      label: labels.map((label) => {
        const [key, str] = label.split('=').map(text);
        return new Label({ key, str });
      }),
    });
  });
  const { type, timeNanos, durationNanos = 0n, period = 0n } = profile;
  const valueType = (of: { type: string; unit: string }): ValueType =>
    new ValueType({ type: text(of.type), unit: text(of.unit) });
  const message = new Profile({
    sampleType: [valueType(type.sample)],
    periodType: valueType(type.period),
    sample,
    timeNanos,
    durationNanos,
    period,
    mapping: [...mappings.values()],
    location: [...locations.values()],
    function: [...functions.values()],
    stringTable: strings,
  });
  return gzipSync(message.encode(), { level: 1 });
}

/**
 * Returns the content of a gzipped pprof message as strings, in an order that does not depend on
 * the store.
 */
export function textsOfPprof(bytes: Uint8Array): readonly string[] {
  const profile = Profile.decode(gunzipSync(bytes));
  const text = (index: number | bigint): string => profile.stringTable.strings[Number(index)];
  const byId = <T extends { id: number | bigint }>(rows: readonly T[]): Map<number, T> =>
    new Map(rows.map((row) => [Number(row.id), row]));
  const [functions, mappings] = [byId(profile.function), byId(profile.mapping)];
  const locations = byId(profile.location);
  const lineText = ({ functionId, line }: Line): string => {
    const of = functions.get(Number(functionId));
    if (of === undefined) return `no function ${functionId}`;
    const names = [of.name, of.systemName, of.filename].map(text);
    return `${names.join(' ')} ${of.startLine}:${line}`;
  };
  const locationText = (id: number | bigint): string => {
    const location = locations.get(Number(id));
    if (location === undefined) return `no location ${id}`;
    const mapping = mappings.get(Number(location.mappingId));
    const binary =
      mapping === undefined ? '' : `${text(mapping.filename)} ${text(mapping.buildId)}`;
    return `${location.address} in [${binary}]: ${location.line.map(lineText).join(' < ')}`;
  };
  const typeText = ({ type, unit }: ValueType): string => `${text(type)}/${text(unit)}`;
  const head = [
    profile.sampleType.map(typeText).join(),
    typeText(profile.periodType ?? new ValueType({})),
    ...[profile.period, profile.timeNanos, profile.durationNanos].map(String),
  ];
  const samples = profile.sample.map(({ locationId, value, label }) => {
    const labels = label.map(({ key, str }) => `${text(key)}=${text(str)}`).sort();
    return `${locationId.map(locationText).join('; ')} ${value.join()} {${labels.join()}}`;
  });
  return [...head, ...samples.sort()];
}
