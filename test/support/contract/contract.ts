// Checks the contract of every method with valid and invalid calls of clients of all protocols.
// protobufjs makes the messages from the .proto files, so that nothing depends on the server's own
// code.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, ServiceError } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { services } from '../../../proto/gen/descriptors.ts';
import { createFiles } from '../../../src/base/node/files.ts';
import { Dictionary } from '../../../src/model/dictionary.ts';
import { writeHeadBlock } from '../../../src/storage/block/testing/block-files.ts';
import { internStack } from '../../../src/storage/fake/intern.ts';
import { Head } from '../../../src/storage/head/head.ts';
import { applyProfile } from '../../../src/storage/testing/fill-head.ts';
import {
  binary,
  contractBlock,
  contractRows,
  type Message,
  type Row,
  statuses,
} from './contract-rows.ts';
import { pyroscopeRows } from './pyroscope-rows.ts';
import { beginUpload, sendUpload } from '../debuginfo-client.ts';

const protoFolder = new URL('../../../proto/', import.meta.url).pathname;
const root = new protobuf.Root();
root.resolvePath = (_origin, target) =>
  target.startsWith('/') ? target : join(protoFolder, target);
root.loadSync(
  readdirSync(protoFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.proto'))
    .sort(),
);
root.resolveAll();

/**
 * A response as JSON without default values, or a refusal: the number or name of its status, and
 * its message.
 */
export type Outcome =
  | { readonly answer: string }
  | { readonly code: unknown; readonly message: string };

export interface Called {
  readonly path: string;
  readonly row: Row;
  readonly request: Message;
  readonly more: readonly Message[];
}

function findTypes(path: string): {
  readonly request: protobuf.Type;
  readonly answer: protobuf.Type;
} {
  const [, service, name] = path.split('/');
  const [request, answer] = services[service][name];
  return { request: root.lookupType(request), answer: root.lookupType(answer) };
}

/** Encodes a message; returns bytes that are not a message unchanged. */
export function encode(path: string, message: Message): Uint8Array<ArrayBuffer> {
  if (message instanceof Uint8Array) return Uint8Array.from(message);
  const { request } = findTypes(path);
  return Uint8Array.from(request.encode(request.fromObject(message)).finish());
}

/** Returns an answer as JSON. */
export function decode(path: string, bytes: Uint8Array): Outcome {
  const { answer } = findTypes(path);
  const options = { longs: String, enums: String, bytes: String };
  return { answer: JSON.stringify(answer.toObject(answer.decode(bytes), options)) };
}

const pass = (bytes: Buffer): Buffer => bytes;

/**
 * Calls a method over gRPC. A stream ends after its first answer; a unary call is a stream of one
 * message.
 */
export function byGrpc(client: Client, { path, request, more }: Called): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest(path, pass, pass, { deadline: Date.now() + 20_000 });
    let first: Outcome | undefined;
    const isWatch = path.endsWith('/Watch');
    const isUpload = path.endsWith('/Upload');
    call.on('data', (bytes: Buffer) => {
      first = decode(path, bytes);
      if (isWatch) call.cancel();
      if (isUpload) return;
      for (const message of more) call.write(Buffer.from(encode(path, message)));
      call.end();
    });
    call.on('error', (error: ServiceError) => {
      if (isWatch && first !== undefined) resolve(first);
      else resolve({ code: error.code, message: error.details });
    });
    call.on('end', () => {
      if (first === undefined) reject(new Error(`${path} has no answer`));
      else resolve(first);
    });
    call.write(Buffer.from(encode(path, request)));
    // An upload is answered at its end, a Write in the middle.
    if (isUpload) {
      for (const message of more) call.write(Buffer.from(encode(path, message)));
      call.end();
    } else if (more.length === 0 && !isWatch) call.end();
  });
}

/** Returns the JSON form of a message: bytes as base64, times as in RFC 3339. */
function toJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  if ('seconds' in value) return formatTime(Number(value.seconds));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toJson(one)]));
}

function formatTime(seconds: number): string {
  return seconds < 1e6 ? `${seconds}s` : new Date(seconds * 1_000).toISOString();
}

/** Returns nested fields in the form that grpc-gateway expects in a URL. */
function parameters(fields: unknown): URLSearchParams {
  const query = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) add(name, one);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value))
        add(name === '' ? key : `${name}.${key}`, one);
    } else query.append(name, String(value));
  };
  add('', fields);
  query.delete('labelName');
  return query;
}

/** A client of one protocol. */
export interface Transport {
  readonly name: string;
  readonly hasStreams: boolean;
  call(called: Called): Promise<Outcome>;
  /** Returns the status of a refusal in the form that the client reports. */
  code(status: (typeof statuses)[keyof typeof statuses], row: Row): unknown;
}

/** A request to the JSON gateway. */
export interface JsonRequest {
  readonly verb: 'GET' | 'POST';
  /** Path and parameters. */
  readonly path: string;
  readonly body: string | undefined;
}

/** Returns the call as a request to the JSON gateway. */
export function makeJsonRequest({ path, row, request }: Called): JsonRequest {
  const { verb, path: url } = row.http ?? { verb: 'POST', path };
  const isBroken = request instanceof Uint8Array;
  const fields: unknown = isBroken ? undefined : toJson(request);
  if (verb === 'POST') return { verb, path: url, body: isBroken ? '{"' : JSON.stringify(fields) };
  return {
    verb,
    body: undefined,
    path: `${url}?${isBroken ? 'timeout=0' : parameters(fields).toString()}`,
  };
}

/** Parses an answer of the JSON gateway, or an error of Connect. */
export function toOutcome(status: number, json: unknown): Outcome {
  if (status === 200) return { answer: JSON.stringify(json) };
  const { code, message } = Object(json);
  return { code: `${status} ${code}`, message };
}

/** Returns the status of a refusal in the form that Connect clients report. */
export const connectCode: Transport['code'] = ({ http, connect }) => `${http} ${connect}`;
/** Returns the status of a refusal in the form that clients of the JSON gateway report. */
export const jsonCode: Transport['code'] = ({ http, connect, grpc }, row) =>
  `${http} ${row.http ? grpc : connect}`;

const streams = /\/(Watch|ServerReflectionInfo|Write)$|DebuginfoService\/Upload$/;

/** Makes a valid and an invalid call to each method; `i` is the number of the transport. */
export async function checkMethods(
  { hasStreams, call, code }: Transport,
  i: number,
  rows: Readonly<Record<string, Row>>,
): Promise<void> {
  // Writes come first, because the queries read what they store.
  const order = Object.entries(rows).sort(
    ([a], [b]) => Number(b.includes('profilestore')) - Number(a.includes('profilestore')),
  );
  for (const [path, row] of order) {
    const good = { path, row, request: await row.good(i), more: row.more?.(i) ?? [] };
    if (streams.test(path) && !hasStreams) {
      const refused = await call(good);
      assert.ok('code' in refused, `${path}: ${JSON.stringify(refused)}`);
      assert.match(String(refused.code), /^UNIMPLEMENTED$|^404 |^501 /, path);
      continue;
    }
    const outcome = await call(good);
    if (row.isAbsent) {
      assert.ok('code' in outcome, `${path}: ${JSON.stringify(outcome)}`);
      assert.match(outcome.message, row.bad.message, path);
      assert.equal(outcome.code, code(statuses[row.bad.code], row), path);
      continue;
    }
    assert.ok('answer' in outcome, `${path}: ${JSON.stringify(outcome)}`);
    assert.match(outcome.answer, row.answer, path);
    const refused = await call({ path, row, request: row.bad.request, more: [] });
    assert.ok('code' in refused, `${path}: ${JSON.stringify(refused)}`);
    assert.match(refused.message, row.bad.message, path);
    assert.equal(refused.code, code(statuses[row.bad.code], row), path);
  }
}

/** Writes the block that the rows read into the data directory, before the server starts. */
export async function writeContractBlock(storagePath: string): Promise<void> {
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  const rows = [[internStack(head.dictionary, ['main']), 0, 1n]] as const;
  applyProfile(head, { labels: { job: 'block' }, time: 1n, valueColumns: 1, rows, hash: 1n });
  const files = createFiles();
  await files.makeDirectory(join(storagePath, 'blocks'));
  const path = join(storagePath, 'blocks', `${contractBlock}.block`);
  await writeHeadBlock(files, path, head, { id: contractBlock });
}

/** Returns the rows for a server; `client` makes the uploads that some rows need. */
export function fillRows(client: Client): Readonly<Record<string, Row>> {
  const own = contractRows(async (i, isSent) => {
    const { buildId, content } = binary(i);
    const uploadId = await beginUpload(client, { buildId, hash: 'h' }, content.length);
    const ticket = { buildId, uploadId };
    if (isSent) await sendUpload(client, ticket, content);
    return ticket;
  });
  return { ...own, ...pyroscopeRows(client) };
}
