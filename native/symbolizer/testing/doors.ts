// Pushes a stack of process addresses through each protocol of a server.
import assert from 'node:assert/strict';
import type { Client } from '@grpc/grpc-js';
import {
  encodeLocations,
  encodeSamples,
} from '../../../src/formats/parca-arrow/testing/version-1.ts';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';
import { writeInTwoSteps } from '../../../test/support/arrow-client.ts';
import { unary, writeRawPath, writeRawRequest } from '../../../test/support/grpc-client.ts';
import type { MappedRange } from './places.ts';

/** A stack of a process. */
export interface ProcessStack {
  readonly file: string;
  readonly buildId: string;
  readonly range: MappedRange;
  /** Addresses in the process, innermost first. */
  readonly addresses: readonly bigint[];
  /** Time of the profile. */
  readonly timeNanos: bigint;
}

/** A server and its addresses. */
export interface Target {
  readonly url: string;
  readonly client: Client;
}

/** A protocol for pushing profiles. */
export interface Door {
  readonly name: string;
  /** Pushes a stack for the service `service`. */
  push(target: Target, service: string, stack: ProcessStack): Promise<unknown>;
  /** Returns a query for the profiles of a service. */
  query(service: string): string;
}

const rest = 'samples:count:cpu:nanoseconds:delta';
const seconds = 1_790_000_000;
/** Time of the first profile. */
export const firstTimeNanos = BigInt(seconds) * 1_000_000_000n;

/** Query range that contains all pushed profiles. */
export const pushedRange = { start: String(seconds - 60), end: String(seconds + 60) };

/** Encodes a stack as pprof, with one sample. */
export function encodeStack(stack: ProcessStack): Uint8Array<ArrayBuffer> {
  const { file, buildId, range, addresses, timeNanos } = stack;
  const writer = new PprofWriter();
  const mapping = writer.mapping({ file, buildId, ...range });
  writer.sample(
    addresses.map((address) => writer.location(mapping, address, [])),
    [1n],
  );
  const sampleTypes = [{ type: 'samples', unit: 'count' }];
  const periodType = { type: 'cpu', unit: 'nanoseconds' };
  const times = { period: 1n, timeNanos, durationNanos: 1_000_000_000n };
  return Uint8Array.from(writer.finish({ sampleTypes, periodType, ...times }));
}

async function post(url: string, body: BodyInit, type?: string): Promise<void> {
  const headers = type === undefined ? {} : { 'content-type': type };
  const answer = await fetch(url, { method: 'POST', body, headers });
  assert.equal(answer.status, 200, await answer.text());
}

const byService = (name: string) => (service: string) =>
  `${name}:${rest}{service_name="${service}"}`;
const byJob = (name: string) => (service: string) => `${name}:${rest}{job="${service}"}`;

export const doors: readonly Door[] = [
  {
    name: 'WriteRaw',
    push: ({ client }, job, stack) =>
      unary(client, writeRawPath, writeRawRequest({ __name__: 'raw', job }, encodeStack(stack))),
    query: byJob('raw'),
  },
  { name: 'Write', push: pushRecords, query: byJob('parca_agent') },
  {
    name: 'push',
    push: ({ url }, job, stack) => post(`${url}/api/v1/push?job=${job}`, encodeStack(stack)),
    query: byJob('process_cpu'),
  },
  {
    name: 'ingest',
    push: ({ url }, name, stack) => {
      const form = new FormData();
      form.append('profile', new Blob([encodeStack(stack)]), 'profile.pprof');
      const from = Number(stack.timeNanos / 1_000_000_000n);
      const times = `from=${from}&until=${from + 1}`;
      return post(`${url}/ingest?name=${name}&spyName=gospy&${times}`, form);
    },
    query: byService('process_cpu'),
  },
  {
    name: 'PusherService',
    push: ({ client }, service, stack) =>
      unary(client, '/push.v1.PusherService/Push', pushRequest(service, encodeStack(stack))),
    query: byService('pushed'),
  },
  {
    name: 'OTLP by gRPC',
    push: ({ client }, service, stack) =>
      unary(
        client,
        '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
        otlpRequest(service, stack),
      ),
    query: byService('process_cpu'),
  },
  {
    name: 'OTLP by HTTP',
    push: ({ url }, service, stack) =>
      post(
        `${url}/v1development/profiles`,
        Uint8Array.from(otlpRequest(service, stack)),
        'application/x-protobuf',
      ),
    query: byService('process_cpu'),
  },
];

/**
 * Sends the stack as agents before v0.49 do: first samples, then the locations that the server
 * requests.
 */
function pushRecords({ client }: Target, job: string, stack: ProcessStack): Promise<void> {
  const { file, buildId, range, addresses, timeNanos } = stack;
  const samples = encodeSamples([{ id: job, labels: { job }, value: 1n }], timeNanos);
  const frames = addresses.map((address) => ({ mappingFile: file, buildId, address, lines: [] }));
  return writeInTwoSteps(client, samples, () => encodeLocations([[job, frames]], range));
}

/** A protobuf message with nested messages. */
class Message {
  readonly writer = new ProtobufWriter();

  nested(field: number, write: () => void = () => undefined): void {
    const at = this.writer.begin(field);
    write();
    this.writer.end(at);
  }

  text(field: number, text: string): void {
    this.writer.bytesField(field, Buffer.from(text));
  }

  packed(field: number, ...values: readonly number[]): void {
    this.nested(field, () => values.forEach((value) => this.writer.varint(value)));
  }
}

export function pushRequest(service: string, profile: Uint8Array): Uint8Array {
  const message = new Message();
  message.nested(1, () => {
    for (const [name, value] of [
      ['__name__', 'pushed'],
      ['service_name', service],
    ] as const) {
      message.nested(1, () => {
        message.text(1, name);
        message.text(2, value);
      });
    }
    message.nested(2, () => message.writer.bytesField(1, profile));
  });
  return message.writer.finish();
}

/** Encodes an ExportProfilesServiceRequest of OTLP 1.10. */
export function otlpRequest(service: string, stack: ProcessStack): Uint8Array {
  const { file, buildId, range, addresses, timeNanos } = stack;
  const message = new Message();
  const { writer } = message;
  const strings = ['', 'samples', 'count', 'cpu', 'nanoseconds', file];
  const buildIdKey = strings.push('process.executable.build_id.gnu') - 1;
  const types = (field: number, type: number, unit: number): void =>
    message.nested(field, () => {
      writer.uint(1, type);
      writer.uint(2, unit);
    });
  message.nested(1, () => {
    message.nested(1, () =>
      message.nested(1, () => {
        message.text(1, 'service.name');
        message.nested(2, () => message.text(1, service));
      }),
    );
    message.nested(2, () =>
      message.nested(2, () => {
        types(1, 1, 2);
        message.nested(2, () => {
          writer.uint(1, 1);
          message.packed(4, 1);
        });
        // This field is a fixed64, which the writer does not support.
        writer.varint(3 * 8 + 1);
        const at = writer.pos;
        for (let i = 0; i < 8; i += 1) writer.varint(0);
        new DataView(writer.bytes.buffer).setBigUint64(at, timeNanos, true);
        writer.uint(4, 1_000_000_000);
        types(5, 3, 4);
        writer.uint(6, 1);
      }),
    );
  });
  message.nested(2, () => {
    message.nested(1);
    message.nested(1, () => {
      writer.int64(1, range.start);
      writer.int64(2, range.limit);
      writer.int64(3, range.offset);
      writer.uint(4, 5);
      message.packed(5, 1);
    });
    message.nested(2);
    for (const address of addresses) {
      message.nested(2, () => {
        writer.uint(1, 1);
        writer.int64(2, address);
      });
    }
    for (const text of strings) message.text(5, text);
    message.nested(6);
    message.nested(6, () => {
      writer.uint(1, buildIdKey);
      message.nested(2, () => message.text(1, buildId));
    });
    message.nested(7);
    message.nested(7, () => message.packed(1, ...addresses.map((_, i) => i + 1)));
  });
  return writer.finish();
}
