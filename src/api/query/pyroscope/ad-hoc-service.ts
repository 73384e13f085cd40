// adhocprofiles.v1: files that people upload in Profiles Drilldown to view them once.
import Long from 'long';
import { adhocprofiles } from '../../../../proto/gen/pyroscope.js';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { adHocBytesMax } from '../../../base/limits.ts';
import type { AdHocProfiles, ShareHead } from '../../../shares/interface.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { CallContext, UnaryMethod } from '../../transport/call/method.ts';
import { invalid, nodesUsual, readMaxNodes } from './request.ts';

const messages = adhocprofiles.v1;

/** Name of the service, which begins the names of its methods. */
export const adHocService = 'adhocprofiles.v1.AdHocProfileService';

/** A request for one file, or for two files in a diff. */
export interface AdHocQuestion {
  readonly files: readonly AdHocFile[];
  /** One of the types in an answer; "" = the first type. */
  readonly type: string;
  readonly maxNodes: number;
}

/** A file as it was uploaded. */
export interface AdHocFile {
  readonly bytes: Uint8Array;
  readonly uploadedMillis: number;
}

export interface AdHocAnswer {
  /** Names of the types that all files have. */
  readonly types: readonly string[];
  /** Name of the type that is shown. */
  readonly type: string;
  /** Flame graph in Pyroscope's JSON. */
  readonly flamebearer: string;
}

/** Reads files, and makes a flame graph. Errors: as in `importFile`; 'cancelled'. */
export type AnswerAdHoc = (question: AdHocQuestion, signal: AbortSignal) => Promise<AdHocAnswer>;

/** Parts that the service needs. */
export interface AdHocParts {
  readonly profiles: AdHocProfiles;
  readonly answer: AnswerAdHoc;
}

type Handler = (bytes: Uint8Array, context: CallContext) => Promise<Uint8Array>;

/** Returns the methods of the service, by name. */
export function adHocMethods(parts: AdHocParts, clock: Pick<Clock, 'nowMillis'>): UnaryMethod[] {
  const handlers: Readonly<Record<string, Handler>> = {
    Upload: (bytes, context) => upload(parts, clock, bytes, context),
    Get: (bytes, context) => get(parts, bytes, context),
    List: async (bytes) => {
      decodeRequest(messages.AdHocProfilesListRequest, bytes);
      const profiles = parts.profiles.list().map(headFields);
      return messages.AdHocProfilesListResponse.encode({ profiles }).finish();
    },
    Diff: (bytes, context) => diff(parts, bytes, context),
  };
  return Object.entries(handlers).map(([name, handle]) => ({
    path: `/${adHocService}/${name}`,
    kind: 'unary',
    handle,
  }));
}

async function upload(
  { profiles, answer }: AdHocParts,
  clock: Pick<Clock, 'nowMillis'>,
  request: Uint8Array,
  { signal }: CallContext,
): Promise<Uint8Array> {
  const { name, profile, maxNodes } = decodeRequest(messages.AdHocProfilesUploadRequest, request);
  const nodes = readMaxNodes(maxNodes, nodesUsual);
  const bytes = decodeBase64(profile);
  // A file is stored only if it can be read.
  const files = [{ bytes, uploadedMillis: clock.nowMillis() }];
  const read = await answer({ files, type: '', maxNodes: nodes }, signal);
  // The same characters are replaced as in Pyroscope. Clients show this name, which the answer
  // contains.
  const head = await profiles.add(bytes, name.replaceAll(/[^\w.-]/g, '_').slice(0, nameLengthMax));
  return encodeAnswer(head, read);
}

const nameLengthMax = 200;

/** Returns the bytes of base64. Errors: AppError 'invalid-argument', 'resource-exhausted'. */
function decodeBase64(base64: string): Uint8Array {
  if (base64 === '') throw invalid('cannot read profile: it is empty');
  const most = Math.ceil(adHocBytesMax / 3) * 4;
  if (base64.length > most) {
    const why = `it has more than ${adHocBytesMax} bytes, which is the limit`;
    throw new AppError('resource-exhausted', `cannot read profile: ${why}`);
  }
  if (!/^[\w+/-]*={0,2}\s*$/.test(base64)) throw invalid('cannot read profile: it is no base64');
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

async function get(
  parts: AdHocParts,
  request: Uint8Array,
  { signal }: CallContext,
): Promise<Uint8Array> {
  const { id, profileType, maxNodes } = decodeRequest(messages.AdHocProfilesGetRequest, request);
  const head = parts.profiles.find(id);
  const question = {
    files: [await readFile(parts, id)],
    type: profileType ?? '',
    maxNodes: readMaxNodes(maxNodes, nodesUsual),
  };
  return encodeAnswer(head, await parts.answer(question, signal));
}

async function diff(
  parts: AdHocParts,
  request: Uint8Array,
  { signal }: CallContext,
): Promise<Uint8Array> {
  const asked = decodeRequest(messages.AdHocProfilesDiffRequest, request);
  const question = {
    files: [await readFile(parts, asked.leftId), await readFile(parts, asked.rightId)],
    type: asked.profileType ?? '',
    maxNodes: readMaxNodes(asked.maxNodes, nodesUsual),
  };
  const { types, flamebearer } = await parts.answer(question, signal);
  return messages.AdHocProfilesDiffResponse.encode({
    profileTypes: [...types],
    flamebearerProfile: flamebearer,
  }).finish();
}

async function readFile({ profiles }: AdHocParts, id: string): Promise<AdHocFile> {
  const { createdMillis } = profiles.find(id);
  return { bytes: await profiles.read(id), uploadedMillis: createdMillis };
}

function headFields({ id, description, createdMillis }: ShareHead) {
  return { id, name: description, uploadedAt: Long.fromNumber(createdMillis) };
}

function encodeAnswer(head: ShareHead, { types, type, flamebearer }: AdHocAnswer): Uint8Array {
  return messages.AdHocProfilesGetResponse.encode({
    ...headFields(head),
    profileType: type,
    profileTypes: [...types],
    flamebearerProfile: flamebearer,
  }).finish();
}
