// Import rules of the folders in storage, symbolize, ingest and cmd, in the order in which they may
// import each other.
import { inRoom } from './in-room.ts';

export const storageRoom = inRoom('src/storage', [
  {
    folder: 'series',
    within: [],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: '.',
    within: ['series'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'files',
    within: ['series', '.'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'chunk',
    within: ['.'],
    imports: [
      'src/base',
      'src/base/node/memory.ts',
      'src/base/node/thread-priority.ts',
      'src/base/threads',
      'src/model',
    ],
    packages: ['node:worker_threads'],
  },
  {
    folder: 'block/bytes',
    within: [],
    imports: ['src/base', 'src/base/threads'],
    packages: [],
  },
  {
    folder: 'block/index',
    within: ['series', 'chunk', 'block/bytes'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'block',
    within: ['series', '.', 'files', 'chunk', 'block/bytes', 'block/index'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'head',
    within: ['series', '.', 'chunk'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'wal',
    within: ['series', '.', 'head'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  // Starts threads for large sums.
  {
    folder: 'sum',
    within: ['.', 'chunk'],
    imports: [
      'src/base',
      'src/base/node/memory.ts',
      'src/base/node/thread-priority.ts',
      'src/base/threads',
      'src/model',
    ],
    packages: ['node:os', 'node:worker_threads'],
  },
  {
    folder: 'store',
    within: ['.', 'files', 'chunk', 'block/index', 'block', 'head', 'wal', 'sum'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  // Tools that use a data directory without a server.
  {
    folder: 'tools',
    within: ['series', '.', 'files', 'chunk', 'block', 'head', 'wal', 'sum', 'store'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  // Starts threads for compaction, and uses node-cron for scheduled tasks.
  {
    folder: 'maintenance',
    within: ['series', '.', 'files', 'chunk', 'block/index', 'block'],
    imports: ['src/base', 'src/base/threads', 'src/model'],
    packages: ['node-cron'],
  },
  // Accesses a bucket over a network.
  {
    folder: 'object-store',
    within: ['.', 'files', 'block'],
    imports: ['src/base', 'src/config/bucket-config.ts', 'src/config/config.ts', 'src/http-client'],
    packages: [],
  },
  // The caller provides the vendors' packages.
  {
    folder: 'object-store/sdk',
    within: ['.', 'object-store'],
    imports: [
      'src/base',
      'src/config/bucket-config.ts',
      'src/config/s3-names.ts',
      'src/config/text-source.ts',
      'src/http-client',
      'src/http-client/logins',
    ],
    packages: ['node:crypto', 'node:stream', 'node:stream/promises'],
  },
  {
    folder: 'object-store/open',
    within: ['object-store', 'object-store/sdk'],
    imports: ['src/base', 'src/config/bucket-config.ts'],
    packages: [],
  },
  // A store that reads the blocks of a bucket and other servers.
  {
    folder: 'query-server',
    within: ['.', 'files', 'block', 'head', 'wal', 'sum', 'store', 'object-store'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  // Accesses ClickHouse over a network.
  {
    folder: 'clickhouse',
    within: ['.', 'maintenance'],
    imports: ['src/base', 'src/model'],
    packages: ['@clickhouse/client', 'node:crypto', 'node:stream'],
  },
]);

// Symbolization is pure except for decompression, because it also runs in the thread that reads
// untrusted files.
export const symbolizeRoom = inRoom('src/symbolize', [
  {
    folder: '.',
    within: [],
    // The querier imports only the type of source maps.
    types: ['source-map'],
    imports: [
      'src/base',
      'src/base/node/run-program.ts',
      'src/base/threads',
      'src/model',
      'src/storage/interface.ts',
    ],
    packages: [],
  },
  {
    folder: 'demangle',
    within: ['.'],
    imports: [],
    packages: [],
  },
  {
    folder: 'dwarf',
    within: ['.'],
    imports: ['src/base'],
    packages: [],
  },
  {
    folder: 'source-map',
    within: ['.'],
    imports: ['src/base', 'src/base/threads'],
    packages: ['@jridgewell/trace-mapping'],
  },
]);

export const ingestRoom = inRoom('src/ingest', [
  {
    folder: 'limits.ts',
    within: [],
    imports: [],
    packages: [],
  },
  {
    folder: 'interface.ts',
    within: [],
    imports: ['src/model'],
    packages: [],
  },
  {
    folder: 'series.ts',
    within: [],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: 'cardinality',
    within: ['limits.ts', 'interface.ts', 'series.ts'],
    imports: ['src/base', 'src/model'],
    packages: [],
  },
  {
    folder: '.',
    within: ['limits.ts', 'interface.ts', 'series.ts', 'cardinality'],
    imports: [
      'src/base',
      'src/base/node/clock.ts',
      'src/base/node/memory.ts',
      'src/base/threads',
      'src/formats',
      'src/formats/parca-arrow',
      'src/formats/pprof',
      'src/model',
      'src/storage/interface.ts',
    ],
    packages: ['node:worker_threads'],
  },
]);

// The programs, which create all objects.
export const cmdRoom = inRoom('cmd', [
  {
    folder: '.',
    within: [],
    imports: ['src'],
    packages: ['node:fs', 'node:module', 'node:path'],
  },
  {
    folder: 'parcatool/shared',
    within: ['.'],
    imports: ['src'],
    packages: ['node:fs/promises', 'node:tls'],
  },
  {
    folder: 'parcatool/files',
    within: ['.', 'parcatool/shared'],
    imports: ['agent', 'agent/debuginfo', 'agent/files', 'src'],
    packages: ['node:crypto', 'node:fs/promises'],
  },
  {
    folder: 'parcatool/local',
    within: ['parcatool/files'],
    imports: ['src'],
    packages: [],
  },
  {
    folder: 'parcatool/data',
    within: ['.', 'parcatool/shared'],
    imports: ['src'],
    packages: ['node:path'],
  },
  {
    folder: 'parcatool/rules',
    within: [],
    imports: ['src'],
    packages: ['node:path'],
  },
  {
    folder: 'parcatool/check',
    within: ['.', 'parcatool/shared', 'parcatool/local'],
    imports: ['src'],
    packages: ['node:child_process', 'node:fs/promises', 'node:path', 'node:util'],
  },
  {
    folder: 'parcatool/check/reports',
    within: ['parcatool/shared', 'parcatool/check'],
    imports: [],
    packages: [],
  },
  {
    folder: 'parcatool/record',
    within: ['.', 'parcatool/local'],
    imports: ['src'],
    packages: ['node:child_process', 'node:events', 'node:fs/promises', 'node:os', 'node:path'],
  },
  {
    folder: 'parcatool/import-from',
    within: ['parcatool/shared'],
    imports: ['src'],
    packages: [],
  },
  {
    folder: 'parcatool',
    within: [
      '.',
      'parcatool/shared',
      'parcatool/files',
      'parcatool/local',
      'parcatool/data',
      'parcatool/rules',
      'parcatool/check',
      'parcatool/check/reports',
      'parcatool/record',
      'parcatool/import-from',
    ],
    imports: ['src'],
    packages: [
      'node:crypto',
      'node:dns/promises',
      'node:fs/promises',
      'node:module',
      'node:path',
      'node:readline/promises',
      'node:timers/promises',
    ],
  },
  // A thread that answers probes independently.
  {
    folder: 'parca/ready',
    within: [],
    imports: ['src'],
    packages: ['node:http', 'node:worker_threads'],
  },
  {
    folder: 'parca/ad-hoc',
    within: ['.'],
    imports: ['src'],
    packages: ['node:path'],
  },
  {
    folder: 'parca/workers',
    within: [],
    imports: ['src', 'web/picture'],
    packages: ['bcryptjs', 'node:fs', 'node:module'],
  },
  {
    folder: 'parca',
    within: ['.', 'parca/ready', 'parca/ad-hoc', 'parca/workers'],
    imports: ['proto', 'src', 'web/picture'],
    packages: [
      'long',
      'node:crypto',
      'node:dns/promises',
      'node:fs',
      'node:module',
      'node:os',
      'node:path',
      'node:util',
    ],
  },
  {
    folder: 'parca-agent',
    within: ['.', 'parca'],
    imports: [
      'agent',
      'agent/config',
      'agent/containers',
      'agent/debuginfo',
      'agent/frames',
      'agent/process',
      'agent/sampling',
      'agent/send',
      'agent/status',
      'bpf',
      'src',
    ],
    packages: ['node:dns/promises', 'node:fs', 'node:module', 'node:os', 'node:path'],
  },
  // A separate program that must start fast.
  {
    folder: 'grpc-health-probe',
    within: ['.'],
    imports: ['src/base', 'src/base/node'],
    packages: ['node:fs', 'node:http2', 'node:net', 'node:util', 'node:zlib'],
  },
]);
