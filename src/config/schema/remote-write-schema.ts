// The schema of `remote_write`: servers that receive recorded series, with the keys of Prometheus.
import type { RemoteWriteConfig } from '../config.ts';
import { checkHttpClient, httpFields, readHttpClient } from './http-schema.ts';
import {
  list,
  nonEmptyText,
  optional,
  positiveDuration,
  readWord,
  record,
  type Reader,
  type RecordOf,
  refine,
  refuse,
  required,
} from './read.ts';
import { relabelRule } from './relabel-schema.ts';

/** Timeout if the config has none; the same as in Prometheus. */
const timeoutMillisDefault = 30_000;

const address = refine(nonEmptyText, (written, place) =>
  /^https?:$/.test(URL.parse(written)?.protocol ?? '')
    ? written
    : refuse(place, 'an address that begins with http:// or https://'),
);

/** Protobuf message of each version of remote write, by its name in Prometheus' config. */
const firstMessage = 'prometheus.WriteRequest';
const secondMessage = 'io.prometheus.write.v2.Request';

const fields = {
  url: required(address),
  remote_timeout: optional(positiveDuration, timeoutMillisDefault),
  protobuf_message: optional(readWord([firstMessage, secondMessage]), firstMessage),
  write_relabel_configs: optional(list(relabelRule), []),
};
type Keys = RecordOf<typeof fields & typeof httpFields>;

const notSupported = ['name', 'queue_config', 'metadata_config', 'sigv4'];

const remoteWrite: Reader<RemoteWriteConfig> = refine(
  record({ ...fields, ...httpFields }, notSupported, (_given, place) => checkHttpClient(place)),
  (keys: Keys) => ({
    url: keys.url,
    timeoutMillis: keys.remote_timeout,
    relabelRules: keys.write_relabel_configs,
    version: keys.protobuf_message === secondMessage ? 2 : 1,
    http: readHttpClient(keys),
  }),
);

/** Schema of `remote_write`; if the key is missing, the list is empty. */
export const remoteWrites = optional(list(remoteWrite), []);
