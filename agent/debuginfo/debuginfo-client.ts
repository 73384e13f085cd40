// Calls Parca's DebuginfoService to upload debug information.
import { Readable } from 'node:stream';
import Long from 'long';
import { request } from 'undici';
import { parca } from '../../proto/gen/debuginfo.js';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import type { Server } from '../../src/base/node/grpc-client.ts';

const messages = parca.debuginfo.v1alpha1;
const { BuildIDType: buildIdTypes, DebuginfoType: types } = messages;
const { UploadStrategy: strategies } = messages.UploadInstructions;
const chunkBytesMax = 2 * 1024 * 1024;

const buildIdNumbers: Readonly<Record<UploadedBuildId, number>> = {
  gnu: buildIdTypes.BUILD_ID_TYPE_GNU,
  go: buildIdTypes.BUILD_ID_TYPE_GO,
  hash: buildIdTypes.BUILD_ID_TYPE_HASH,
  'source-map-debug-id': buildIdTypes.BUILD_ID_TYPE_SOURCE_MAP_DEBUG_ID,
  unknown: buildIdTypes.BUILD_ID_TYPE_UNKNOWN_UNSPECIFIED,
};
const typeNumbers: Readonly<Record<UploadedType, number>> = {
  debuginfo: types.DEBUGINFO_TYPE_DEBUGINFO_UNSPECIFIED,
  executable: types.DEBUGINFO_TYPE_EXECUTABLE,
  sources: types.DEBUGINFO_TYPE_SOURCES,
  'source-map': types.DEBUGINFO_TYPE_SOURCE_MAP,
};

/** Kinds of build ids. */
export type UploadedBuildId = 'gnu' | 'go' | 'hash' | 'source-map-debug-id' | 'unknown';

/** Kinds of files. */
export type UploadedType = 'debuginfo' | 'executable' | 'sources' | 'source-map';

/** One file that may be uploaded. */
export interface Offer {
  readonly buildId: string;
  readonly kind: UploadedBuildId;
  /** Kind of the file; debug information if absent. */
  readonly type?: UploadedType;
  /** True if the file should replace the file on the server. */
  readonly isForced?: boolean;
}

/** A file to upload. */
export interface UploadedFile {
  readonly size: number;
  readonly hash: string;
  pieces(): AsyncIterable<Uint8Array>;
}

/** Uploads debug information to one server. Errors: those of its gRPC calls. */
export class DebuginfoClient {
  readonly #server: Pick<Server, 'call' | 'sendStream'>;

  constructor(server: Pick<Server, 'call' | 'sendStream'>) {
    this.#server = server;
  }

  /**
   * Returns whether the server wants the file, and why. `hash` is the hash of the file, if known.
   */
  async isWanted(
    { buildId, kind, type = 'debuginfo', isForced = false }: Offer,
    millisMax: number,
    signal: AbortSignal,
    hash = '',
  ): Promise<{ readonly isWanted: boolean; readonly reason: string }> {
    const request = messages.ShouldInitiateUploadRequest.encode({
      buildId,
      hash,
      force: isForced,
      type: typeNumbers[type],
      buildIdType: buildIdNumbers[kind],
    }).finish();
    const answer = await this.#call('ShouldInitiateUpload', request, millisMax, signal);
    const decoded = messages.ShouldInitiateUploadResponse.decode(answer);
    return { isWanted: decoded.shouldInitiateUpload, reason: decoded.reason };
  }

  /** Uploads a file to the server, or to a bucket URL that the server returns. */
  async upload(
    { buildId, kind, type: kindOfFile = 'debuginfo', isForced = false }: Offer,
    file: UploadedFile,
    millisMax: number,
    signal: AbortSignal,
  ): Promise<void> {
    const type = typeNumbers[kindOfFile];
    const begin = messages.InitiateUploadRequest.encode({
      buildId,
      hash: file.hash,
      force: isForced,
      type,
      size: Long.fromNumber(file.size),
      buildIdType: buildIdNumbers[kind],
    }).finish();
    const answer = await this.#call('InitiateUpload', begin, millisMax, signal);
    const instructions = messages.InitiateUploadResponse.decode(answer).uploadInstructions;
    const uploadId = instructions?.uploadId ?? '';
    if (instructions?.uploadStrategy === strategies.UPLOAD_STRATEGY_SIGNED_URL) {
      await putFile(instructions.signedUrl, file, millisMax, signal);
    } else if (instructions?.uploadStrategy === strategies.UPLOAD_STRATEGY_GRPC) {
      const stream = encodeUpload({ buildId, uploadId, type }, file.pieces());
      await this.#server.sendStream(methodPath('Upload'), stream, millisMax, signal);
    } else {
      const strategy = instructions?.uploadStrategy ?? 'none';
      throw new AppError(
        'unimplemented',
        `cannot upload debug information: the server wants upload strategy ${strategy}`,
      );
    }
    const end = messages.MarkUploadFinishedRequest.encode({ buildId, uploadId, type }).finish();
    await this.#call('MarkUploadFinished', end, millisMax, signal);
  }

  #call(
    name: string,
    request: Uint8Array,
    millisMax: number,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    return this.#server.call(methodPath(name), request, millisMax, signal);
  }
}

/** Uploads with PUT. Buckets require the length in advance, and refuse chunked bodies. */
async function putFile(
  signedUrl: string,
  { size, pieces }: UploadedFile,
  millisMax: number,
  signal: AbortSignal,
): Promise<void> {
  // The URL is a temporary secret, so error messages contain only its host.
  const host = URL.canParse(signedUrl) ? new URL(signedUrl).host : 'an address that is no URL';
  const fail = (why: string, cause?: unknown): AppError =>
    new AppError('unavailable', `cannot upload debug information to ${host}: ${why}`, { cause });
  try {
    const { statusCode, body } = await request(signedUrl, {
      method: 'PUT',
      headers: { 'content-length': String(size) },
      body: Readable.from(pieces(), { objectMode: false }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(millisMax)]),
    });
    await body.dump();
    if (statusCode >= 300) throw fail(`it answers with status ${statusCode}`);
  } catch (error) {
    throw error instanceof AppError ? error : fail(errorMessage(error), error);
  }
}

async function* encodeUpload(
  info: { readonly buildId: string; readonly uploadId: string; readonly type: number },
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield messages.UploadRequest.encode({ info }).finish();
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += chunkBytesMax) {
      const chunkData = piece.subarray(at, at + chunkBytesMax);
      yield messages.UploadRequest.encode({ chunkData }).finish();
    }
  }
}

function methodPath(name: string): string {
  return `/parca.debuginfo.v1alpha1.DebuginfoService/${name}`;
}
