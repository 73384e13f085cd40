// Builds flame graphs of uploaded files with the server's parsers and query engine, over a
// temporary store in memory.
import type {
  AdHocAnswer,
  AdHocQuestion,
} from '../../../src/api/query/pyroscope/ad-hoc-service.ts';
import { askGraph } from '../../../src/api/query/pyroscope/ask.ts';
import { pyroscopeEncodings } from '../../../src/api/query/pyroscope/encode-answer.ts';
import { flamebearerJson, barUnits } from '../../../src/api/query/pyroscope/flamebearer.ts';
import { createReportMaker } from '../../../src/api/reports/report-maker.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import type { Random } from '../../../src/base/random.ts';
import { importFile } from '../../../src/formats/import/import-file.ts';
import { plausibleTimeNanosMin, readPprofHead } from '../../../src/formats/pprof/head.ts';
import { plainCounts } from '../../../src/formats/reading/imported-profile.ts';
import { unpack } from '../../../src/formats/unpack.ts';
import { createIngester } from '../../../src/ingest/ingester.ts';
import { profileNameLabel } from '../../../src/model/labels.ts';
import { createMatcher } from '../../../src/model/matcher.ts';
import { formatProfileType, type ProfileType } from '../../../src/model/profile-type.ts';
import { createQueryEngine } from '../../../src/query/engine/engine.ts';
import type { Querier } from '../../../src/storage/interface.ts';
import { createMemoryStore } from '../../../src/storage/tools/memory-store.ts';

const what = 'cannot read profile';
/** Label that contains the name of the file in a diff. */
const fileLabel = 'file';
const everything = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/** Parts of the program that flame graphs of files need. */
export interface AdHocHost {
  readonly clock: Clock;
  readonly random: Random;
}

/** Builds the flame graph. Errors: as in importFile; AppError 'invalid-argument'. */
export async function answerAdHoc(
  { files, type, maxNodes }: AdHocQuestion,
  { clock, random }: AdHocHost,
  signal: AbortSignal,
): Promise<AdHocAnswer> {
  const storage = createMemoryStore(random);
  const shared = { clock, metrics: noMetrics, logger: silentLogger };
  const ingester = createIngester({ storage, ...shared });
  for (const [i, { bytes, uploadedMillis }] of files.entries()) {
    const content = unpack(bytes, { what });
    const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
    const { profiles } = importFile({ content, context, format: undefined });
    const uploads = profiles.map((profile) => ({
      labels: [
        ...profile.labels,
        { name: fileLabel, value: String(i) },
        { name: profileNameLabel, value: profile.name },
      ],
      profile: profile.pprof,
      timeNanos: missingTime(profile.pprof, uploadedMillis),
    }));
    await ingester.write(uploads);
  }
  const { querier } = storage;
  const types = nameTypes(await typesOfAll(querier, files.length));
  const [first] = types.keys();
  const name = types.has(type) ? type : first;
  const shown = types.get(name);
  if (shown === undefined) {
    const why = files.length > 1 ? 'the profiles have no type in common' : 'it has no values';
    throw new AppError('invalid-argument', `${what}: ${why}`);
  }
  const make = createReportMaker();
  const engine = createQueryEngine({
    querier,
    ...shared,
    reportThread: { make },
    keepsCounts: true,
  });
  const [left, right] = files.map((_, i) => ({
    mode: 'merge' as const,
    query: `${formatProfileType(shown)}{${fileLabel}="${i}"}`,
    range: everything,
  }));
  const select =
    right === undefined
      ? left
      : { mode: 'diff' as const, base: left, compared: right, baseScale: 'none' as const };
  const caller = { signal, peer: '', caller: '', limits: {}, tags: [] };
  const encoding = pyroscopeEncodings.flamebearer;
  const { bytes } = await askGraph(engine, select, maxNodes, undefined, encoding, caller);
  const units = { ...barUnits(formatProfileType(shown)), name };
  return {
    types: [...types.keys()],
    type: name,
    flamebearer: flamebearerJson(String(Buffer.from(bytes)), units),
  };
}

/** Returns a time for a profile that has none; undefined for a profile with a time. */
function missingTime(pprof: Uint8Array, uploadedMillis: number): bigint | undefined {
  const { timeNanos } = readPprofHead(pprof);
  return timeNanos >= plausibleTimeNanosMin ? undefined : BigInt(uploadedMillis) * 1_000_000n;
}

/** Returns the types that all files have. */
async function typesOfAll(querier: Querier, fileCount: number): Promise<ProfileType[]> {
  let common: ProfileType[] | undefined;
  for (let i = 0; i < fileCount; i += 1) {
    const matchers = [createMatcher(fileLabel, '=', String(i))];
    const own = await querier.profileTypes(everything, matchers);
    const texts = new Set(own.map(formatProfileType));
    common = (common ?? own).filter((one) => texts.has(formatProfileType(one)));
  }
  return common ?? [];
}

/**
 * Returns the types by the name of their sample type, as in Pyroscope. If two types have the same
 * sample type, both are returned by their full name.
 */
function nameTypes(types: readonly ProfileType[]): Map<string, ProfileType> {
  const named = new Map<string, ProfileType>();
  for (const type of types) {
    const { sample } = type;
    const isOne = types.filter((one) => one.sample.type === sample.type).length === 1;
    named.set(isOne ? sample.type : `${type.name}:${sample.type}`, type);
  }
  return named;
}
