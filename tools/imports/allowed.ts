// The imports allowed between folders: the architecture as data, for
// test/repository/imports.test.ts.
import { rooms } from './room-fences.ts';

/**
 * Allowed imports of the files of one folder, in addition to each other. A name ending in .ts is
 * that one file. The longest folder that contains a file decides. Tests (*.test.ts, fake/,
 * testing/) are free.
 */
export interface Fence {
  readonly folder: string;
  readonly imports: readonly string[];
  /** Folders of which only types are imported: they need not stand below this one. */
  readonly types?: readonly string[];
  readonly packages: readonly string[];
}

export const fences: readonly Fence[] = [
  // Fences of each folder of api, query, report, formats, agent and the page.
  ...rooms.flatMap((room) => room.fences),
  { folder: 'src/base', imports: [], packages: [] },
  // The real clock, disk, randomness and memory, which only cmd constructs, and network clients.
  {
    folder: 'src/base/node',
    imports: ['src/base'],
    packages: [
      '@grpc/grpc-js',
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:net',
      'node:os',
      'node:path',
      'node:sqlite',
      'node:tls',
      'node:v8',
      'node:vm',
    ],
  },
  // The only place that starts threads and calls node's zlib, so that a thread can be ended at any
  // time.
  {
    folder: 'src/base/threads',
    imports: ['src/base'],
    packages: ['node:util', 'node:worker_threads', 'node:zlib'],
  },
  { folder: 'src/model', imports: ['src/base'], packages: ['re2js'] },
  {
    folder: 'src/promql-like',
    imports: ['src/base', 'src/model'],
    packages: ['@lezer/common', '@lezer/highlight', '@lezer/lr'],
  },
  {
    folder: 'src/shares',
    imports: ['src/base'],
    packages: [],
  },
  {
    folder: 'src/config',
    imports: ['src/base', 'src/model'],
    packages: ['node:crypto', 'node:path', 'node:util', 'yaml'],
  },
  // The client of HTTP and the logins of clouds: for scrapes, discovery, debuginfod and buckets.
  {
    folder: 'src/http-client',
    imports: ['src/base', 'src/config/config.ts'],
    packages: ['node:module', 'node:util', 'undici'],
  },
  {
    folder: 'src/http-client/logins',
    imports: ['src/base', 'src/http-client'],
    packages: ['node:crypto', 'node:path'],
  },
  {
    folder: 'src/discovery',
    imports: [
      'src/base',
      'src/base/node/run-command.ts',
      'src/model',
      'src/config',
      'src/http-client',
      'src/http-client/logins',
    ],
    packages: ['node:dns', 'node:path', 'node:util', 'yaml'],
  },
  // Blocks compress what they store; the store above cuts and opens them. Large sums have their own
  // threads.
  {
    folder: 'src/storage',
    imports: [
      'src/base',
      'src/base/node/memory.ts',
      'src/base/node/thread-priority.ts',
      'src/base/threads',
      'src/model',
    ],
    packages: ['node:os', 'node:worker_threads'],
  },
  // For tools that work on a directory without a server.
  {
    folder: 'src/storage/tools',
    imports: ['src/base', 'src/model', 'src/storage'],
    packages: [],
  },
  // Talks to a bucket over a network.
  {
    folder: 'src/storage/object-store',
    imports: [
      'src/base',
      'src/config/config.ts',
      'src/config/s3-names.ts',
      'src/http-client',
      'src/http-client/logins',
      'src/storage',
    ],
    packages: ['node:crypto'],
  },
  // A store over the blocks of a bucket and over other servers.
  {
    folder: 'src/storage/query-server',
    imports: ['src/base', 'src/model', 'src/storage', 'src/storage/object-store'],
    packages: [],
  },
  // Compaction has its own threads; node-cron runs what runs by the clock.
  {
    folder: 'src/storage/maintenance',
    imports: ['src/base', 'src/base/threads', 'src/model', 'src/storage'],
    packages: ['node-cron'],
  },
  // Talks to ClickHouse over a network.
  {
    folder: 'src/storage/clickhouse',
    imports: ['src/base', 'src/model', 'src/storage', 'src/storage/maintenance/schedule.ts'],
    packages: ['@clickhouse/client', 'node:crypto', 'node:stream'],
  },
  {
    folder: 'src/ingest',
    imports: [
      'src/base',
      'src/base/threads',
      'src/model',
      'src/formats',
      'src/formats/parca-arrow',
      'src/formats/pprof',
      'src/storage/interface.ts',
      'src/base/node/clock.ts',
      'src/base/node/memory.ts',
    ],
    packages: ['node:worker_threads'],
  },
  // Names of addresses. Apart from decompression it is pure: it runs where files of strangers are
  // read.
  {
    folder: 'src/symbolize',
    imports: [
      'src/base',
      'src/base/node/run-program.ts',
      'src/base/threads',
      'src/model',
      'src/storage/interface.ts',
    ],
    packages: ['@jridgewell/trace-mapping'],
  },
  {
    folder: 'src/debuginfo',
    imports: ['src/base', 'src/http-client/undici.ts', 'src/sources', 'src/symbolize'],
    packages: ['undici'],
  },
  // Archives of sources; their bytes are decompressed in node's pool.
  {
    folder: 'src/sources',
    imports: ['src/base', 'src/model/file-path.ts', 'src/base/threads'],
    packages: ['node:stream/promises', 'tar'],
  },
  {
    folder: 'src/scrape',
    imports: [
      'src/base',
      'src/base/threads',
      'src/base/node/speaks-tls.ts',
      'src/base/node/md5.ts', // a pure function, which only Node has ready
      'src/model',
      'src/config',
      'src/discovery',
      'src/http-client',
      // Results of scrapes are profiles.
      'src/formats/pprof/writer.ts',
      'src/ingest',
    ],
    packages: ['node:util', 'undici'],
  },
  // Asks the query engine, and tells others: the engine knows nothing of it.
  {
    folder: 'src/rules',
    imports: [
      'src/base',
      'src/base/node/md5.ts', // a pure function, which only Node has ready
      'src/model',
      'src/promql-like',
      'src/config',
      'src/discovery',
      'src/http-client',
      'src/query/interface.ts',
      'src/storage/interface.ts',
    ],
    packages: ['node:util'],
  },
  {
    folder: 'src/telemetry',
    imports: ['src/base', 'src/base/threads', 'src/formats/pprof/writer.ts'],
    packages: ['@datadog/pprof', 'prom-client'],
  },
  { folder: 'proto', imports: [], packages: ['protobufjs'] },
  // The worker of the page that answers about files, by the server's own code.
  { folder: 'web/file-engine', imports: ['src', 'web/file-engine/browser'], packages: [] },
  // Replaces modules of Node, so it may import none of them.
  { folder: 'web/file-engine/browser', imports: ['src/base'], packages: [] },
  // Sends profiles to another server.
  {
    folder: 'src/forward',
    imports: [
      'src/base',
      'src/base/node/grpc-client.ts',
      'src/base/threads',
      'src/formats',
      'src/formats/pprof',
      'src/ingest/interface.ts',
      'src/model',
    ],
    packages: ['node:path'],
  },
  // The face of the native add-on.
  { folder: 'bpf', imports: ['src/base'], packages: ['node:module', 'node:url'] },
  // A thread that answers probes by itself.
  {
    folder: 'cmd/parca/ready',
    imports: ['src'],
    packages: ['node:http', 'node:worker_threads'],
  },
  // A program of its own, which must start at once.
  {
    folder: 'cmd/grpc-health-probe',
    imports: ['cmd', 'src/base', 'src/base/node'],
    packages: ['node:fs', 'node:http2', 'node:net', 'node:util', 'node:zlib'],
  },
  // The programs construct everything.
  {
    folder: 'cmd',
    imports: [
      'agent/config',
      'agent/containers',
      'agent/debuginfo',
      'agent/files',
      'agent/frames',
      'agent/limits.ts',
      'agent/process',
      'agent/send',
      'agent/status',
      'agent',
      'bpf',
      'cmd/parca/ready',
      'src',
      'proto',
    ],
    packages: [
      'bcryptjs',
      'long',
      'node:dns/promises',
      'node:crypto',
      'node:fs',
      'node:module',
      'node:os',
      'node:path',
      'node:readline/promises',
      'node:timers/promises',
      'node:tls',
      'node:util',
    ],
  },
];

/** An import that exists although it should not. The list may only get shorter. */
export interface Debt {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

export const debts: readonly Debt[] = [];
