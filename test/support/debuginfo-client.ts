// A client of DebuginfoService, like Parca's agents.
import type { Client, ServiceError } from '@grpc/grpc-js';
import Long from 'long';
import { parca } from '../../proto/gen/debuginfo.js';
import { unary } from './grpc-client.ts';

const messages = parca.debuginfo.v1alpha1;
const service = '/parca.debuginfo.v1alpha1.DebuginfoService';
const chunkBytes = 8 * 1024 * 1024;

/** One file to upload. */
export interface Offer {
  readonly buildId: string;
  readonly hash: string;
  readonly force?: boolean;
  /**
   * Types of the file and of its build id, as numbers of the protocol; by default, the file is
   * debug information of an ELF file.
   */
  readonly type?: number;
  readonly buildIdType?: number;
}

/** Returns true if the server wants a file. */
export async function shouldUpload(client: Client, offer: Offer): Promise<boolean> {
  const request = messages.ShouldInitiateUploadRequest.encode(offer).finish();
  const answer = await unary(client, `${service}/ShouldInitiateUpload`, request);
  return messages.ShouldInitiateUploadResponse.decode(answer).shouldInitiateUpload;
}

/** Starts an upload of `size` bytes and returns its id. */
export async function beginUpload(client: Client, offer: Offer, size: number): Promise<string> {
  const request = { buildIdType: 1, ...offer, size: Long.fromNumber(size) };
  const bytes = messages.InitiateUploadRequest.encode(request).finish();
  const answer = await unary(client, `${service}/InitiateUpload`, bytes);
  const { uploadInstructions } = messages.InitiateUploadResponse.decode(answer);
  return uploadInstructions?.uploadId ?? '';
}

/** Sends the bytes of an upload in chunks; returns how many bytes the server received. */
export function sendUpload(
  client: Client,
  ticket: { readonly buildId: string; readonly uploadId: string; readonly type?: number },
  content: Uint8Array,
): Promise<number> {
  const pass = (bytes: Buffer): Buffer => bytes;
  return new Promise((resolve, reject) => {
    const call = client.makeClientStreamRequest(
      `${service}/Upload`,
      pass,
      pass,
      (error: ServiceError | null, answer?: Buffer) => {
        if (error !== null) reject(error);
        else resolve(Number(messages.UploadResponse.decode(answer ?? Buffer.alloc(0)).size));
      },
    );
    const write = (message: parca.debuginfo.v1alpha1.UploadRequest.$Properties): void =>
      void call.write(Buffer.from(messages.UploadRequest.encode(message).finish()));
    write({ info: ticket });
    for (let at = 0; at < content.length; at += chunkBytes) {
      write({ chunkData: content.subarray(at, at + chunkBytes) });
    }
    call.end();
  });
}

/** Tells the server that all bytes were sent. */
export async function finishUpload(
  client: Client,
  ticket: { readonly buildId: string; readonly uploadId: string; readonly type?: number },
): Promise<void> {
  const request = messages.MarkUploadFinishedRequest.encode(ticket).finish();
  await unary(client, `${service}/MarkUploadFinished`, request);
}

/** Uploads a file, from the offer to the end. */
export async function uploadDebuginfo(
  client: Client,
  offer: Offer,
  content: Uint8Array,
): Promise<void> {
  const { buildId, type = 0 } = offer;
  const uploadId = await beginUpload(client, offer, content.length);
  await sendUpload(client, { buildId, uploadId, type }, content);
  await finishUpload(client, { buildId, uploadId, type });
}
