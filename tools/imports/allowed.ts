// Lists the imports that are allowed between folders, for test/repository/imports.test.ts.
import { rooms } from './room-fences.ts';

/**
 * Imports that files in a folder may have, in addition to imports of each other. A name ending in
 * .ts is a single file. For each file, the rule of the most specific folder that contains it is
 * used. Tests (*.test.ts, fake/, testing/) are not restricted.
 */
export interface Fence {
  readonly folder: string;
  readonly imports: readonly string[];
  /** Folders from which only types are imported; they may be anywhere in the order. */
  readonly types?: readonly string[];
  readonly packages: readonly string[];
}

export const fences: readonly Fence[] = [
  // Rules for the folders inside storage, symbolize, ingest, api, query, report, formats, agent,
  // the page and cmd.
  ...rooms.flatMap((room) => room.fences),
  { folder: 'src/base', imports: [], packages: ['node:async_hooks'] },
  // The real clock, disk, randomness and memory, and network clients. Only cmd constructs them.
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
  // The only folder that starts threads and calls node's zlib, so that a thread can be ended at any
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
  // HTTP client and cloud logins for scrapes, discovery, debuginfod and buckets.
  {
    folder: 'src/http-client',
    imports: ['src/base', 'src/config/config.ts', 'src/config/text-source.ts'],
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
  {
    folder: 'src/debuginfo',
    imports: [
      'src/base',
      'src/http-client/undici.ts',
      'src/model/go-build.ts',
      'src/sources',
      'src/symbolize',
      'src/symbolize/dwarf',
    ],
    packages: ['undici'],
  },
  // Archives of sources, which are decompressed in Node's thread pool.
  {
    folder: 'src/sources',
    imports: ['src/base', 'src/model/file-path.ts', 'src/base/threads'],
    packages: ['node:stream/promises', 'tar'],
  },
  {
    folder: 'src/sources/links',
    imports: ['src/config/source-links.ts', 'src/model'],
    packages: [],
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
      'src/ingest/interface.ts',
    ],
    packages: ['node:util', 'undici'],
  },
  // Queries the engine and sends alerts; the engine does not depend on it.
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
    packages: ['node:module', 'node:util', 'protobufjs'],
  },
  {
    folder: 'src/telemetry',
    imports: ['src/base', 'src/base/threads', 'src/formats/pprof/writer.ts'],
    packages: ['@datadog/pprof', 'prom-client'],
  },
  { folder: 'proto', imports: [], packages: ['protobufjs'] },
  // Worker of the page that answers queries about files with the server's code.
  { folder: 'web/file-engine', imports: ['src', 'web/file-engine/browser'], packages: [] },
  // Replaces modules of Node, so it must not import them.
  { folder: 'web/file-engine/browser', imports: ['src/base'], packages: [] },
  // Draws the page's graph in a thread of the server.
  {
    folder: 'web/picture',
    imports: [
      'src/base',
      'src/base/threads',
      'web/src/canvas',
      'web/src/format',
      'web/src/rpc',
      'web/src/tree',
    ],
    packages: [],
  },
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
  // Interface of the native add-on.
  { folder: 'bpf', imports: ['src/base'], packages: ['node:module', 'node:url'] },
];

/** An import that exists but should not; the list of these may only become shorter. */
export interface Debt {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

export const debts: readonly Debt[] = [];
