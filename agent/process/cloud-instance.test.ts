import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { CloudInstance } from './cloud-instance.ts';

/** Starts a metadata service with scripted responses by method and path. */
async function readInstance(answer: (request: IncomingMessage) => string | undefined) {
  const server = createServer((request, response) => {
    const text = answer(request);
    response.statusCode = text === undefined ? 404 : 200;
    response.end(text ?? 'not found');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const instance = new CloudInstance(createFakeClock(), silentLogger, `http://127.0.0.1:${port}`);
  const labels = async (): Promise<Record<string, string>> => {
    while (instance.labels.size === 0) await new Promise((resolve) => setImmediate(resolve));
    return Object.fromEntries(instance.labels);
  };
  return { instance, labels, close: () => server.close() };
}

async function check(
  answer: (request: IncomingMessage) => string | undefined,
  want: Readonly<Record<string, string>>,
): Promise<void> {
  const { instance, labels, close } = await readInstance(answer);
  assert.deepEqual(await labels(), want);
  await instance.stop();
  close();
}

test('AWS answers with a token only', async () => {
  const document = {
    instanceId: 'i-0123456789abcdef0',
    instanceType: 'm7i.large',
    region: 'eu-central-1',
    availabilityZone: 'eu-central-1b',
    accountId: '123456789012',
  };
  await check(
    ({ method, url, headers }) => {
      if (url === '/latest/api/token') {
        const isRight =
          method === 'PUT' && headers['x-aws-ec2-metadata-token-ttl-seconds'] === '60';
        return isRight ? 'secret' : undefined;
      }
      if (url !== '/latest/dynamic/instance-identity/document') return undefined;
      return headers['x-aws-ec2-metadata-token'] === 'secret'
        ? JSON.stringify(document)
        : undefined;
    },
    {
      __meta_cloud_provider: 'aws',
      __meta_cloud_instance_id: 'i-0123456789abcdef0',
      __meta_cloud_instance_type: 'm7i.large',
      __meta_cloud_region: 'eu-central-1',
      __meta_cloud_zone: 'eu-central-1b',
      __meta_cloud_account_id: '123456789012',
    },
  );
});

test('Google Cloud: the number of an instance is exact', async () => {
  const answers: Readonly<Record<string, string>> = {
    'instance/id': '3456789012345678901',
    'instance/zone': 'projects/42/zones/europe-west3-a',
    'instance/machine-type': 'projects/42/machineTypes/n2-standard-2',
    'project/project-id': 'shop-prod',
  };
  await check(
    ({ url = '', headers }) =>
      headers['metadata-flavor'] === 'Google'
        ? answers[url.replace('/computeMetadata/v1/', '')]
        : undefined,
    {
      __meta_cloud_provider: 'gcp',
      __meta_cloud_instance_id: '3456789012345678901',
      __meta_cloud_instance_type: 'n2-standard-2',
      __meta_cloud_region: 'europe-west3',
      __meta_cloud_zone: 'europe-west3-a',
      __meta_cloud_account_id: 'shop-prod',
    },
  );
});

test('Azure: an instance without a zone has no label of it', async () => {
  const compute = {
    vmId: 'v1',
    vmSize: 'D2s',
    location: 'westeurope',
    subscriptionId: 's',
    zone: '',
  };
  await check(
    ({ url, headers }) =>
      url === '/metadata/instance/compute?api-version=2021-02-01' && headers['metadata'] === 'true'
        ? JSON.stringify(compute)
        : undefined,
    {
      __meta_cloud_provider: 'azure',
      __meta_cloud_instance_id: 'v1',
      __meta_cloud_instance_type: 'D2s',
      __meta_cloud_region: 'westeurope',
      __meta_cloud_account_id: 's',
    },
  );
});

test('outside a cloud there are no labels, and the stop does not wait', async () => {
  let asked = 0;
  const { instance, close } = await readInstance(() => {
    asked += 1;
    return undefined;
  });
  while (asked < 3) await new Promise((resolve) => setImmediate(resolve));
  await instance.stop();
  assert.equal(instance.labels.size, 0);
  close();
});
