// `--mode=query`: answers queries from the blocks in a bucket and from live servers. Nothing is
// stored.
import { join, resolve } from 'node:path';
import Long from 'long';
import { parts } from '../../proto/gen/parts.js';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { setInputLimits } from '../../src/base/input-limits.ts';
import { setMemoryLimit } from '../../src/base/memory-limit.ts';
import { liveCallMillisMax, partsAnswerBytesMax } from '../../src/base/limits.ts';
import type { Server } from '../../src/base/node/grpc-client.ts';
import type { ObjectStorageConfig } from '../../src/config/bucket-config.ts';
import { loadConfig } from '../../src/config/load/load.ts';
import type { FileServer } from '../../src/debuginfo/interface.ts';
import type { Ingester } from '../../src/ingest/interface.ts';
import type { ScrapeStatus } from '../../src/scrape/interface.ts';
import { openPageCache } from '../../src/storage/object-store/page-cache.ts';
import type { PartsAnswer } from '../../src/storage/part-source.ts';
import { BucketFolders } from '../../src/storage/query-server/bucket-folders.ts';
import type { LiveServer } from '../../src/storage/query-server/live-parts.ts';
import { ReadingStore } from '../../src/storage/query-server/reading-store.ts';
import { SelfProfiler } from '../../src/telemetry/self-profile.ts';
import { settingsInMemory } from '../../src/shares/app-settings.ts';
import { createMachine, type Machine } from '../machine.ts';
import { type BuildInfo, projectFolder } from '../build-info.ts';
import type { Flags } from './flags.ts';
import {
  announceDebuginfod,
  announceReady,
  openPort,
  type Program,
  expandedVariables,
} from './mode-parts.ts';
import { openEngine } from './open-engine.ts';
import { configAnswers } from './config-answers.ts';
import { configuredBucket } from './open-storage.ts';
import { readWebConfig, watchWebConfig } from './open-web-config.ts';
import { openOtherServer } from './other-server.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';

/**
 * Starts the query server. Resolves after it has contacted the bucket and the live servers once,
 * even if they did not respond.
 *
 * Errors: AppError for an invalid config, neither bucket nor servers, an address in use.
 */
export async function startQueryServer(flags: Flags, build: BuildInfo): Promise<Program> {
  setInputLimits(flags.inputLimits);
  setMemoryLimit(flags.memoryLimitBytes);
  const machine = createMachine(flags, build);
  const { clock, files, logger } = machine;
  const config = await loadConfig(
    resolve(flags.configPath),
    files,
    discoveryKinds,
    expandedVariables(flags),
  );
  if (config.scrapeConfigs.length > 0) {
    logger.warn('a query server does not scrape', { jobs: config.scrapeConfigs.length });
  }
  const web = await readWebConfig(flags.webConfigFile, files);
  const profiler = new SelfProfiler(clock, projectFolder);
  const api = await openPort(machine, flags, profiler, web, build);
  const webWatch = watchWebConfig(machine, flags.webConfigFile, api, web);
  const others = flags.store.addresses.map((address): NamedServer => {
    return { name: address, ...openOtherServer(address, flags.store, partsAnswerBytesMax) };
  });
  const store = await openReadingStore(machine, flags, config.objectStorage, others);
  const userAgent = `parca/${build.version}`;
  const opened = await openEngine(
    machine,
    flags,
    store,
    userAgent,
    (caller) => api.queriesAtOnce(caller),
    others.map(openFileServer),
  );
  const { engine, pyroscope, queries, answers, symbols, reportThread, drawPicture } = opened;
  symbols.debuginfod.setServers(config.debuginfodServers ?? flags.debuginfodServers);
  await store.start();
  api.serve({
    pyroscope,
    drawPicture,
    kept: { settings: settingsInMemory(), adHoc: undefined },
    engine,
    queries,
    answers,
    sources: symbols.sources,
    symbols: symbols.list,
    ingester: noIngester,
    debuginfo: noUploads,
    debuginfodFiles: symbols.debuginfodFiles,
    scrape: noScrape,
    whyNoWrites: () => 'it is a query server (--mode=query)',
    problem: () => reportThread.problem(),
    ...configAnswers(flags, symbols, () => config),
    admin: undefined,
    sharing: undefined,
  });
  announceDebuginfod(machine, flags, config);
  announceReady(machine, api, web, flags, build);
  symbols.buildReader();
  return {
    reload: async () => void (await webWatch?.check()),
    async stop(signal) {
      logger.info('stopping', { signal });
      profiler.stop();
      await webWatch?.stop();
      await api.close();
      await reportThread.close();
      await symbols.stop();
      await store.close();
      logger.info('stopped');
    },
  };
}

/**
 * Opens the store. Errors: AppError 'invalid-argument' if there is neither a bucket nor a server.
 */
async function openReadingStore(
  machine: Machine,
  flags: Flags,
  config: ObjectStorageConfig | undefined,
  others: readonly NamedServer[],
): Promise<ReadingStore> {
  const path = resolve(flags.storagePath);
  const root = await configuredBucket(machine, path, config);
  if (root === undefined && others.length === 0) {
    const needs = 'set object_storage in the config, or --store-address';
    throw new AppError('invalid-argument', `cannot answer without data: ${needs}`);
  }
  const openFolder = async (name: string) => {
    const inner = config && { ...config, prefix: `${config.prefix}/${name}` };
    const bucket = await configuredBucket(machine, path, inner);
    if (bucket !== undefined) return bucket;
    throw new AppError('invalid-argument', `cannot read folder ${name} of the bucket`);
  };
  return new ReadingStore({
    ...machine,
    folders: root && new BucketFolders(root, openFolder),
    servers: others.map(openLiveServer),
    cache: await openPageCache({
      ...machine,
      directory: join(path, 'cache'),
      bytesMax: flags.storageCacheBytesMax,
    }),
    memoryBytesMax: flags.storageActiveMemoryBytes,
  });
}

const why = 'this server only answers questions (--mode=query): ask one that stores profiles';
const refuse = async (): Promise<never> => {
  throw new AppError('unimplemented', `cannot take it: ${why}`);
};

const noScrape: ScrapeStatus = {
  activeTargets: () => [],
  droppedTargets: () => [],
  testRelabeling: () => {
    throw new AppError('unimplemented', `cannot test relabeling: ${why}`);
  },
};

const noIngester: Ingester = { write: refuse, writeRecord: refuse };
const noUploads = { decide: refuse, begin: refuse, receive: refuse, finish: refuse };

const { LookRequest, LookResponse, ReadBlockRequest, ReadBlockResponse } = parts.v1;
const { ReadDebuginfoRequest, ReadDebuginfoResponse } = parts.v1;

/** A server from `--store-address`. */
interface NamedServer extends Server {
  readonly name: string;
}

/** Connects to a live server. Errors of its methods: AppError with the code of the other server. */
function openLiveServer(server: NamedServer): LiveServer {
  const call = (method: string, request: Uint8Array): Promise<Uint8Array> =>
    server.call(`/parts.v1.PartsService/${method}`, request, liveCallMillisMax);
  return {
    name: server.name,
    async look({ instance, version, places }) {
      const request = LookRequest.encode({
        instance,
        version,
        places: places.map(({ epoch, sequence, offset }) => ({
          epoch,
          sequence: Long.fromNumber(sequence, true),
          offset: Long.fromNumber(offset, true),
        })),
      });
      return decodeLook(await call('Look', request.finish()));
    },
    async readBlock(id, offset, length) {
      const request = ReadBlockRequest.encode({
        id,
        offset: Long.fromNumber(offset, true),
        length,
      });
      const { content } = decoded(ReadBlockResponse, await call('ReadBlock', request.finish()));
      if (content.length === length) return Uint8Array.from(content);
      throw new AppError('data-loss', `cannot read block ${id}: ${content.length} bytes came`);
    },
    close: () => server.close(),
  };
}

/** Returns the server as a source of debug information. */
function openFileServer(server: NamedServer): FileServer {
  const path = '/parts.v1.PartsService/ReadDebuginfo';
  const { name } = server;
  return {
    name,
    async request(buildId, signal) {
      const read = async (offset: number): Promise<parts.v1.ReadDebuginfoResponse> => {
        const asked = { buildId, offset: Long.fromNumber(offset, true) };
        const request = ReadDebuginfoRequest.encode(asked).finish();
        const answer = await server.call(path, request, liveCallMillisMax, signal);
        return decoded(ReadDebuginfoResponse, answer);
      };
      const first = await read(0);
      return first.file === '' ? undefined : readPieces(first, read);
    },
  };
}

/**
 * Yields the content of a file. Errors: AppError 'aborted' if the file is replaced while it is
 * being read; errors of `read`.
 */
async function* readPieces(
  first: parts.v1.ReadDebuginfoResponse,
  read: (offset: number) => Promise<parts.v1.ReadDebuginfoResponse>,
): AsyncGenerator<Uint8Array> {
  const fileBytes = first.fileBytes.toNumber();
  let [piece, offset] = [first, 0];
  for (;;) {
    yield piece.content;
    offset += piece.content.length;
    if (offset >= fileBytes) return;
    piece = await read(offset);
    if (piece.file !== first.file || piece.content.length === 0) {
      throw new AppError('aborted', 'the file was replaced while it was read');
    }
  }
}

function decodeLook(bytes: Uint8Array): PartsAnswer {
  const answer = decoded(LookResponse, bytes);
  const { instance, version, heads, isWhole, gone } = answer;
  const blocks = answer.blocks.map(({ id, fileBytes, deletions }) => {
    return { id, fileBytes: fileBytes.toNumber(), deletions: Uint8Array.from(deletions) };
  });
  return {
    instance,
    version,
    heads,
    isWhole,
    gone,
    blocks: answer.hasBlocks ? blocks : undefined,
    stretches: answer.stretches.map(({ epoch, sequence, salt, offset, content, end }) => ({
      epoch,
      salt,
      sequence: sequence.toNumber(),
      offset: offset.toNumber(),
      bytes: Uint8Array.from(content),
      end: end.toNumber(),
    })),
    losses: answer.losses.map(({ lastNanos, sentence }) => {
      return { lastNanos: BigInt(lastNanos.toString()), sentence };
    }),
  };
}

function decoded<T>(type: { decode(bytes: Uint8Array): T }, bytes: Uint8Array): T {
  try {
    return type.decode(bytes);
  } catch (error) {
    throw new AppError('unavailable', `cannot understand an answer: ${errorMessage(error)}`);
  }
}
