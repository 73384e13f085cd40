// Cloud instance of this host, from the metadata service on a link-local address.
import { parseJsonText } from '../../src/base/text/json.ts';
import { request } from '../../src/base/node/http.ts';
import { type Clock, sleep } from '../../src/base/clock.ts';
import { AppError } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import { mapAt, stringAt } from '../../src/base/text/json-values.ts';
import { instanceAnswerBytesMax, instanceMillisMax, instanceRetryMillis } from '../limits.ts';

/** Address of the metadata services of AWS, Google Cloud and Azure. */
const linkLocalUrl = 'http://169.254.169.254';

const names = ['provider', 'instance_id', 'instance_type', 'region', 'zone', 'account_id'] as const;
type Facts = Readonly<Record<(typeof names)[number], string>>;

/** All labels of an instance. */
export const instanceLabelNames: readonly string[] = names.map((name) => `__meta_cloud_${name}`);
/** Label that all clouds have. */
export const providerLabel = '__meta_cloud_provider';

/** Fetches a path as a string. Errors: network errors; AppError for a status other than 200. */
type Get = (
  path: string,
  headers: Readonly<Record<string, string>>,
  method?: 'PUT',
) => Promise<string>;

/** Supported clouds. Source: documentation of their metadata services. */
const clouds: readonly ((get: Get) => Promise<Facts>)[] = [
  async (get) => {
    const forToken = { 'x-aws-ec2-metadata-token-ttl-seconds': '60' };
    const token = await get('/latest/api/token', forToken, 'PUT');
    const headers = { 'x-aws-ec2-metadata-token': token };
    const found = parseObject(await get('/latest/dynamic/instance-identity/document', headers));
    return {
      provider: 'aws',
      instance_id: stringAt(found, 'instanceId'),
      instance_type: stringAt(found, 'instanceType'),
      region: stringAt(found, 'region'),
      zone: stringAt(found, 'availabilityZone'),
      account_id: stringAt(found, 'accountId'),
    };
  },
  async (get) => {
    // Numeric instance ids are too large for a JSON number.
    const read = async (path: string): Promise<string> =>
      (await get(`/computeMetadata/v1/${path}`, { 'metadata-flavor': 'Google' })).replace(
        /^.*\//s,
        '',
      );
    const zone = await read('instance/zone');
    return {
      provider: 'gcp',
      instance_id: await read('instance/id'),
      instance_type: await read('instance/machine-type'),
      region: zone.replace(/-[^-]*$/, ''),
      zone,
      account_id: await read('project/project-id'),
    };
  },
  async (get) => {
    const path = '/metadata/instance/compute?api-version=2021-02-01';
    const found = parseObject(await get(path, { metadata: 'true' }));
    return {
      provider: 'azure',
      instance_id: stringAt(found, 'vmId'),
      instance_type: stringAt(found, 'vmSize'),
      region: stringAt(found, 'location'),
      zone: stringAt(found, 'zone'),
      account_id: stringAt(found, 'subscriptionId'),
    };
  },
];

/** Labels of the instance, available after its metadata service has responded. */
export class CloudInstance {
  labels: ReadonlyMap<string, string> = new Map();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(clock: Clock, logger: Logger, url = linkLocalUrl) {
    this.#running = this.#find(clock, logger, url);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Retries until a cloud responds, because the network may start after the agent. */
  async #find(clock: Clock, logger: Logger, url: string): Promise<void> {
    const { signal } = this.#stopping;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const get = createGet(url, signal);
      const facts = await Promise.any(clouds.map((ask) => ask(get))).catch(() => undefined);
      if (facts !== undefined) {
        const known = names.filter((name) => facts[name] !== '');
        this.labels = new Map(known.map((name) => [`__meta_cloud_${name}`, facts[name]]));
        return;
      }
      if (signal.aborted) return;
      if (attempt === 0) logger.warn('no cloud tells about this instance', { url });
      await sleep(clock, instanceRetryMillis, signal).catch(() => undefined);
    }
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const found = parseJsonText(text, 'cannot read the answer of the cloud');
  return mapAt({ found }, 'found');
}

function createGet(base: string, signal: AbortSignal): Get {
  return (path, headers, method) =>
    new Promise((resolve, reject) => {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(instanceMillisMax)]);
      const options = { method: method ?? 'GET', headers, agent: false, signal: deadline };
      const sent = request(new URL(path, base), options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('error', reject);
        answer.on('data', (part: string) => {
          text += part;
          if (text.length > instanceAnswerBytesMax) answer.destroy(new Error('too large'));
        });
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(text);
          else reject(new AppError('unavailable', `cannot get ${path}: ${answer.statusCode}`));
        });
      });
      sent.on('error', reject);
      sent.end();
    });
}
