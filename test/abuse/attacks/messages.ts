// Messages with many tiny parts, in standard protocols: OTLP, Connect, JSON, Arrow and gRPC-Web.
import { gzipSync } from 'node:zlib';
import type { Attack } from '../attack.ts';
import { emptyMessages, otlpPaths, sharedStacks } from '../bodies/otlp.ts';
import { makePprof } from '../bodies/pprof.ts';
import { makeSeries, writeRawBytes, writeRawJson } from '../bodies/write-raw.ts';
import { shooting } from '../client.ts';
import { calling, frame, otlpExport, writeArrow, writeRaw } from '../grpc.ts';

const proto = { 'content-type': 'application/proto' };
const json = { 'content-type': 'application/json' };
const tiny = makePprof({ samples: 1, depth: 1, functions: 1, salt: 'tiny' });
const pusher = '/push.v1.PusherService/Push';

export const messageAttacks: readonly Attack[] = [
  {
    name: 'otlp-empty-messages',
    door: 'own',
    prepare: async (target) => {
      const frames = Object.values(otlpPaths).map((path) => frame(emptyMessages(path, 8_000_000)));
      return calling(target, 4, otlpExport, (i) => frames[i % frames.length]);
    },
  },
  {
    name: 'otlp-empty-messages-small',
    door: 'own',
    prepare: async (target) => {
      const frames = Object.values(otlpPaths).map((path) => frame(emptyMessages(path, 300_000)));
      return calling(target, 4, otlpExport, (i) => frames[i % frames.length]);
    },
  },
  {
    name: 'otlp-shared-stacks',
    door: 'own',
    prepare: async (target) => {
      const body = frame(sharedStacks(1_000, 500, 2_000));
      return calling(target, 2, otlpExport, () => body);
    },
  },
  {
    name: 'otlp-json',
    door: 'own',
    prepare: async (target) => {
      const samples = `[${'{"stackIndex":0},'.repeat(600_000)}{}]`;
      const body = `{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":${samples}}]}]}]}`;
      return shooting(target, 4, () => ({ path: '/v1development/profiles', body, headers: json }));
    },
  },
  {
    name: 'otlp-json-gzip',
    door: 'own',
    prepare: async (target) => {
      const attributes = '{"key":"a","value":{"stringValue":"b"}},'.repeat(300_000);
      const body = gzipSync(`{"resourceProfiles":[{"resource":{"attributes":[${attributes}{}]}}]}`);
      const headers = { ...json, 'content-encoding': 'gzip' };
      return shooting(target, 8, () => ({ path: '/v1development/profiles', body, headers }));
    },
  },
  {
    name: 'connect-tiny-series',
    door: 'own',
    prepare: async (target) => {
      const body = emptyMessages([0x0a], 8_000_000);
      return shooting(target, 4, () => ({ path: pusher, body, headers: proto }));
    },
  },
  {
    name: 'connect-json-labels',
    door: 'own',
    prepare: async (target) => {
      const labels = '{"name":"a","value":"b"},'.repeat(900_000);
      const body = `{"series":[{"labels":[${labels}{}]}]}`;
      return shooting(target, 4, () => ({ path: pusher, body, headers: json }));
    },
  },
  {
    name: 'write-raw-json-many-series',
    door: 'parca',
    prepare: async (target) => {
      const body = writeRawJson(makeSeries(10_000, tiny, (i) => ({ job: 'many', pod: String(i) })));
      return shooting(target, 4, () => ({ path: '/api/profiles/writeraw', body, headers: json }));
    },
  },
  {
    name: 'write-raw-large-messages',
    door: 'parca',
    prepare: async (target) => {
      const profile = Buffer.alloc(60_000_000, 7);
      const body = frame(writeRawBytes([{ labels: { __name__: 'x', job: 'large' }, profile }]));
      return calling(target, 8, writeRaw, () => body);
    },
  },
  {
    name: 'write-raw-compressed-messages',
    door: 'parca',
    prepare: async (target) => {
      const zeros = gzipSync(Buffer.alloc(30_000_000));
      const body = frame(zeros);
      return calling(target, 16, writeRaw, () => body);
    },
  },
  {
    name: 'arrow-garbage',
    door: 'parca',
    prepare: async (target) => {
      // An Arrow stream that claims to have a lot of metadata. All bytes of the metadata are 0,
      // which is an invalid offset.
      const ipc = Buffer.alloc(20_000_000);
      ipc.writeUInt32LE(0xffff_ffff, 0);
      ipc.writeUInt32LE(900_000, 4);
      const head = Buffer.from([0x0a, 0x80, 0xda, 0xc4, 0x09]);
      const body = frame(Buffer.concat([head, ipc]));
      return calling(target, 8, writeArrow, () => body);
    },
  },
  {
    name: 'grpc-web-text',
    door: 'parca',
    prepare: async (target) => {
      const message = frame(emptyMessages([0x12], 6_000_000)).toString('base64');
      const headers = { 'content-type': 'application/grpc-web-text' };
      return shooting(target, 4, () => ({ path: writeRaw, body: message, headers }));
    },
  },
];
