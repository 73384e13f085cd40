// `parcatool debuginfo ...`: prints build ids of files, and uploads files in the same way as
// agents.
import { createHash } from 'node:crypto';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { addSections, wholeFile } from '../../../agent/debuginfo/add-sections.ts';
import { extractDebuginfo } from '../../../agent/debuginfo/extract.ts';
import { findSharedDwarf } from '../../../agent/debuginfo/part-files.ts';
import { openLinkedFile } from '../../../agent/files/open-file.ts';
import { findSplitDwarf, type SplitDwarf } from '../../../agent/debuginfo/split-dwarf.ts';
import type {
  Offer,
  UploadedBuildId,
  UploadedFile,
  UploadedType,
} from '../../../agent/debuginfo/debuginfo-client.ts';
import { splitDwarfBytesMax } from '../../../agent/limits.ts';
import { AppError, errorMessage } from '../../../src/base/errors.ts';
import { printable } from '../../../src/base/printable.ts';
import { readSupplementId } from '../../../src/symbolize/debug-link.ts';
import {
  type ElfSource,
  findSection,
  readBuildIds,
  readElf,
} from '../../../src/symbolize/elf-file.ts';
import { invalidFlag } from '../../flag-table.ts';
import { readAuthorization } from '../shared/client.ts';
import type { Output } from '../shared/command.ts';
import type { Options } from '../shared/options.ts';

const fileTypes: readonly UploadedType[] = ['debuginfo', 'executable', 'sources', 'source-map'];
const pieceBytes = 1024 * 1024;
/** Largest source map, in bytes, whose debug id is read. The server has the same limit. */
const sourceMapBytesMax = 64 * 1024 * 1024;
const debugFolders: readonly string[] = ['/usr/lib/debug'];
const noSignal = new AbortController().signal;

/** Prints the build id of each file. */
export async function printBuildIds(paths: readonly string[]): Promise<Output> {
  const lines: string[] = [];
  for (const path of paths) {
    const { buildId } = await withFile(path, async (source) => {
      return (await readId(source, await readType(source))) ?? noBuildId(path);
    });
    lines.push(printable(`${buildId}  ${path}`));
  }
  return `${lines.join('\n')}\n`;
}

/** Uploads the files that the server wants. */
export async function uploadFiles(
  paths: readonly string[],
  { store, client: server }: Pick<Options, 'store' | 'client'>,
): Promise<Output> {
  const given = fileTypes.find((one) => one === store.type);
  if (given === undefined && store.type !== '') {
    const choices = fileTypes.join(', ');
    throw invalidFlag(`--type must be ${choices}, not ${JSON.stringify(store.type)}`);
  }
  if (paths.length > 1 && store.buildId !== '') throw invalidFlag('--build-id is for one file');
  // Imported here, because the gRPC client takes long to load.
  const { createServer } = await import('../../../src/base/node/grpc-client.ts');
  const { DebuginfoClient } = await import('../../../agent/debuginfo/debuginfo-client.ts');
  const { timeoutMillis, authorityFile: caFile = '' } = server;
  const authorization = await readAuthorization(server);
  const { clientCertFile = '', clientKeyFile = '' } = server;
  const connection = createServer({
    address: store.address,
    isInsecure: store.isInsecure,
    skipsVerify: store.skipsVerify,
    bearerToken: '',
    bearerTokenFile: '',
    caFile,
    clientCertFile,
    clientKeyFile,
    headers: authorization === undefined ? [] : [['authorization', authorization] as const],
    sendBytesMax: 16 * pieceBytes,
    receiveBytesMax: pieceBytes,
  });
  const client = new DebuginfoClient(connection);
  const lines: string[] = [];
  try {
    for (const path of paths) {
      lines.push(
        ...(await withFile(path, async (source) => {
          const type = given ?? (await readType(source));
          const id = store.buildId === '' ? await readId(source, type) : givenId(store.buildId);
          const offer: Offer = { ...(id ?? noBuildId(path)), type, isForced: store.isForced };
          const sent = await send(path, source, offer);
          return type === 'debuginfo' ? [sent, ...(await sendShared(path, source, send))] : [sent];
        })),
      );
    }
  } finally {
    connection.close();
  }
  return `${lines.map(printable).join('\n')}\n`;

  /** Uploads a file if the server wants it; returns the outcome. */
  async function send(path: string, source: ElfSource, offer: Offer): Promise<string> {
    const { type = 'debuginfo', buildId } = offer;
    const file = await fileToSend(path, source, type, store.isWhole);
    try {
      const answer = await client.isWanted(offer, timeoutMillis, noSignal, file.hash);
      if (!answer.isWanted) return `not uploaded: ${path}: ${answer.reason}`;
      await client.upload(offer, file, timeoutMillis, noSignal);
      return `uploaded ${path} as ${type} of ${buildId}, ${file.size} bytes${file.notes}`;
    } finally {
      file.close();
    }
  }
}

/** Uploads a file if the server wants it; returns the outcome. */
type Send = (path: string, source: ElfSource, offer: Offer) => Promise<string>;

/**
 * Uploads the file with which a debug file shares DWARF. The file is found in the same way as by
 * gdb.
 */
async function sendShared(path: string, source: ElfSource, send: Send): Promise<readonly string[]> {
  const elf = await readElf(source);
  const shared = await findSharedDwarf(await realpath(path), elf, openLinkedFile, debugFolders);
  if (shared === undefined) return [];
  const { name, buildId, found } = shared;
  if (found === undefined) {
    return [
      `${path} shares DWARF with ${name} (build id ${buildId}), which is not there: ` +
        'names in it are missing until somebody uploads it',
    ];
  }
  try {
    return [await send(found.path, found.elf.source, { buildId, kind: 'gnu' })];
  } finally {
    shared.close();
  }
}

type BuildId = Pick<Offer, 'buildId' | 'kind'>;

/** Returns the build id of a program or library; undefined for other files, or if there is none. */
export async function readBuildId(path: string): Promise<string | undefined> {
  try {
    return await withFile(path, async (source) => (await readId(source, 'debuginfo'))?.buildId);
  } catch {
    return undefined;
  }
}

function givenId(buildId: string): BuildId {
  return { buildId, kind: 'unknown' };
}

function noBuildId(path: string): never {
  throw new AppError(
    'not-found',
    `${path} has no build id: set --build-id to that of the program that it belongs to`,
  );
}

/** Detects the kind of a file from its first bytes. */
async function readType(source: ElfSource): Promise<UploadedType> {
  const start = await source.read(0, 512);
  if (startsWith(start, 0x7f, 0x45, 0x4c, 0x46)) return 'debuginfo';
  if (startsWith(start, 0x1f, 0x8b) || startsWith(start, 0x28, 0xb5, 0x2f, 0xfd)) return 'sources';
  // Archives in the format tar contain these magic bytes.
  if (Buffer.from(start).toString('latin1', 257, 262) === 'ustar') return 'sources';
  if (/^\s*\{/.test(Buffer.from(start).toString('utf8'))) return 'source-map';
  throw new AppError(
    'invalid-argument',
    'it is no ELF file, archive of sources or source map; --type says what it is',
  );
}

function startsWith(bytes: Uint8Array, ...magic: readonly number[]): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** Returns the build id in a file. */
async function readId(source: ElfSource, type: UploadedType): Promise<BuildId | undefined> {
  if (type === 'sources') return undefined;
  if (type === 'source-map') return readDebugId(source);
  const elf = await readElf(source);
  const { gnu, go } = await readBuildIds(elf);
  if (gnu === undefined && go === undefined) {
    if (findSection(elf, '.debug_info.dwo') !== undefined) throw splitDwarfAlone();
    const shared = await readSupplementId(elf);
    return shared === undefined ? undefined : { buildId: shared, kind: 'gnu' };
  }
  const [buildId, kind]: [string | undefined, UploadedBuildId] =
    gnu === undefined ? [go, 'go'] : [gnu, 'gnu'];
  return buildId === undefined ? undefined : { buildId, kind };
}

function splitDwarfAlone(): AppError {
  const why = 'it is split DWARF, which goes with its program: upload the program';
  return new AppError('invalid-argument', `${why}, where this file is`);
}

async function readDebugId(source: ElfSource): Promise<BuildId | undefined> {
  if (source.size > sourceMapBytesMax) return undefined;
  const text = Buffer.from(await source.read(0, source.size)).toString('utf8');
  const map: unknown = JSON.parse(text);
  if (typeof map !== 'object' || map === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(map));
  // Both field names in the proposal are supported. Source: ECMA-426, Debug ID.
  const buildId = fields.get('debugId') ?? fields.get('debug_id');
  return typeof buildId === 'string' ? { buildId, kind: 'source-map-debug-id' } : undefined;
}

/** A file to upload, which is read from open files. */
interface FileToSend extends UploadedFile {
  /** Text about missing parts of the file, beginning with a comma; "" if nothing is missing. */
  readonly notes: string;
  close(): void;
}

/**
 * Returns the file to upload: debug information with split units, without code and data unless
 * `isWhole` is true.
 */
async function fileToSend(
  path: string,
  source: ElfSource,
  type: UploadedType,
  isWhole: boolean,
): Promise<FileToSend> {
  if (type !== 'debuginfo') {
    return { ...(await hashed(source.size, () => readPieces(source))), notes: '', close: nothing };
  }
  const elf = await readElf(source);
  const extract = isWhole ? undefined : await extractDebuginfo(elf);
  const whole = extract ?? wholeFile(elf);
  const split = await findSplitDwarf(path, elf, openLinkedFile, splitDwarfBytesMax);
  const isPacked = split !== undefined && split.sections.length > 0;
  const { size, pieces } = isPacked ? await addSections(elf, whole, split.sections) : whole;
  const notes = split === undefined ? '' : formatNotes(split);
  return { ...(await hashed(size, pieces)), notes, close: split?.close ?? nothing };
}

function nothing(): void {
  // There is nothing to close.
}

async function hashed(size: number, pieces: UploadedFile['pieces']): Promise<UploadedFile> {
  const hash = createHash('sha256');
  for await (const piece of pieces()) hash.update(piece);
  return { size, hash: hash.digest('hex'), pieces };
}

function formatNotes({ paths, missing }: SplitDwarf): string {
  const [first] = paths;
  const files = paths.length === 1 ? first : `${paths.length} .dwo files`;
  const found = first === undefined ? '' : `, with ${files}`;
  if (missing.length === 0) return found;
  const rest = missing.length === 1 ? '' : ` and ${missing.length - 1} more`;
  return `${found}, without split DWARF that is missing: ${missing[0]}${rest}`;
}

async function* readPieces(source: ElfSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.size; at += pieceBytes) yield await source.read(at, pieceBytes);
}

/** Opens a file for `use`. Errors: AppError with the file's path. */
async function withFile<T>(path: string, use: (source: ElfSource) => Promise<T>): Promise<T> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    return await use(sourceOfHandle(file, (await file.stat()).size));
  } catch (error) {
    if (error instanceof AppError && error.message.startsWith(path)) throw error;
    const code = error instanceof AppError ? error.code : 'failed-precondition';
    throw new AppError(code, `${path}: ${errorMessage(error)}`, { cause: error });
  } finally {
    await file?.close();
  }
}

function sourceOfHandle(file: FileHandle, size: number): ElfSource {
  return {
    size,
    read: async (offset, length) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    },
  };
}
