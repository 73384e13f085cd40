// Keys of a bucket from each source that Amazon documents, with local servers in the form of its
// documentation; test/interop/object-store.test.ts has keys of a real STS.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createFakeClock } from '../../../base/fake/clock.ts';
import { MemoryFiles } from '../../../base/fake/memory-files.ts';
import { seededRandom } from '../../../base/random.ts';
import type { S3Bucket } from '../../../config/bucket-config.ts';
import {
  type Answers,
  type Asked,
  type CloudServer,
  startCloudServer,
} from '../../../http-client/fake/cloud-server.ts';
import { noSdk, s3Defaults } from '../fake/bucket-defaults.ts';
import { openBucket } from '../open/open-bucket.ts';

const emptyList = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';
const startMillis = Date.parse('2026-01-01T00:00:00Z');

/** A server that is the bucket `bucket`, and whatever else the answers say. */
async function startS3(t: TestContext, answers: Answers): Promise<CloudServer> {
  return startCloudServer(t, { 'GET /bucket': emptyList, ...answers });
}

interface Rig {
  /** Lists the bucket, and returns the key and the token that the request was signed with. */
  readonly keyOfList: () => Promise<string>;
  readonly clock: ReturnType<typeof createFakeClock>;
}

async function openRig(
  server: CloudServer,
  environment: Readonly<Record<string, string>>,
  change: Partial<S3Bucket> = {},
  disk: Readonly<Record<string, string>> = {},
): Promise<Rig> {
  const clock = createFakeClock(startMillis);
  const files = new MemoryFiles(seededRandom(1));
  for (const [path, content] of Object.entries(disk)) {
    const file = await files.open(path, { create: true });
    await file.append(new TextEncoder().encode(content));
    await file.close();
  }
  const bucket: S3Bucket = {
    ...s3Defaults,
    bucket: 'bucket',
    endpoint: new URL(server.url).host,
    region: 'eu-west-1',
    insecure: true,
    lookup: 'path',
    ...change,
  };
  const opened = await openBucket({
    config: { prefix: '', bucket },
    files,
    clock,
    random: seededRandom(1),
    environment: { HOME: '/home', ...environment },
    loadSdk: noSdk,
  });
  const keyOfList = async (): Promise<string> => {
    await opened.list('', () => true);
    const { headers } = server.asked.findLast(({ url }) => url.startsWith('/bucket?')) as Asked;
    const id = /Credential=([^/]+)\/\d+\/eu-west-1\/s3\//.exec(headers.authorization ?? '')?.[1];
    const token = headers['x-amz-security-token'];
    return `${id} ${typeof token === 'string' ? token : ''}`.trim();
  };
  return { keyOfList, clock };
}

/** An answer of the metadata service and of a container: keys for six hours. */
function keysAsJson(id: string, clockMillis: number): object {
  return {
    Code: 'Success',
    LastUpdated: '2026-01-01T00:00:00Z',
    Type: 'AWS-HMAC',
    AccessKeyId: id,
    SecretAccessKey: 'x',
    Token: `token of ${id}`,
    Expiration: new Date(clockMillis + 6 * 3_600_000).toISOString(),
  };
}

function keysAsXml(action: string, id: string, endMillis: number): string {
  return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
    <Credentials><SessionToken>token of ${id}</SessionToken><SecretAccessKey>x</SecretAccessKey>
    <Expiration>${new Date(endMillis).toISOString()}</Expiration><AccessKeyId>${id}</AccessKeyId>
    </Credentials></${action}Result></${action}Response>`;
}

test('keys of the configuration, with their token, win over all others', async (t) => {
  const server = await startS3(t, {});
  const environment = { AWS_ACCESS_KEY_ID: 'ENV', AWS_SECRET_ACCESS_KEY: 'x' };
  const keys = { accessKey: 'CONFIG', secretKey: 'x', sessionToken: 'session' };
  assert.equal(await (await openRig(server, environment, keys)).keyOfList(), 'CONFIG session');
  const withToken = { ...environment, AWS_SESSION_TOKEN: 'session of ENV' };
  assert.equal(await (await openRig(server, withToken)).keyOfList(), 'ENV session of ENV');
});

test('a profile of the shared file', async (t) => {
  const server = await startS3(t, {});
  const disk = {
    '/home/.aws/credentials':
      '[default]\naws_access_key_id = FILE\naws_secret_access_key = x\n' +
      '[other]\naws_access_key_id=OTHER\naws_secret_access_key=x\naws_session_token=session\n',
  };
  assert.equal(await (await openRig(server, {}, {}, disk)).keyOfList(), 'FILE');
  const other = await openRig(server, { AWS_PROFILE: 'other' }, {}, disk);
  assert.equal(await other.keyOfList(), 'OTHER session');
});

test('the role of a machine, whose keys are renewed before they end', async (t) => {
  let id = 'MACHINE1';
  let nowMillis = startMillis;
  const role = '/latest/meta-data/iam/security-credentials/';
  const isKnown = (asked: Asked): boolean => asked.headers['x-aws-ec2-metadata-token'] === 'imds';
  const server = await startS3(t, {
    'PUT /latest/api/token': 'imds',
    [`GET ${role}`]: (asked) => (isKnown(asked) ? 'parca-role\n' : 401),
    [`GET ${role}parca-role`]: (asked) => (isKnown(asked) ? keysAsJson(id, nowMillis) : 401),
  });
  const rig = await openRig(server, { AWS_EC2_METADATA_SERVICE_ENDPOINT: server.url });
  assert.equal(await rig.keyOfList(), 'MACHINE1 token of MACHINE1');
  id = 'MACHINE2';
  await rig.clock.advance(5 * 3_600_000);
  assert.equal(await rig.keyOfList(), 'MACHINE1 token of MACHINE1');
  nowMillis = startMillis + 6 * 3_600_000;
  await rig.clock.advance(3_600_000 - 30_000);
  assert.equal(await rig.keyOfList(), 'MACHINE2 token of MACHINE2');
});

test('a web identity, by STS; its file is read again for each renewal', async (t) => {
  let endMillis = startMillis + 3_600_000;
  const sts: string[] = [];
  const answers: Answers = {
    'POST /': ({ body }) => {
      sts.push(body);
      return keysAsXml('AssumeRoleWithWebIdentity', `WEB${sts.length}`, endMillis);
    },
  };
  const server = await startS3(t, answers);
  const environment = {
    AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/token',
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/parca',
    AWS_ROLE_SESSION_NAME: 'pod',
  };
  const disk = { '/var/run/token': 'jwt\n' };
  const rig = await openRig(server, environment, { stsUrl: `${server.url}/` }, disk);
  assert.equal(await rig.keyOfList(), 'WEB1 token of WEB1');
  assert.equal(
    sts[0],
    'Action=AssumeRoleWithWebIdentity&DurationSeconds=3600&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole' +
      '%2Fparca&RoleSessionName=pod&Version=2011-06-15&WebIdentityToken=jwt',
  );
  endMillis += 3_600_000;
  await rig.clock.advance(3_550_000);
  assert.equal(await rig.keyOfList(), 'WEB2 token of WEB2');
});

test('a container of ECS or EKS, with the token of its file', async (t) => {
  const isKnown = (asked: Asked): boolean => asked.headers.authorization === 'pod token';
  const server = await startS3(t, {
    'GET /v1/credentials': (asked) => (isKnown(asked) ? keysAsJson('BOX', startMillis) : 403),
  });
  const environment = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${server.url}/v1/credentials`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/var/run/pod',
  };
  const rig = await openRig(server, environment, {}, { '/var/run/pod': 'pod token\n' });
  assert.equal(await rig.keyOfList(), 'BOX token of BOX');
});

test('keys that the server calls expired are renewed at once, and only once', async (t) => {
  let given = 0;
  const expired =
    '<Error><Code>ExpiredToken</Code><Message>The token has expired.</Message></Error>';
  const server = await startS3(t, {
    'GET /v1/credentials': () => keysAsJson(`BOX${(given += 1)}`, startMillis),
    'GET /bucket': ({ headers }) => {
      const isFirst = headers.authorization?.includes('BOX1/');
      return isFirst === true ? { status: 400, text: expired } : emptyList;
    },
  });
  const environment = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${server.url}/v1/credentials` };
  const rig = await openRig(server, environment);
  assert.equal(await rig.keyOfList(), 'BOX2 token of BOX2');
  assert.equal(given, 2);
});

test('without any keys, the error says what to set', async (t) => {
  const server = await startS3(t, {});
  const rig = await openRig(server, { AWS_EC2_METADATA_DISABLED: 'true' });
  await assert.rejects(rig.keyOfList(), {
    code: 'failed-precondition',
    message:
      `cannot list objects in bucket bucket at ${new URL(server.url).host}: cannot log in to AWS: ` +
      'no credentials are given, and AWS_EC2_METADATA_DISABLED is set; ' +
      'set access_key and secret_key, or give this machine a role',
  });
  const noRole = await startS3(t, { 'PUT /latest/api/token': 'imds' });
  const machine = await openRig(noRole, { AWS_EC2_METADATA_SERVICE_ENDPOINT: noRole.url });
  await assert.rejects(machine.keyOfList(), /does not say it: .*status 404; set access_key/);
});
