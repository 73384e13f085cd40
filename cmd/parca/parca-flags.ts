// Parca v0.28 flags that have no effect here. docs/from-parca.md lists them.
import { type ForeignFlag, missing, needless } from '../foreign-flags.ts';

export const parcaFlags: readonly ForeignFlag[] = [
  ...needless('profiles are always kept on the disk, see --storage-retention-time and -size', {
    'enable-persistence': 'true',
  }),
  ...needless('there is always a write-ahead log', { 'storage-enable-wal': 'true' }),
  ...needless('the log is cut whenever a block is written', {
    'storage-snapshot-trigger-size': '134217728',
  }),
  ...needless('blocks have pages of their own size', { 'storage-row-group-size': '8192' }),
  ...needless('indexes are read from the disk page by page', { 'storage-index-on-disk': 'false' }),
  ...needless('this program profiles its own CPU and heap, see --self-scrape', {
    'mutex-profile-fraction': '0',
    'block-profile-rate': '0',
  }),
  ...needless('names are read here, inlined functions included', {
    'symbolizer-external-addr-2-line-path': '',
  }),
  ...needless('names that were not found are looked up again when there is something new', {
    'symbolizer-number-of-tries': '3',
  }),
  ...needless('debug information is kept in the storage path, see --debuginfo-retention-size', {
    'debuginfo-cache-dir': '/tmp',
  }),
  ...needless('uploads come through this server, which writes them to the bucket', {
    'debuginfo-uploads-signed-url': 'false',
  }),
  ...needless('addresses are always those of the file', { 'debug-normalize-addresses': 'true' }),
  ...needless('this server sends no traces of itself', {
    'otlp-exporter': 'grpc',
    'otlp-insecure': 'true',
  }),
  missing('otlp-address', '', 'this server sends no traces of itself'),
  missing('profile-share-server', 'api.pprof.me:443', 'this server has shares, see --share-url', [
    '',
  ]),
  missing('clickhouse-table', 'stacktraces', 'use a database of its own, --clickhouse-database'),
  missing('iceberg-storage', 'false', 'blocks go to a bucket, see object_storage'),
];
