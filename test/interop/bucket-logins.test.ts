// Tests logins to buckets with tokens that expire in the middle of an upload, with the errors of
// each cloud.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createSdkLoader } from '../../cmd/sdk-loader.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { plainBucketHttp } from '../../src/config/bucket-config.ts';
import { startCloudServer } from '../../src/http-client/fake/cloud-server.ts';
import type { Bucket } from '../../src/storage/object-store/bucket.ts';
import {
  makeBytes,
  checkBucket,
  makeObject,
} from '../../src/storage/object-store/fake/bucket-cases.ts';
import { loadTestSdk, s3Defaults } from '../../src/storage/object-store/fake/bucket-defaults.ts';
import { openBucket } from '../../src/storage/object-store/open/open-bucket.ts';
import { openGcsBucket } from '../../src/storage/object-store/sdk/gcs-bucket.ts';
import {
  azuriteAccount,
  makeCertificate,
  startAzurite,
  startFakeGcs,
  startMoto,
} from '../support/bucket-servers.ts';
import { startFront, startTunnel } from '../support/front-server.ts';
import { setVariables } from '../support/variables.ts';

const machine = { files: createFiles(), clock: createClock(), random: createRandom() };
const mebi = 1_048_576;

/**
 * Reads an object that `makeObject` made, in pieces that meet the deadline even on a busy machine.
 */
async function checkContent(bucket: Bucket, bytes: number): Promise<void> {
  const want = makeBytes(bytes);
  for (let at = 0; at < bytes; at += 4 * mebi) {
    const part = await bucket.readRange('large', at, Math.min(4 * mebi, bytes - at));
    assert.deepEqual(part, want.slice(at, at + 4 * mebi));
  }
}

async function storeAndRead(bucket: Bucket, bytes: number): Promise<void> {
  await bucket.put('large', makeObject(bytes));
  await checkContent(bucket, bytes);
  assert.deepEqual(await bucket.list('', () => true), [{ name: 'large', bytes }]);
  await bucket.remove('large');
}

/**
 * Starts moto with an empty bucket, sets the variables of an EKS pod with a role that moto knows,
 * and returns its address.
 */
async function startRole(t: TestContext): Promise<string> {
  const moto = await startMoto();
  t.after(() => moto.remove());
  const made = await fetch(`http://${moto.endpoint}/profiles`, { method: 'PUT' });
  assert.equal(made.status, 200);
  const tokenFile = join(moto.folder, 'token');
  await writeFile(tokenFile, 'a token of the cluster');
  setVariables(t, {
    HOME: '/none',
    AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
    AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/parca',
  });
  return moto.endpoint;
}

test('S3 and STS of moto: a role does what every bucket does', async (t) => {
  const endpoint = await startRole(t);
  const stsUrl = `http://${endpoint}/`;
  const bucket = await openBucket({
    config: {
      prefix: 'p',
      bucket: { ...s3Defaults, bucket: 'profiles', endpoint, stsUrl, insecure: true },
    },
    loadSdk: loadTestSdk,
    ...machine,
  });
  // moto's threads check whether the object exists, and write it later.
  await checkBucket(bucket, false);
  await bucket.close();
});

test('S3: the keys of a role end in the middle of an upload', async (t) => {
  const endpoint = await startRole(t);
  const seen: string[] = [];
  let parts = 0;
  const front = await startFront(t, endpoint, ({ headers, url = '' }) => {
    const key = /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (!seen.includes(key)) seen.push(key);
    if (url.includes('partNumber=')) parts += 1;
    // The server accepts the first keys for two parts.
    if (parts < 3 || key !== seen[0]) return undefined;
    const message = 'The provided token has expired.';
    const text = `<Error><Code>ExpiredToken</Code><Message>${message}</Message></Error>`;
    return { status: 400, headers: { 'content-type': 'application/xml' }, text };
  });
  const bucket = await openBucket({
    config: {
      prefix: '',
      bucket: {
        ...s3Defaults,
        bucket: 'profiles',
        endpoint: front.endpoint,
        stsUrl: `http://${endpoint}/`,
        insecure: true,
        partBytes: mebi / 4,
      },
    },
    loadSdk: loadTestSdk,
    ...machine,
  });
  await storeAndRead(bucket, 1.5 * mebi + 1);
  assert.equal(seen.length, 2, 'keys of the role are asked for again');
  await bucket.close();
});

test("Google: the token of a machine's role ends in the middle of an upload", async (t) => {
  const google = 'http://storage.googleapis.com';
  const gcs = await startFakeGcs(google);
  t.after(() => gcs.remove());
  let given = 0;
  const flavor = { 'metadata-flavor': 'Google' };
  const account = '/computeMetadata/v1/instance/service-accounts/default';
  const metadata = await startCloudServer(t, {
    'GET /computeMetadata/v1/instance': { json: {}, headers: flavor },
    'GET /computeMetadata/v1/project/project-id': { json: {}, headers: flavor },
    [`GET ${account}/token`]: () => {
      given += 1;
      const token = { access_token: `token-${given}`, expires_in: 1, token_type: 'Bearer' };
      return { json: token, headers: { ...flavor, 'content-type': 'application/json' } };
    },
  });
  const used = new Map<string, number>();
  let refused = 0;
  const front = await startFront(t, gcs.endpoint, ({ headers }) => {
    const token = headers.authorization ?? '';
    const count = (used.get(token) ?? 0) + 1;
    used.set(token, count);
    if (/^Bearer token-\d+$/.test(token) && count < 3) return undefined;
    refused += 1;
    return { status: 401, text: '{"error":{"code":401,"message":"Invalid Credentials"}}' };
  });
  // The client sends tokens only to Google's hosts.
  setVariables(t, {
    GCE_METADATA_HOST: new URL(metadata.url).host,
    HTTP_PROXY: `http://${front.endpoint}`,
    NO_PROXY: '127.0.0.1',
  });
  const bucket = await openGcsBucket(
    {
      type: 'GCS',
      bucket: 'profiles',
      serviceAccount: undefined,
      partBytes: mebi / 4,
      attemptsMax: 3,
      http: plainBucketHttp,
    },
    '',
    {
      ...machine,
      loadSdk: createSdkLoader(silentLogger),
      gcsServer: { apiEndpoint: google, useAuthWithCustomEndpoint: true },
    },
  );
  await storeAndRead(bucket, 1.5 * mebi + 1);
  assert.ok(given > 2, `the client asked for ${given} tokens`);
  assert.equal(refused, 0);
  assert.ok(used.size > 2, 'parts of one upload have several tokens');
  await bucket.close();
});

/**
 * Returns an Azure token that Azurite accepts until it expires; Azurite does not check the
 * signature.
 */
function azureToken(seconds: number): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    aud: 'https://storage.azure.com',
    iss: 'https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/',
    nbf: now - 5,
    iat: now - 5,
    exp: now + seconds,
    ver: '1.0',
  };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.${Buffer.from('x').toString('base64url')}`;
}

test("Azure: the token of a machine's identity ends in the middle of an upload", async (t) => {
  const host = `${azuriteAccount}.blob.azurite.example`;
  const azurite = await startAzurite((folder) => makeCertificate(folder, `DNS:${host}`));
  t.after(() => azurite.remove());
  const tunnel = await startTunnel(t, azurite.endpoint);
  let given = 0;
  const metadata = await startCloudServer(t, {
    'GET /metadata/identity/oauth2/token/': () => {
      given += 1;
      const seconds = 8;
      return {
        access_token: azureToken(seconds),
        expires_in: String(seconds),
        expires_on: String(Math.floor(Date.now() / 1000) + seconds),
        resource: 'https://storage.azure.com',
        token_type: 'Bearer',
      };
    },
  });
  setVariables(t, {
    AZURE_POD_IDENTITY_AUTHORITY_HOST: metadata.url,
    HTTPS_PROXY: `http://${tunnel.endpoint}`,
    NO_PROXY: '127.0.0.1',
  });
  const bucket = await openBucket({
    config: {
      prefix: '',
      bucket: {
        type: 'AZURE',
        account: azuriteAccount,
        container: 'profiles',
        endpoint: 'blob.azurite.example',
        login: { kind: 'user-assigned', clientId: '11111111-2222-3333-4444-555555555555' },
        createsContainer: true,
        attemptsMax: 3,
        attemptMillisMax: 0,
        http: {
          ...plainBucketHttp,
          tls: {
            ca: { kind: 'file', path: join(azurite.folder, 'cert.pem') },
            cert: undefined,
            key: undefined,
            serverName: '',
            insecureSkipVerify: false,
            minVersion: undefined,
            maxVersion: undefined,
          },
        },
      },
    },
    loadSdk: createSdkLoader(silentLogger),
    ...machine,
  });
  const length = 17 * mebi;
  const source = makeObject(length);
  let wasSlow = false;
  await bucket.put('large', {
    size: source.size,
    // The first token expires in the middle of the object.
    read: async (into, offset) => {
      if (offset > 8 * mebi && !wasSlow) {
        wasSlow = true;
        await new Promise((resolve) => setTimeout(resolve, 9_000));
      }
      return source.read(into, offset);
    },
  });
  await checkContent(bucket, length);
  assert.ok(given > 1, `the client asked for ${given} tokens`);
  assert.ok(tunnel.hosts.every((name) => name === `${host}:443`));
  await bucket.close();
});
