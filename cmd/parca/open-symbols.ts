// Opens the store of debug information, and the readers that use it.
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { AssemblyReader } from '../../src/api/routes/assembly-route.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Files } from '../../src/base/files.ts';
import { debuginfoBytesMax, debuginfoDiskShareMax } from '../../src/base/limits.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import type { Random } from '../../src/base/random.ts';
import { DebuginfoStore } from '../../src/debuginfo/debuginfo-store.ts';
import type {
  BuildSymbols,
  DebuginfodFiles,
  DebuginfoUploads,
  FileServer,
} from '../../src/debuginfo/interface.ts';
import type { FolderLimits } from '../../src/debuginfo/folder-limits.ts';
import { Uploads, type UploadsOptions } from '../../src/debuginfo/uploads.ts';
import { DebuginfodFetcher } from '../../src/debuginfo/debuginfod-fetcher.ts';
import { StoredDebuginfodFiles } from '../../src/debuginfo/debuginfod-files.ts';
import { readFirst, type SourceReader } from '../../src/sources/interface.ts';
import { SourceArchives } from '../../src/sources/source-archives.ts';
import type { Demangler } from '../../src/symbolize/demangler.ts';
import { BinaryPaths } from '../../src/symbolize/binary-paths.ts';
import type { BuildFiles } from '../../src/symbolize/interface.ts';
import { LookAhead } from '../../src/symbolize/look-ahead.ts';
import type { SourceMaps } from '../../src/symbolize/source-map/source-maps.ts';
import { NameFiles } from '../../src/symbolize/name-files.ts';
import { Symbolizer } from '../../src/symbolize/symbolizer.ts';
import { projectFolder } from '../build-info.ts';
import { withOtherNames } from '../other-names.ts';
import type { Flags } from './flags.ts';
import { serverNames } from './parca-metrics.ts';
import { createAssembly } from './open-assembly.ts';
import { createNameReaders } from './name-readers.ts';
import { openSourceMaps } from './open-source-maps.ts';

/** Dependencies of the readers. */
export interface SymbolsMachine {
  readonly clock: Clock;
  readonly files: Files;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Path of the program built by `npm run build:symbolizer`. */
const builtProgram = join(projectFolder, 'native/dist/parca-symbolizer');
/** Version of the symbolization code. It must be incremented when results change. */
const namesVersion = 4;

/** Stored debug information, and symbolization that uses it. */
export interface Symbols {
  readonly debuginfo: DebuginfoStore;
  readonly uploads: DebuginfoUploads;
  readonly debuginfod: DebuginfodFetcher;
  /** Files for debuginfod clients. */
  readonly debuginfodFiles: DebuginfodFiles;
  readonly symbolizer: Symbolizer;
  /** Symbolizes profiles when they arrive, once it is started. */
  readonly ahead: LookAhead;
  /** Symbolizes positions in JavaScript bundles. */
  readonly maps: SourceMaps;
  /** Demangles function names. */
  readonly demangler: Demangler;
  readonly sources: SourceReader;
  /** Reads the code of uploaded programs. */
  readonly assembly: AssemblyReader;
  /** Returns the build ids of files and of queries. */
  list(): BuildSymbols[];
  /** Starts to build the symbolizer, unless it exists or the server may not build it. */
  buildReader(): void;
  stop(): Promise<void>;
}

interface SymbolsOptions {
  /** Path of the symbolizer. */
  readonly program?: string;
  /** Servers that are queried before debuginfod servers. */
  readonly others?: readonly FileServer[];
}

/** Opens the store and the readers. Errors: I/O errors. */
export async function openSymbols(
  machine: SymbolsMachine,
  flags: Flags,
  userAgent: string,
  { program = builtProgram, others = [] }: SymbolsOptions = {},
): Promise<Symbols> {
  const { clock, logger, metrics } = machine;
  const readers = createNameReaders(machine, flags, program, () => {
    saved.changeTag(tag());
    symbolizer.readAgain();
    ahead.readAgain();
  });
  const tag = (): string => namesTag(flags, readers.native.identity);
  const path = join(resolve(flags.storagePath), 'debuginfo');
  const debuginfo = await DebuginfoStore.open({
    ...machine,
    path,
    digest,
    limits: await debuginfoLimits(machine, flags),
    fileBytesMax: flags.debuginfoUploadBytesMax,
    takeUsed: () => symbolizer.takeUsed(),
    onChange: (buildId) => {
      symbolizer.filesChanged(buildId);
      ahead.filesChanged(buildId);
      maps.mapChanged(buildId);
    },
  });
  const debuginfod = new DebuginfodFetcher({
    ...machine,
    metrics: withOtherNames(metrics, serverNames),
    store: debuginfo,
    userAgent,
    others,
    millisMax: flags.debuginfodMillisMax,
    onMiss: (buildId) => tellSharers(buildId, debuginfo, symbolizer),
  });
  const names = { path: `${path}/names`, digest, tag: tag() };
  const saved: NameFiles = await NameFiles.open({ ...machine, ...names });
  const symbolizer: Symbolizer = new Symbolizer({
    fetcher: debuginfod,
    saved,
    logger,
    metrics,
    findFiles: (buildId) => findFiles(buildId, debuginfo, debuginfod),
    resolvers: readers.resolvers,
  });
  const hasFile = (buildId: string): boolean => debuginfo.hasNames(buildId);
  const paths = new BinaryPaths();
  const ahead: LookAhead = new LookAhead({ symbolizer, hasFile, paths, clock, metrics });
  debuginfo.start();
  const { maps, places, reader, check } = openSourceMaps(debuginfo, clock, logger);
  const archives = new SourceArchives(machine, (id) => debuginfo.find(id, 'sources')?.path);
  const debuginfodFiles = new StoredDebuginfodFiles(machine, debuginfo, archives);
  const sources = readFirst([archives, reader, debuginfod.sources]);
  const isElsewhere = (id: string, signal?: AbortSignal) => debuginfod.has(id, signal);
  const uploads = createUploads(machine, flags, debuginfo, check, isElsewhere);
  const list = () => listBuilds(debuginfo, symbolizer, paths);
  const assembly = createAssembly(readers.disassemble, debuginfo, symbolizer);
  const stores = { debuginfo, uploads, debuginfod, debuginfodFiles, sources, assembly };
  const naming = { symbolizer, ahead, maps, demangler: readers.demangler, list };
  return { ...stores, ...naming, buildReader: () => readers.startBuild(), stop };

  async function stop(): Promise<void> {
    await readers.stop();
    await debuginfod.stop();
    await Promise.all([ahead.stop(), symbolizer.stop(), places.stop()]);
    await saved.stop();
    await debuginfo.stop();
  }
}

/**
 * Tells the symbolizer that a file may now be found. This concerns the file's own build id and the
 * build ids of files that need it.
 */
function tellSharers(buildId: string, debuginfo: DebuginfoStore, symbolizer: Symbolizer): void {
  for (const one of [buildId, ...debuginfo.findSharers(buildId)]) symbolizer.filesChanged(one);
}

/** Returns the files of a build id, here and on other servers, or the reason why there are none. */
function findFiles(
  buildId: string,
  debuginfo: DebuginfoStore,
  debuginfod: DebuginfodFetcher,
): BuildFiles {
  const found = debuginfo.useFiles(buildId);
  const elsewhere = debuginfod.missReason(buildId);
  if (found.reason === '' || elsewhere === '') return found;
  return { ...found, reason: `${found.reason}, and ${elsewhere}` };
}

/** Returns a hash that identifies a file. */
function digest(text: string): string {
  return hash('sha256', text);
}

/**
 * Returns the limits of the debug information folder. The default size is a share of the disk or of
 * the size limit of storage.
 */
async function debuginfoLimits({ files }: SymbolsMachine, flags: Flags): Promise<FolderLimits> {
  const { bytesMax, ageMillisMax } = flags.debuginfoLimits;
  if (bytesMax !== undefined) return { bytesMax, ageMillisMax };
  const path = resolve(flags.storagePath);
  await files.makeDirectory(path);
  const { sizeBytes } = flags.storageRetention;
  const sizes = [await files.totalBytes(path), sizeBytes === 0 ? Infinity : sizeBytes];
  const share = Math.floor(debuginfoDiskShareMax * Math.min(...sizes));
  return { bytesMax: Math.max(1, Math.min(debuginfoBytesMax, share)), ageMillisMax };
}

function listBuilds(
  debuginfo: DebuginfoStore,
  symbolizer: Symbolizer,
  paths: BinaryPaths,
): BuildSymbols[] {
  const [kept, states] = [debuginfo.kept(), symbolizer.states()];
  return [...new Set([...states.keys(), ...kept.keys()])].map((buildId) => ({
    buildId,
    binary: paths.findPath(buildId),
    files: kept.get(buildId) ?? [],
    ...(states.get(buildId) ?? { state: 'unasked', reason: '', notes: [] }),
  }));
}

/**
 * Returns a string that changes whenever results of symbolization may change. It contains limits,
 * so that files that exceeded a limit are read again after the limit has changed.
 */
function namesTag({ symbolizerDemangleMode, symbolizerLimits }: Flags, program: string): string {
  const { memoryBytesMax, cpuSecondsMax } = symbolizerLimits;
  return [namesVersion, symbolizerDemangleMode, program, memoryBytesMax, cpuSecondsMax].join(' ');
}

function createUploads(
  machine: SymbolsMachine,
  flags: Flags,
  store: DebuginfoStore,
  checkSourceMap: UploadsOptions['checkSourceMap'],
  isElsewhere: (buildId: string, signal?: AbortSignal) => Promise<boolean>,
): Uploads {
  return new Uploads({
    ...machine,
    store,
    checkSourceMap,
    isElsewhere,
    bytesMax: flags.debuginfoUploadBytesMax,
    millisMax: flags.debuginfoUploadMillisMax,
  });
}
