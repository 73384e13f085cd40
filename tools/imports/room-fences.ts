// The imports allowed between the folders inside a room, for test/repository/imports.test.ts.
import type { Fence } from './allowed.ts';

/**
 * Allowed imports of one folder of a room. `folder` and `within` are relative to the room, "." is
 * what stands at its root.
 */
interface RoomRow {
  readonly folder: string;
  /** Folders of the room that stand before this one in the list. */
  readonly within: readonly string[];
  /** Folders of the room, at any place, of which only types are imported. */
  readonly types?: readonly string[];
  /** Imports of other rooms, as in a Fence. */
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

/** A room whose folders have fences, in the order in which they may import each other. */
export interface Room {
  readonly room: string;
  readonly fences: readonly Fence[];
}

function inRoom(room: string, rows: readonly RoomRow[]): Room {
  const path = (folder: string): string => (folder === '.' ? room : `${room}/${folder}`);
  const fences = rows.map(({ folder, within, types = [], imports, packages }) => ({
    folder: path(folder),
    imports: [...within.map(path), ...imports],
    types: types.map(path),
    packages,
  }));
  return { room, fences };
}

const apiRoom = inRoom('src/api', [
  {
    folder: 'auth',
    within: [],
    imports: ['src/base', 'src/config'],
    packages: ['node:crypto', 'node:http', 'node:http2', 'node:net', 'node:tls'],
  },
  {
    folder: 'transport',
    within: ['auth'],
    imports: ['src/base', 'src/config'],
    packages: ['node:crypto', 'node:http', 'node:http2', 'node:net', 'node:tls'],
  },
  // What a transport needs names the turns in which JSON is written.
  {
    folder: 'transport/call',
    within: ['auth'],
    types: ['transport/json'],
    imports: [
      'src/base',
      'src/base/threads',
      'src/config',
      'src/formats',
      'src/query/interface.ts',
      'src/storage/interface.ts',
    ],
    packages: ['long', 'node:http', 'node:http2', 'node:stream'],
  },
  {
    folder: 'transport/grpc',
    within: ['auth', 'transport/call'],
    imports: ['src/base'],
    packages: ['node:http', 'node:http2'],
  },
  {
    folder: 'transport/json',
    within: ['auth', 'transport/call'],
    imports: ['proto', 'src/base', 'src/base/threads'],
    packages: ['long', 'node:http', 'node:stream', 'protobufjs'],
  },
  {
    folder: 'transport/http',
    within: ['auth', 'transport/call', 'transport/json'],
    imports: ['src/base', 'src/storage/interface.ts'],
    packages: ['fastify', 'node:stream'],
  },
  {
    folder: 'transport/connect',
    within: ['transport/call', 'transport/grpc', 'transport/http', 'transport/json'],
    imports: ['src/base'],
    packages: ['fastify', 'node:stream'],
  },
  {
    folder: 'ingest',
    within: ['auth', 'transport/call', 'transport/http'],
    imports: [
      'src/base',
      'src/formats',
      'src/formats/gperftools',
      'src/formats/import',
      'src/formats/jfr',
      'src/formats/pprof',
      'src/ingest/interface.ts',
      'src/model',
    ],
    packages: ['fastify'],
  },
  {
    folder: 'ingest/parca',
    within: ['ingest', 'transport/call'],
    imports: [
      'proto',
      'src/base',
      'src/base/threads',
      'src/formats/parca-arrow',
      'src/ingest/interface.ts',
      'src/model',
    ],
    packages: ['protobufjs'],
  },
  {
    folder: 'ingest/otlp',
    within: ['auth', 'ingest', 'transport/call', 'transport/json'],
    imports: [
      'src/base',
      'src/base/threads',
      'src/formats',
      'src/formats/otlp',
      'src/ingest/interface.ts',
      'src/model',
    ],
    packages: ['fastify'],
  },
  {
    folder: 'ingest/pyroscope',
    within: ['ingest', 'transport/call'],
    imports: [
      'proto',
      'src/base',
      'src/formats',
      'src/formats/import',
      'src/formats/jfr',
      'src/formats/reading',
      'src/ingest/interface.ts',
      'src/model',
    ],
    packages: ['fastify'],
  },
  {
    folder: 'ingest/file',
    within: ['ingest', 'transport/call', 'transport/http', 'transport/json'],
    imports: [
      'src/base',
      'src/formats/import',
      'src/formats/pprof',
      'src/formats/reading',
      'src/ingest/interface.ts',
      'src/model',
    ],
    packages: ['fastify'],
  },
  {
    folder: 'debuginfo',
    within: ['transport/call', 'transport/http'],
    imports: ['proto', 'src/base', 'src/debuginfo/interface.ts'],
    packages: ['fastify', 'long', 'node:stream'],
  },
  {
    folder: 'query',
    within: ['transport/call'],
    imports: [
      'proto',
      'src/base',
      'src/base/threads',
      'src/formats/arrow',
      'src/formats/pprof',
      'src/model',
      'src/query/interface.ts',
      'src/report',
      'src/report/stacks',
      'src/report/tree',
      'src/shares/interface.ts',
      'src/sources/interface.ts',
      'src/storage/interface.ts',
    ],
    packages: ['long', 'node:crypto', 'protobufjs'],
  },
  {
    folder: 'services',
    within: ['transport/call'],
    imports: [
      'proto',
      'src/base',
      'src/debuginfo/interface.ts',
      'src/model',
      'src/scrape/interface.ts',
      'src/storage/part-source.ts',
    ],
    packages: ['long', 'protobufjs'],
  },
  {
    folder: 'routes',
    within: ['auth', 'query', 'services', 'transport/call', 'transport/http', 'transport/json'],
    imports: [
      'src/base',
      'src/base/threads',
      'src/debuginfo/interface.ts',
      'src/formats',
      'src/formats/collapsed',
      'src/formats/firefox-profile',
      'src/formats/speedscope',
      'src/ingest/interface.ts',
      'src/model',
      'src/query/interface.ts',
      'src/report',
      'src/scrape/interface.ts',
      'src/shares/interface.ts',
      'src/storage/interface.ts',
    ],
    packages: ['fastify'],
  },
  {
    folder: 'query/pyroscope',
    within: ['ingest/pyroscope', 'routes', 'transport/call', 'transport/connect', 'transport/http'],
    imports: [
      'proto',
      'src/base',
      'src/formats',
      'src/formats/pprof',
      'src/model',
      'src/query/interface.ts',
      'src/report',
      'src/report/stacks',
      'src/shares/interface.ts',
      'src/storage/interface.ts',
    ],
    packages: ['fastify', 'long', 'node:crypto', 'protobufjs'],
  },
  {
    folder: 'reports',
    within: ['query', 'query/pyroscope', 'routes'],
    imports: [
      'src/base',
      'src/model',
      'src/query/functions',
      'src/query/interface.ts',
      'src/query/plan',
      'src/query/report',
    ],
    packages: [],
  },
  {
    folder: '.',
    within: [
      'auth',
      'debuginfo',
      'ingest',
      'ingest/file',
      'ingest/otlp',
      'ingest/parca',
      'ingest/pyroscope',
      'query',
      'query/pyroscope',
      'routes',
      'services',
      'transport',
      'transport/call',
      'transport/connect',
      'transport/grpc',
      'transport/http',
      'transport/json',
    ],
    imports: [
      'proto',
      'src/base',
      'src/base/threads',
      'src/config',
      'src/debuginfo/interface.ts',
      'src/formats/import',
      'src/ingest/interface.ts',
      'src/query/interface.ts',
      'src/scrape/interface.ts',
      'src/shares/interface.ts',
      'src/sources/interface.ts',
      'src/storage/part-source.ts',
    ],
    packages: ['@fastify/cors', 'fastify', 'node:crypto', 'node:http', 'node:http2', 'node:tls'],
  },
]);

const queryRoom = inRoom('src/query', [
  {
    folder: 'report-kinds.ts',
    within: [],
    imports: ['src/base', 'src/model', 'src/report', 'src/report/tree'],
    packages: [],
  },
  {
    folder: 'interface.ts',
    within: ['report-kinds.ts'],
    imports: ['src/model', 'src/report', 'src/report/stacks', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: 'running',
    within: ['interface.ts'],
    imports: ['src/base', 'src/model', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: 'notes',
    within: [],
    imports: ['src/base', 'src/model', 'src/promql-like', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: 'plan',
    within: ['interface.ts', 'notes', 'report-kinds.ts'],
    imports: [
      'src/base',
      'src/model',
      'src/promql-like',
      'src/report',
      'src/report/stacks',
      'src/report/tree',
      'src/storage/interface.ts',
    ],
    packages: [],
  },
  {
    folder: 'cache',
    within: ['interface.ts', 'running'],
    imports: ['src/base', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: 'merge',
    within: ['cache', 'interface.ts', 'notes', 'plan', 'running'],
    imports: [
      'src/base',
      'src/model',
      'src/promql-like',
      'src/report/tree',
      'src/storage/interface.ts',
    ],
    packages: [],
  },
  {
    folder: 'range',
    within: ['interface.ts', 'merge', 'notes', 'plan', 'running'],
    imports: ['src/base', 'src/model', 'src/report/stacks', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: 'report',
    within: ['interface.ts', 'merge', 'notes', 'plan', 'report-kinds.ts', 'running'],
    imports: [
      'src/base',
      'src/base/threads',
      'src/model',
      'src/promql-like',
      'src/report',
      'src/report/stacks',
      'src/report/tree',
      'src/storage/interface.ts',
    ],
    packages: ['node:worker_threads'],
  },
  {
    folder: 'functions',
    within: ['interface.ts', 'notes', 'plan', 'report', 'running'],
    imports: ['src/base', 'src/model', 'src/promql-like', 'src/report', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: 'labels',
    within: ['interface.ts', 'merge', 'notes', 'plan', 'running'],
    imports: ['src/base', 'src/model', 'src/promql-like', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: 'pyroscope',
    within: ['merge'],
    imports: ['src/model', 'src/storage/interface.ts'],
    packages: [],
  },
  {
    folder: '.',
    within: ['functions', 'interface.ts', 'labels', 'notes', 'plan', 'range', 'report', 'running'],
    imports: ['src/base', 'src/model', 'src/promql-like', 'src/storage/interface.ts'],
    packages: [],
  },
]);

const reportRoom = inRoom('src/report', [
  { folder: 'stacks', within: [], imports: ['src/base', 'src/model'], packages: [] },
  { folder: 'tree', within: ['stacks'], imports: ['src/base', 'src/model'], packages: [] },
  { folder: '.', within: ['stacks', 'tree'], imports: ['src/base', 'src/model'], packages: [] },
]);

const formatsRoom = inRoom('src/formats', [
  { folder: 'arrow/read', within: [], imports: ['src/base', 'src/base/threads'], packages: [] },
  { folder: 'arrow', within: ['arrow/read'], imports: ['src/base'], packages: ['lz4-napi'] },
  {
    folder: '.',
    within: ['arrow/read'],
    imports: ['src/base', 'src/base/threads', 'src/model'],
    packages: [],
  },
  {
    folder: 'pprof',
    within: ['.'],
    imports: ['src/base', 'src/base/threads', 'src/model'],
    packages: [],
  },
  { folder: 'reading', within: ['.', 'pprof'], imports: ['src/base', 'src/model'], packages: [] },
  {
    folder: 'collapsed',
    within: ['.', 'pprof', 'reading'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'perf-script',
    within: ['pprof', 'reading'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'speedscope',
    within: ['.', 'pprof', 'reading'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'firefox-profile',
    within: ['.', 'pprof', 'reading'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  { folder: 'gperftools', within: ['.', 'pprof', 'reading'], imports: ['src/base'], packages: [] },
  {
    folder: 'chrome-cpu-profile',
    within: ['pprof', 'reading'],
    imports: ['src/base'],
    packages: [],
  },
  {
    folder: 'jfr',
    within: ['.', 'pprof', 'reading'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'import',
    within: [
      '.',
      'chrome-cpu-profile',
      'collapsed',
      'firefox-profile',
      'gperftools',
      'jfr',
      'perf-script',
      'pprof',
      'reading',
      'speedscope',
    ],
    imports: ['src/base'],
    packages: [],
  },
  {
    folder: 'otlp',
    within: ['.', 'pprof', 'reading'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'sample-table',
    within: ['arrow'],
    imports: ['src/base/threads'],
    packages: ['apache-arrow', 'hyparquet-writer'],
  },
  {
    folder: 'parca-arrow',
    within: ['arrow', 'arrow/read', 'pprof'],
    imports: ['src/base', 'src/base/threads', 'src/model'],
    packages: [],
  },
]);

const agentRoom = inRoom('agent', [
  { folder: 'limits.ts', within: [], imports: [], packages: [] },
  { folder: 'files', within: [], imports: ['src/symbolize'], packages: ['node:fs'] },
  {
    folder: 'containers',
    within: ['limits.ts'],
    imports: [
      'src/base',
      'src/base/node/grpc-client.ts',
      'src/discovery/meta-labels.ts',
      'src/formats/protobuf-writer.ts',
      'src/formats/wire-fields.ts',
      'src/formats/wire-reader.ts',
    ],
    packages: ['node:fs', 'node:http'],
  },
  {
    folder: 'process',
    within: ['containers', 'files', 'limits.ts'],
    imports: ['bpf', 'src/base', 'src/model', 'src/symbolize'],
    packages: ['node:fs', 'node:http', 'node:path'],
  },
  {
    folder: 'config',
    within: ['process'],
    imports: ['src/base', 'src/config', 'src/model'],
    packages: ['yaml'],
  },
  {
    folder: 'frames',
    within: ['files', 'limits.ts', 'process'],
    imports: ['bpf', 'src/base', 'src/symbolize'],
    packages: ['node:fs', 'node:path'],
  },
  {
    folder: 'debuginfo',
    within: ['files', 'frames', 'limits.ts'],
    imports: ['bpf', 'proto', 'src/base', 'src/base/node/grpc-client.ts', 'src/symbolize'],
    packages: ['long', 'node:crypto', 'node:fs', 'node:path', 'node:stream', 'undici'],
  },
  {
    folder: 'profile',
    within: ['frames', 'process'],
    imports: ['bpf', 'src/formats/pprof/writer.ts', 'src/model'],
    packages: [],
  },
  {
    folder: 'send',
    within: ['frames', 'limits.ts', 'profile'],
    imports: [
      'src/base',
      'src/base/threads',
      'src/formats/arrow',
      'src/formats/parca-arrow',
      'src/formats/protobuf-writer.ts',
      'src/forward',
      'src/model',
    ],
    packages: ['node:path'],
  },
  {
    folder: '.',
    within: ['frames', 'limits.ts', 'process', 'profile'],
    imports: ['bpf', 'src/base'],
    packages: ['node:fs'],
  },
  {
    folder: 'status',
    within: ['.', 'debuginfo', 'limits.ts', 'process'],
    imports: [
      'bpf',
      'src/api/auth',
      'src/api/transport/tls.ts',
      'src/base',
      'src/config',
      'src/forward',
    ],
    packages: ['node:http', 'node:net'],
  },
]);

export const rooms: readonly Room[] = [apiRoom, queryRoom, reportRoom, formatsRoom, agentRoom];
