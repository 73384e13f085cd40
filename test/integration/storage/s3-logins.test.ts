// Tests keys for a bucket from each source that Amazon documents, with local servers that respond
// as documented; test/interop/bucket-logins.test.ts gets keys from a real STS.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createClock } from '../../../src/base/node/clock.ts';
import { createFiles } from '../../../src/base/node/files.ts';
import { createRandom } from '../../../src/base/node/random.ts';
import type { S3Bucket } from '../../../src/config/bucket-config.ts';
import {
  type Answers,
  type Asked,
  type CloudServer,
  startCloudServer,
} from '../../../src/http-client/fake/cloud-server.ts';
import { loadTestSdk, s3Defaults } from '../../../src/storage/object-store/fake/bucket-defaults.ts';
import { openBucket } from '../../../src/storage/object-store/open/open-bucket.ts';
import { scratchDirectory } from '../../support/server.ts';
import { setVariables } from '../../support/variables.ts';

const emptyList = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';
/** Names of AWS variables in the environment of the tests, which the server would use first. */
const foreign = Object.keys(process.env).filter((name) => name.startsWith('AWS_'));

/** Starts a server for the bucket `bucket` that also gives the other `answers`. */
async function startS3(t: TestContext, answers: Answers): Promise<CloudServer> {
  return startCloudServer(t, { 'GET /bucket/': emptyList, ...answers });
}

/**
 * Returns a function that lists the bucket and returns the key and the token that its request used.
 */
async function openRig(
  t: TestContext,
  server: CloudServer,
  variables: Readonly<Record<string, string>>,
  change: Partial<S3Bucket> = {},
  disk: Readonly<Record<string, string>> = {},
): Promise<() => Promise<string>> {
  const home = await scratchDirectory();
  t.after(() => home.remove());
  await mkdir(join(home.path, '.aws'));
  for (const [path, content] of Object.entries(disk)) {
    await writeFile(join(home.path, path), content);
  }
  const inHome = Object.entries(variables).map(([name, value]) => {
    return [name, value.replace('~', home.path)];
  });
  const none = Object.fromEntries(foreign.map((name) => [name, undefined]));
  setVariables(t, { ...none, HOME: home.path, ...Object.fromEntries(inHome) });
  const bucket: S3Bucket = {
    ...s3Defaults,
    bucket: 'bucket',
    endpoint: new URL(server.url).host,
    region: 'eu-west-1',
    insecure: true,
    lookup: 'path',
    attemptsMax: 1,
    ...change,
  };
  const opened = await openBucket({
    config: { prefix: '', bucket },
    files: createFiles(),
    clock: createClock(),
    random: createRandom(),
    loadSdk: loadTestSdk,
  });
  t.after(() => opened.close());
  return async () => {
    await opened.list('', () => true);
    const { headers } = server.asked.findLast(({ url }) => url.startsWith('/bucket/?')) as Asked;
    const id = /Credential=([^/]+)\/\d+\/eu-west-1\/s3\//.exec(headers.authorization ?? '')?.[1];
    const token = headers['x-amz-security-token'];
    return `${id} ${typeof token === 'string' ? token : ''}`.trim();
  };
}

/** Makes an answer of the metadata service, or of the endpoint in a container. */
function keysAsJson(id: string, seconds = 6 * 3_600): object {
  return {
    Code: 'Success',
    LastUpdated: '2026-01-01T00:00:00Z',
    Type: 'AWS-HMAC',
    AccessKeyId: id,
    SecretAccessKey: 'x',
    Token: `token of ${id}`,
    Expiration: new Date(Date.now() + seconds * 1_000).toISOString(),
  };
}

function keysAsXml(action: string, id: string): string {
  const end = new Date(Date.now() + 3_600_000).toISOString();
  return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
    <Credentials><SessionToken>token of ${id}</SessionToken><SecretAccessKey>x</SecretAccessKey>
    <Expiration>${end}</Expiration><AccessKeyId>${id}</AccessKeyId>
    </Credentials></${action}Result></${action}Response>`;
}

test('keys of the configuration, with their token, win over all others', async (t) => {
  const server = await startS3(t, {});
  const variables = { AWS_ACCESS_KEY_ID: 'ENV', AWS_SECRET_ACCESS_KEY: 'x' };
  const keys = { accessKey: 'CONFIG', secretKey: 'x', sessionToken: 'session' };
  assert.equal(await (await openRig(t, server, variables, keys))(), 'CONFIG session');
  const withToken = { ...variables, AWS_SESSION_TOKEN: 'session of ENV' };
  assert.equal(await (await openRig(t, server, withToken))(), 'ENV session of ENV');
});

test('a profile of the shared file', async (t) => {
  const server = await startS3(t, {});
  const disk = {
    '.aws/credentials':
      '[default]\naws_access_key_id = FILE\naws_secret_access_key = x\n' +
      '[other]\naws_access_key_id=OTHER\naws_secret_access_key=x\naws_session_token=session\n',
  };
  assert.equal(await (await openRig(t, server, {}, {}, disk))(), 'FILE');
  const other = await openRig(t, server, { AWS_PROFILE: 'other' }, {}, disk);
  assert.equal(await other(), 'OTHER session');
});

test('the role of a machine', async (t) => {
  const role = '/latest/meta-data/iam/security-credentials/';
  const isKnown = (asked: Asked): boolean => asked.headers['x-aws-ec2-metadata-token'] === 'imds';
  const server = await startS3(t, {
    'PUT /latest/api/token': 'imds',
    [`GET ${role}`]: (asked) => (isKnown(asked) ? 'parca-role' : 401),
    [`GET ${role}parca-role`]: (asked) => (isKnown(asked) ? keysAsJson('MACHINE') : 401),
  });
  const keyOfList = await openRig(t, server, { AWS_EC2_METADATA_SERVICE_ENDPOINT: server.url });
  assert.equal(await keyOfList(), 'MACHINE token of MACHINE');
  const asked = server.asked.length;
  assert.equal(await keyOfList(), 'MACHINE token of MACHINE');
  assert.equal(server.asked.length, asked + 1, 'keys are used until shortly before their end');
});

test('a web identity, by STS', async (t) => {
  const sts: string[] = [];
  const server = await startS3(t, {
    'POST /': ({ body }) => {
      sts.push(body);
      return keysAsXml('AssumeRoleWithWebIdentity', 'WEB');
    },
  });
  const variables = {
    AWS_WEB_IDENTITY_TOKEN_FILE: '~/token',
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/parca',
    AWS_ROLE_SESSION_NAME: 'pod',
  };
  const change = { stsUrl: `${server.url}/` };
  const keyOfList = await openRig(t, server, variables, change, { token: 'jwt' });
  assert.equal(await keyOfList(), 'WEB token of WEB');
  assert.deepEqual(
    sts.map((body) => Object.fromEntries(new URLSearchParams(body))),
    [
      {
        Action: 'AssumeRoleWithWebIdentity',
        RoleArn: 'arn:aws:iam::1:role/parca',
        RoleSessionName: 'pod',
        Version: '2011-06-15',
        WebIdentityToken: 'jwt',
      },
    ],
  );
});

test('a container of ECS or EKS, with the token of its file', async (t) => {
  const isKnown = (asked: Asked): boolean => asked.headers.authorization === 'pod token';
  const server = await startS3(t, {
    'GET /v1/credentials': (asked) => (isKnown(asked) ? keysAsJson('BOX') : 403),
  });
  const variables = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${server.url}/v1/credentials`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '~/pod',
  };
  const keyOfList = await openRig(t, server, variables, {}, { pod: 'pod token' });
  assert.equal(await keyOfList(), 'BOX token of BOX');
});

test('keys that the server calls expired are renewed at once, and only once', async (t) => {
  let given = 0;
  const expired =
    '<Error><Code>ExpiredToken</Code><Message>The token has expired.</Message></Error>';
  const server = await startS3(t, {
    'GET /v1/credentials': () => keysAsJson(`BOX${(given += 1)}`),
    'GET /bucket/': ({ headers }) => {
      const isFirst = headers.authorization?.includes('BOX1/');
      return isFirst === true ? { status: 400, text: expired } : emptyList;
    },
  });
  const variables = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${server.url}/v1/credentials` };
  const keyOfList = await openRig(t, server, variables);
  assert.equal(await keyOfList(), 'BOX2 token of BOX2');
  assert.equal(given, 2);
});

test('without any keys, the error says what to set', async (t) => {
  const server = await startS3(t, {});
  const keyOfList = await openRig(t, server, { AWS_EC2_METADATA_DISABLED: 'true' });
  await assert.rejects(keyOfList(), {
    code: 'failed-precondition',
    message:
      `cannot list objects in bucket bucket at ${new URL(server.url).host}: ` +
      'Could not load credentials from any providers; check access_key and secret_key, or the role of this machine',
  });
});
