// Answers queries about files with the server's parsers and query engine, and a store in memory.
import { AppError } from '../../src/base/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { ownedCopy } from '../../src/base/owned.ts';
import type { Random } from '../../src/base/random.ts';
import type { CallContext, UnaryMethod } from '../../src/api/transport/call/method.ts';
import { queryMethods } from '../../src/api/query/query-service.ts';
import { readExportRequest } from '../../src/api/routes/export-request.ts';
import { exportProfile } from '../../src/api/routes/export.ts';
import { sourceLinksCall } from '../../src/api/routes/source-links.ts';
import { insightCalls } from '../../src/api/routes/insight-calls.ts';
import { importProfile, recognise } from '../../src/formats/import/import-profile.ts';
import { plainCounts } from '../../src/formats/reading/imported-profile.ts';
import { formatSkipped } from '../../src/formats/reading/skipped-lines.ts';
import { plausibleTimeNanosMin, readPprofHead } from '../../src/formats/pprof/head.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import type { ProfileUpload } from '../../src/ingest/interface.ts';
import { profileNameLabel } from '../../src/model/labels.ts';
import { createMatcher } from '../../src/model/matcher.ts';
import { formatProfileType } from '../../src/model/profile-type.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import type { AnswerSharing, QueryEngine } from '../../src/query/interface.ts';
import { noSources } from '../../src/sources/interface.ts';
import type { Querier } from '../../src/storage/interface.ts';
import { createMemoryStore } from '../../src/storage/tools/memory-store.ts';
import { createReportMaker } from '../../src/api/reports/report-maker.ts';
import { unpackInBrowser } from './unpack-in-browser.ts';
import type { FileContent, FileType, OpenedFile } from './messages.ts';

const nanosPerMilli = 1_000_000n;
const everything = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
/** Label with the name of the file. */
const fileLabel = 'file';

const browserRandom: Random = { uint32: () => crypto.getRandomValues(new Uint32Array(1))[0] };

/** Paths that are answered from files. There is no config, so there are no rules for links. */
const fileCalls = [...insightCalls, sourceLinksCall({ rules: () => [], goBuild: () => undefined })];

/** Sharing that neither shares nor caches answers, because there is only one caller. */
const unshared: AnswerSharing = {
  once: async (_question, caller, answer) => (await answer(caller)).bytes,
};

/** Store of the open files, and the services that use it. */
interface Served {
  readonly querier: Querier;
  readonly engine: QueryEngine;
  readonly methods: ReadonlyMap<string, UnaryMethod>;
  readonly write: (uploads: readonly ProfileUpload[]) => Promise<void>;
}

export class FileEngine {
  readonly #clock: Clock;
  readonly #files = new Map<string, readonly ProfileUpload[]>();
  #served: Served;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#served = serveStore(clock);
  }

  /**
   * Reads a file. Its profiles get the label `file`.
   *
   * Errors: AppError 'invalid-argument' for invalid content, 'resource-exhausted' for exceeded
   * limits, 'unimplemented' for unsupported formats. Nothing of the file is kept then.
   */
  async open({ name, bytes, modifiedMillis }: FileContent): Promise<OpenedFile> {
    if (this.#files.has(name)) throw new AppError('already-exists', `${name} is already open`);
    const content = await unpackInBrowser(bytes);
    const recognised = recognise(content);
    const context = { timeNanos: 0n, durationNanos: 0n, counts: plainCounts };
    const imported = importProfile(content, context, recognised);
    const uploads = imported.profiles.map((profile) => ({
      labels: [
        ...profile.labels,
        { name: fileLabel, value: name },
        { name: profileNameLabel, value: profile.name },
      ],
      profile: profile.pprof,
      timeNanos: readTime(profile.pprof, modifiedMillis),
    }));
    await this.#served.write(uploads);
    this.#files.set(name, uploads);
    const types = await listTypes(this.#served.querier, name);
    const note = formatSkipped(imported) ?? '';
    return { name, format: recognised.format, byteCount: bytes.length, types, note };
  }

  /** Removes a file. */
  async close(name: string): Promise<void> {
    this.#files.delete(name);
    const served = serveStore(this.#clock);
    for (const uploads of this.#files.values()) await served.write(uploads);
    this.#served = served;
  }

  /** Calls a method. Errors: those of the method; AppError 'unimplemented'. */
  async call(path: string, message: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    const method = this.#served.methods.get(`/${path}`);
    if (method === undefined) throw unknown(path);
    return method.handle(message, callContext(signal));
  }

  /** Requests a path below `/api/v1/`, and returns JSON or a file. Errors: same as `call`. */
  async get(path: string, signal: AbortSignal): Promise<Uint8Array> {
    const { engine } = this.#served;
    const url = `/api/v1/${path}`;
    const { pathname } = new URL(url, 'http://files');
    const nowMillis = this.#clock.nowMillis();
    const caller = callContext(signal);
    if (pathname === '/api/v1/export') {
      const request = readExportRequest(url, nowMillis, undefined);
      return (await exportProfile(engine, request, caller)).bytes;
    }
    const found = fileCalls.find((call) => call.path === pathname);
    if (found === undefined) throw unknown(path);
    const answer = await found.answer({ url, path: {}, nowMillis, engine, caller });
    return answer instanceof Uint8Array ? answer : ownedCopy(encodeJson(answer));
  }
}

function serveStore(clock: Clock): Served {
  const storage = createMemoryStore(browserRandom);
  const { querier } = storage;
  const shared = { clock, metrics: noMetrics, logger: silentLogger };
  const ingester = createIngester({ storage, ...shared });
  const make = createReportMaker();
  const engine = createQueryEngine({
    querier,
    ...shared,
    reportThread: { make },
    keepsCounts: true,
  });
  const methods = queryMethods({
    engine,
    answers: unshared,
    sources: noSources,
    clock,
    sharing: undefined,
  });
  return {
    querier,
    engine,
    methods: new Map(methods.map((method) => [method.path, method])),
    write: (uploads) => ingester.write(uploads),
  };
}

function callContext(signal: AbortSignal): CallContext {
  return { signal, peer: '', caller: '', limits: {}, tags: [] };
}

function unknown(path: string): AppError {
  return new AppError('unimplemented', `files do not answer ${path}`);
}

/** Returns the time to use for a profile that has none; undefined if the profile has a time. */
function readTime(pprof: Uint8Array, modifiedMillis: number): bigint | undefined {
  const { timeNanos } = readPprofHead(pprof);
  if (timeNanos >= plausibleTimeNanosMin) return undefined;
  return BigInt(Math.round(modifiedMillis)) * nanosPerMilli;
}

/** Lists the profile types of a file, with their times. */
async function listTypes(querier: Querier, name: string): Promise<FileType[]> {
  const matchers = [createMatcher(fileLabel, '=', name)];
  const types: FileType[] = [];
  for (const profileType of await querier.profileTypes(everything, matchers)) {
    using found = await querier.select({ matchers, profileType, range: everything });
    const times = found.series.map((series) => series.times());
    types.push({
      type: formatProfileType(profileType),
      fromMillis: Math.min(...times.map(({ from }) => Number(from / nanosPerMilli))),
      toMillis: Math.max(...times.map(({ to }) => Number(to / nanosPerMilli))),
    });
  }
  return types;
}

function encodeJson(answer: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(answer));
}
