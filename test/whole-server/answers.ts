// Reads answers over the network, and formats them so that equal answers are equal strings.
import { gunzipSync } from 'node:zlib';
import type { Client } from '@grpc/grpc-js';
import { parca } from '../../proto/gen/query.js';
import { readRecord } from '../../src/formats/testing/read-record.ts';
import { roundRate } from '../../src/query/testing/print-report.ts';
import { unary } from '../support/grpc-client.ts';
import type { Asked, Method } from './questions.ts';
import { textsOfPprof } from './uploads.ts';

const messages = parca.query.v1alpha1;
const decoders: Readonly<Record<Method, (bytes: Uint8Array) => object>> = {
  Query: (bytes) => messages.QueryResponse.decode(bytes),
  QueryRange: (bytes) => messages.QueryRangeResponse.decode(bytes),
  ProfileTypes: (bytes) => messages.ProfileTypesResponse.decode(bytes),
  Labels: (bytes) => messages.LabelsResponse.decode(bytes),
  Values: (bytes) => messages.ValuesResponse.decode(bytes),
};
const service = 'parca.query.v1alpha1.QueryService';

/** A server, and its client. */
export interface Place {
  readonly url: string;
  readonly client: Client;
}

/** Returns the answer as a string: the code of a refusal, or the fields of a message. */
export async function answerTo(place: Place, asked: Asked, signal?: AbortSignal): Promise<string> {
  const { call } = asked;
  if (call.via === 'http') return overHttp(`${place.url}${call.path}`, asked.kind, signal);
  const bytes =
    call.via === 'grpc'
      ? await overGrpc(place.client, call.method, call.bytes)
      : await overGrpcWeb(place.url, call.method, call.bytes, signal);
  if (typeof bytes === 'string') return bytes;
  const answer = decoders[call.method](bytes);
  // The order of lines is not defined.
  return 'series' in answer && Array.isArray(answer.series)
    ? answer.series.map(printAnswer).sort().join('\n')
    : printAnswer(answer);
}

async function overHttp(url: string, kind: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal: signal ?? null });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) return refusal(httpCodes.get(response.status) ?? response.status);
  if (kind === 'export pprof') return textsOfPprof(bytes).join('\n');
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : Buffer.from(bytes)).toString();
  if (kind === 'export collapsed') return text.split('\n').sort().join('\n');
  const json: unknown = JSON.parse(text);
  if (kind === 'export speedscope') return printAnswer(speedscope(json));
  return printAnswer(kind === 'export firefox' ? firefox(json) : json);
}

/** gRPC statuses by the HTTP status that stands for each. */
const httpCodes: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [404, 5],
]);

async function overGrpc(
  client: Client,
  method: Method,
  bytes: Uint8Array,
): Promise<Uint8Array | string> {
  try {
    return await unary(client, `/${service}/${method}`, bytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return refusal(error.code, error.message);
    throw error;
  }
}

async function overGrpcWeb(
  url: string,
  method: Method,
  message: Uint8Array,
  signal?: AbortSignal,
): Promise<Uint8Array | string> {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const response = await fetch(`${url}/api/${service}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto' },
    body: Buffer.concat([head, message]),
    signal: signal ?? null,
  });
  const answer = Buffer.from(await response.arrayBuffer());
  const length = answer.length === 0 ? 0 : answer.readUInt32BE(1);
  const isTrailer = answer.length === 0 || answer[0] >= 128;
  const trailer = isTrailer ? answer : answer.subarray(5 + length);
  const status =
    response.headers.get('grpc-status') ?? /grpc-status:\s*(\d+)/.exec(trailer.toString())?.[1];
  return status === '0' ? answer.subarray(5, 5 + length) : refusal(Number(status));
}

/**
 * Returns a refusal as a string. An internal error of the server is thrown, even if both servers
 * have the same error.
 */
function refusal(code: unknown, message = ''): string {
  if (code === 3 || code === 5) return `refused: ${code}`;
  throw new Error(`not answered: ${String(code)} ${message}`);
}

/**
 * Normalizes a speedscope file: the order of its shared frames is that of the dictionary, which
 * depends on the store.
 */
function speedscope(json: unknown): unknown {
  const file = json as {
    shared: { frames: readonly object[] };
    profiles: readonly { samples: readonly number[][]; weights: readonly number[] }[];
  };
  const frames = file.shared.frames.map((frame) => JSON.stringify(frame));
  const profiles = file.profiles.map(({ samples, weights, ...rest }) => ({
    ...rest,
    rows: samples.map((row, i) => `${row.map((at) => frames[at]).join()} ${weights[i]}`).sort(),
  }));
  return { ...file, shared: undefined, profiles };
}

/** Normalizes a Firefox file like `speedscope`: names instead of stacks, and each fact once. */
function firefox(json: unknown): unknown {
  const { meta, threads } = json as { meta: unknown; threads: readonly FirefoxThread[] };
  return {
    meta,
    rows: threads.map(({ stringArray, funcTable, frameTable, stackTable, samples }) => {
      const textOfStack = (stack: number | null): string => {
        if (stack === null) return '';
        const frame = stackTable.frame[stack];
        const of = frameTable.func[frame];
        const [name, file] = [funcTable.name[of], funcTable.fileName[of]];
        const place = `${stringArray[name]} ${file === null ? '' : stringArray[file]}`;
        return `${textOfStack(stackTable.prefix[stack])};${place}:${frameTable.line[frame]}`;
      };
      return samples.stack.map((row, i) => `${textOfStack(row)} ${samples.weight[i]}`).sort();
    }),
  };
}

interface FirefoxThread {
  readonly stringArray: readonly string[];
  readonly funcTable: { readonly name: number[]; readonly fileName: (number | null)[] };
  readonly frameTable: { readonly func: number[]; readonly line: (number | null)[] };
  readonly stackTable: { readonly frame: number[]; readonly prefix: (number | null)[] };
  readonly samples: { readonly stack: (number | null)[]; readonly weight: number[] };
}

/** Fields with row numbers of the dictionary, which depend on the store. */
const ids: ReadonlySet<string> = new Set(['id', 'functionId', 'locationId', 'mappingId']);

/** Formats every field of an answer: records as rows, pprof as its content. */
function printAnswer(value: unknown): string {
  const replace = (key: string, field: unknown): unknown => {
    if (ids.has(key)) return undefined;
    if (typeof field === 'bigint') return field.toString();
    if (typeof field === 'number' && !Number.isInteger(field)) return roundRate(field);
    if (!(field instanceof Uint8Array)) return field;
    if (key === 'record') return readRows(field);
    return key === 'pprof' ? textsOfPprof(field) : Buffer.from(field).toString();
  };
  return JSON.stringify(withBytes(value, replace), undefined, 1);
}

/** Replaces fields with `replace`; JSON.stringify would pass the result of a Buffer's toJSON. */
function withBytes(value: unknown, replace: (key: string, field: unknown) => unknown): unknown {
  const walk = (key: string, field: unknown): unknown => {
    const replaced = replace(key, field);
    if (replaced !== field) return walk(key, replaced);
    if (Array.isArray(field)) return field.map((one) => walk('', one));
    if (typeof field !== 'object' || field === null) return field;
    if ('toJSON' in field || 'unsigned' in field) return String(field);
    return Object.fromEntries(Object.entries(field).map(([name, one]) => [name, walk(name, one)]));
  };
  return walk('', value);
}

function readRows(record: Uint8Array): readonly Record<string, unknown>[] {
  const table = readRecord(record);
  const names = table.names.map(String);
  const cell = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString();
    return ArrayBuffer.isView(value) ? Array.from(value as unknown as number[], String) : value;
  };
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(names.map((name) => [name, cell(table.getChild(name).at(row))])),
  );
}
