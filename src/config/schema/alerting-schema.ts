// The schema of `alerting`, which lists the receivers of alerts. Its keys are those of Prometheus
// and Alertmanager.
import type { AlertingConfig, AlertmanagerConfig, AlertReceiverConfig } from '../config.ts';
import type { TextSource } from '../text-source.ts';
import {
  discoveryFields,
  discoveryNotSupported,
  readDiscovery,
  type DiscoverySchema,
} from './discovery-schema.ts';
import { checkHttpClient, httpFields, readHttpClient } from './http-schema.ts';
import { emails } from './mail-schema.ts';
import { inlineText } from './pem-schema.ts';
import { relabelRule } from './relabel-schema.ts';
import {
  boolean,
  duration,
  invalid,
  labelName,
  list,
  readMap,
  nonEmptyText,
  readWord,
  optional,
  positiveDuration,
  record,
  refine,
  reportTaken,
  required,
  text,
  type Reader,
  type RecordOf,
} from './read.ts';

const timeoutMillisDefault = 10_000;
const groupWaitMillisDefault = 30_000;
const groupIntervalMillisDefault = 300_000;
const repeatMillisDefault = 14_400_000;

const alertmanagerFields = {
  scheme: optional(readWord(['http', 'https']), 'http'),
  path_prefix: optional(text, ''),
  timeout: optional(positiveDuration, timeoutMillisDefault),
  api_version: optional(readWord(['v2']), 'v2'),
  relabel_configs: optional(list(relabelRule), []),
  alert_relabel_configs: optional(list(relabelRule), []),
};
type AlertmanagerKeys = RecordOf<typeof alertmanagerFields & typeof httpFields>;

function alertmanager(kinds: readonly DiscoverySchema[]): Reader<AlertmanagerConfig> {
  const read = record(
    { ...alertmanagerFields, ...discoveryFields(kinds), ...httpFields },
    [...discoveryNotSupported, 'sigv4', 'azuread'],
    (_given, place) => checkHttpClient(place),
  );
  return refine(read, (keys: AlertmanagerKeys) => ({
    scheme: keys.scheme,
    pathPrefix: keys.path_prefix.replace(/\/+$/, '').replace(/^(?=[^/])/, '/'),
    timeoutMillis: keys.timeout,
    relabelRules: keys.relabel_configs,
    alertRelabelRules: keys.alert_relabel_configs,
    discovery: readDiscovery(keys, kinds),
    http: readHttpClient(keys),
  }));
}

/** Reads a URL that may contain a secret, such as the URL of a Slack webhook. */
const webAddress: Reader<TextSource> = refine(inlineText, (source, place) => {
  const isUrl =
    source.kind === 'inline' && /^https?:$/.test(URL.parse(source.text)?.protocol ?? '');
  if (isUrl) return source;
  const expected = 'an address that begins with http:// or https://';
  place.report(`expected ${expected}, got ${place.describe(true)}`);
  return invalid;
});

const httpClient = refine(
  record(httpFields, [], (_given, place) => checkHttpClient(place)),
  readHttpClient,
);

const webhook = refine(
  record({
    url: required(webAddress),
    http_config: optional(httpClient, undefined),
    send_resolved: optional(boolean, true),
    send_picture: optional(boolean, false),
  }),
  (keys) => ({
    kind: 'webhook' as const,
    url: keys.url,
    http: keys.http_config,
    sendsResolved: keys.send_resolved,
    sendsPicture: keys.send_picture,
  }),
);

const slack = refine(
  record({
    api_url: required(webAddress),
    channel: optional(text, ''),
    http_config: optional(httpClient, undefined),
    send_resolved: optional(boolean, true),
    send_picture: optional(boolean, false),
  }),
  (keys) => ({
    kind: 'slack' as const,
    url: keys.api_url,
    channel: keys.channel,
    http: keys.http_config,
    sendsResolved: keys.send_resolved,
    sendsPicture: keys.send_picture,
  }),
);

const receiver: Reader<AlertReceiverConfig> = refine(
  record({
    name: required(nonEmptyText),
    match: optional(readMap(text), new Map<string, string>()),
    group_by: optional(list(labelName), ['alertname']),
    group_wait: optional(duration, groupWaitMillisDefault),
    group_interval: optional(positiveDuration, groupIntervalMillisDefault),
    repeat_interval: optional(positiveDuration, repeatMillisDefault),
    webhook_configs: optional(list(webhook), []),
    slack_configs: optional(list(slack), []),
    email_configs: emails,
  }),
  (keys) => ({
    name: keys.name,
    match: keys.match,
    groupBy: keys.group_by,
    groupWaitMillis: keys.group_wait,
    groupIntervalMillis: keys.group_interval,
    repeatMillis: keys.repeat_interval,
    ways: [...keys.webhook_configs, ...keys.slack_configs, ...keys.email_configs.flat()],
  }),
);

/** Returns the schema of `alerting`. */
export function alerting(kinds: readonly DiscoverySchema[]): Reader<AlertingConfig> {
  const read = record(
    {
      alert_relabel_configs: optional(list(relabelRule), []),
      alertmanagers: optional(list(alertmanager(kinds)), []),
      receivers: optional(list(receiver), []),
    },
    [],
    (_given, place) =>
      reportTaken(place.find('receivers'), 'name', new Set(), (name, item) =>
        item.at('name').report(`a receiver has this name already: ${name}`),
      ),
  );
  return refine(read, (keys) => ({
    alertRelabelRules: keys.alert_relabel_configs,
    alertmanagers: keys.alertmanagers,
    receivers: keys.receivers,
  }));
}
