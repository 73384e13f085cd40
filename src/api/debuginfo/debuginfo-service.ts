// DebuginfoService, which clients use to upload debug information.
import Long from 'long';
import { parca } from '../../../proto/gen/debuginfo.js';
import { AppError } from '../../base/errors.ts';
import type {
  BuildIdType,
  DebuginfoType,
  DebuginfoUploads,
  UploadTicket,
} from '../../debuginfo/interface.ts';
import { decodeRequest } from '../transport/call/message.ts';
import type { CallContext, Method, StreamMethod, UnaryMethod } from '../transport/call/method.ts';

const messages = parca.debuginfo.v1alpha1;
const { UploadStrategy } = messages.UploadInstructions;

/** Types of debug information, indexed by the value of the protobuf enum. */
const types: readonly DebuginfoType[] = ['debuginfo', 'executable', 'sources', 'source-map'];
const buildIdTypes: readonly BuildIdType[] = [
  'unknown',
  'gnu',
  'hash',
  'go',
  'source-map-debug-id',
];

/** Methods of the service. */
export function debuginfoMethods(uploads: DebuginfoUploads): Method[] {
  const unary = (name: string, handle: UnaryMethod['handle']): UnaryMethod => ({
    path: `/parca.debuginfo.v1alpha1.DebuginfoService/${name}`,
    kind: 'unary',
    handle,
  });
  const upload: StreamMethod = {
    path: '/parca.debuginfo.v1alpha1.DebuginfoService/Upload',
    kind: 'stream',
    keepsRequests: false,
    handle: (requests, context) => receive(uploads, requests, context),
  };
  return [
    unary('ShouldInitiateUpload', (request, context) => shouldInitiate(uploads, request, context)),
    unary('InitiateUpload', (request, context) => initiate(uploads, request, context)),
    unary('MarkUploadFinished', (request, context) => finish(uploads, request, context)),
    upload,
  ];
}

type WithSignal = Pick<CallContext, 'signal'>;

async function shouldInitiate(
  uploads: DebuginfoUploads,
  bytes: Uint8Array,
  { signal }: WithSignal,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.ShouldInitiateUploadRequest, bytes);
  const { isWanted, reason } = await uploads.decide(toOffer(request), signal);
  return messages.ShouldInitiateUploadResponse.encode({
    shouldInitiateUpload: isWanted,
    reason,
  }).finish();
}

async function initiate(
  uploads: DebuginfoUploads,
  bytes: Uint8Array,
  { signal }: WithSignal,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.InitiateUploadRequest, bytes);
  const uploadId = await uploads.begin(toOffer(request), Number(request.size), signal);
  return messages.InitiateUploadResponse.encode({
    uploadInstructions: {
      buildId: request.buildId,
      uploadId,
      uploadStrategy: UploadStrategy.UPLOAD_STRATEGY_GRPC,
      type: request.type,
    },
  }).finish();
}

async function finish(
  uploads: DebuginfoUploads,
  bytes: Uint8Array,
  { signal }: WithSignal,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.MarkUploadFinishedRequest, bytes);
  await uploads.finish(toTicket(request), signal);
  return messages.MarkUploadFinishedResponse.encode({}).finish();
}

async function* receive(
  uploads: DebuginfoUploads,
  requests: AsyncIterable<Uint8Array>,
  { signal, caller }: Pick<CallContext, 'signal' | 'caller'>,
): AsyncGenerator<Uint8Array> {
  const iterator = requests[Symbol.asyncIterator]();
  const first = await iterator.next();
  const info = first.done === true ? undefined : readMessage(first.value).info;
  if (!info) {
    throw new AppError('invalid-argument', 'cannot take upload: its first message must be info');
  }
  const ticket = toTicket(info);
  const size = await uploads.receive(ticket, readChunks(iterator), signal, caller);
  yield messages.UploadResponse.encode({
    buildId: ticket.buildId,
    size: Long.fromNumber(size, true),
  }).finish();
}

async function* readChunks(rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const { chunkData } = readMessage(next.value);
    if (!chunkData) {
      throw new AppError('invalid-argument', 'cannot take upload: a message has no chunk_data');
    }
    yield chunkData;
  }
}

function readMessage(bytes: Uint8Array): parca.debuginfo.v1alpha1.UploadRequest {
  return decodeRequest(messages.UploadRequest, bytes, Infinity);
}

function toOffer(request: {
  readonly buildId: string;
  readonly hash: string;
  readonly force: boolean;
  readonly type: number;
  readonly buildIdType: number;
}): Parameters<DebuginfoUploads['decide']>[0] {
  const { buildId, hash, force } = request;
  const buildIdType = buildIdTypes[request.buildIdType];
  if (buildIdType === undefined) {
    throw new AppError('invalid-argument', `build_id_type: ${request.buildIdType} is unknown`);
  }
  return { buildId, hash, force, type: toType(request.type), buildIdType };
}

function toTicket(message: {
  readonly buildId: string;
  readonly uploadId: string;
  readonly type: number;
}): UploadTicket {
  const { buildId, uploadId } = message;
  return { buildId, uploadId, type: toType(message.type) };
}

function toType(number: number): DebuginfoType {
  const type = types[number];
  if (type === undefined) throw new AppError('invalid-argument', `type: ${number} is unknown`);
  return type;
}
