// Tests of `object_storage`: the keys of each provider, as Thanos documents them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectStorageConfig } from '../bucket-config.ts';
import { parseConfig } from './parse.ts';
import { discoveryKinds } from '../../discovery/registry.ts';

function read(text: string): {
  readonly bucket: ObjectStorageConfig['bucket'] | undefined;
  readonly warnings: readonly string[];
} {
  const { objectStorage, warnings } = parseConfig(text, '/etc/parca/x.yml', discoveryKinds);
  return { bucket: objectStorage?.bucket, warnings };
}

function readBucket(type: string, ...lines: string[]): ReturnType<typeof read> {
  const config = lines.map((line) => `      ${line}\n`).join('');
  return read(`object_storage:\n  bucket:\n    type: ${type}\n    config:\n${config}`);
}

const noHttp = {
  tls: undefined,
  idleMillis: undefined,
  answerMillis: undefined,
  connectMillis: undefined,
  connectionsMax: undefined,
};

test("S3 with all keys of Thanos' documentation", () => {
  const { bucket, warnings } = readBucket(
    'S3',
    'bucket: profiles',
    'endpoint: s3.eu-west-1.amazonaws.com',
    'region: eu-west-1',
    'disable_dualstack: false',
    'aws_sdk_auth: false',
    'access_key: id',
    'insecure: false',
    'signature_version2: false',
    'secret_key: hidden',
    'session_token: ""',
    'put_user_metadata: {X-Amz-Storage-Class: STANDARD_IA, Team: a b}',
    'http_config:',
    '  idle_conn_timeout: 1m30s',
    '  response_header_timeout: 2m',
    '  insecure_skip_verify: true',
    '  tls_handshake_timeout: 10s',
    '  expect_continue_timeout: 1s',
    '  max_idle_conns: 100',
    '  max_idle_conns_per_host: 100',
    '  max_conns_per_host: 0',
    '  tls_config: {server_name: "", insecure_skip_verify: false}',
    '  disable_compression: false',
    'trace: {enable: true}',
    'list_objects_version: v1',
    'bucket_lookup_type: path',
    'send_content_md5: true',
    'disable_multipart: true',
    'part_size: 67108864',
    'sse_config: {type: SSE-KMS, kms_key_id: key, kms_encryption_context: {a: b}, encryption_key: ""}',
    'sts_endpoint: https://sts.example.com',
    'max_retries: 7',
  );
  assert.deepEqual(bucket, {
    type: 'S3',
    bucket: 'profiles',
    endpoint: 's3.eu-west-1.amazonaws.com',
    region: 'eu-west-1',
    accessKey: 'id',
    secretKey: 'hidden',
    sessionToken: '',
    stsUrl: 'https://sts.example.com',
    insecure: false,
    lookup: 'path',
    encryption: { kind: 'SSE-KMS', keyId: 'key', context: new Map([['a', 'b']]) },
    partBytes: 67_108_864,
    hasParts: false,
    listVersion: 'v1',
    objectHeaders: new Map([
      ['x-amz-storage-class', 'STANDARD_IA'],
      ['x-amz-meta-team', 'a b'],
    ]),
    sendsMd5: true,
    attemptsMax: 7,
    http: {
      tls: {
        ca: undefined,
        cert: undefined,
        key: undefined,
        serverName: '',
        insecureSkipVerify: true,
        minVersion: undefined,
        maxVersion: undefined,
      },
      idleMillis: 90_000,
      answerMillis: 120_000,
      connectMillis: 10_000,
      connectionsMax: undefined,
    },
  });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /trace: requests are not traced/);
});

test('S3: a key file of SSE-C is relative to the config', () => {
  const { bucket } = readBucket(
    'S3',
    'bucket: profiles',
    'endpoint: s3.example.com',
    'sse_config: {type: SSE-C, encryption_key: keys/one}',
  );
  assert.ok(bucket?.type === 'S3');
  assert.deepEqual(bucket.encryption, { kind: 'SSE-C', keyFile: '/etc/parca/keys/one' });
});

test("GCS with all keys of Thanos' documentation", () => {
  const { bucket, warnings } = readBucket(
    'GCS',
    'bucket: profiles',
    'service_account: |-',
    '  {"type": "service_account", "private_key": "x"}',
    'use_grpc: true',
    'grpc_conn_pool_size: 4',
    'http_config: {idle_conn_timeout: 0s, response_header_timeout: 0s, max_idle_conns: 0}',
    'chunk_size_bytes: 1048576',
    'max_retries: 2',
  );
  assert.deepEqual(bucket, {
    type: 'GCS',
    bucket: 'profiles',
    serviceAccount: {
      kind: 'inline',
      text: '{"type": "service_account", "private_key": "x"}',
    },
    partBytes: 1_048_576,
    attemptsMax: 2,
    http: noHttp,
  });
  assert.match(warnings.join('\n'), /use_grpc has no effect/);
  assert.deepEqual(readBucket('gcs', 'bucket: profiles', 'service_account: ""').bucket, {
    type: 'GCS',
    bucket: 'profiles',
    serviceAccount: undefined,
    partBytes: 0,
    attemptsMax: 0,
    http: noHttp,
  });
});

test("AZURE with each login of Thanos' documentation", () => {
  const check = (lines: readonly string[], login: object): void => {
    const { bucket } = readBucket(
      'AZURE',
      'storage_account: acc1',
      'container: profiles',
      ...lines,
    );
    assert.deepEqual(bucket, {
      type: 'AZURE',
      account: 'acc1',
      container: 'profiles',
      endpoint: 'blob.core.windows.net',
      login,
      createsContainer: true,
      attemptsMax: 0,
      attemptMillisMax: 0,
      http: noHttp,
    });
  };
  check([], { kind: 'default' });
  check(['storage_account_key: a2V5'], { kind: 'key', key: 'a2V5' });
  check(['storage_connection_string: a=b;c=d'], { kind: 'connection-string', text: 'a=b;c=d' });
  check(['user_assigned_id: uuid'], { kind: 'user-assigned', clientId: 'uuid' });
  check(['az_tenant_id: t', 'client_id: c', 'client_secret: s'], {
    kind: 'secret',
    tenantId: 't',
    clientId: 'c',
    secret: 's',
  });
});

test("AZURE with the other keys of Thanos' documentation", () => {
  const { bucket, warnings } = readBucket(
    'AZURE',
    'storage_account: acc1',
    'storage_account_key: a2V5',
    'storage_connection_string: ""',
    'storage_create_container: false',
    'container: profiles',
    'endpoint: blob.core.chinacloudapi.cn',
    'user_assigned_id: ""',
    'max_retries: 3',
    'reader_config: {max_retry_requests: 2}',
    'pipeline_config: {max_tries: 5, try_timeout: 20s, retry_delay: 1s, max_retry_delay: 1m}',
    'http_config: {max_conns_per_host: 5}',
    'msi_resource: https://storage.azure.com',
  );
  assert.deepEqual(bucket, {
    type: 'AZURE',
    account: 'acc1',
    container: 'profiles',
    endpoint: 'blob.core.chinacloudapi.cn',
    login: { kind: 'key', key: 'a2V5' },
    createsContainer: false,
    attemptsMax: 5,
    attemptMillisMax: 20_000,
    http: { ...noHttp, connectionsMax: 5 },
  });
  assert.match(warnings.join('\n'), /msi_resource has no effect/);
});

test('what cannot work is refused with its place', () => {
  const check = (type: string, lines: readonly string[], message: RegExp): void => {
    assert.throws(() => readBucket(type, ...lines), { message });
  };
  const s3 = ['bucket: profiles', 'endpoint: s3.example.com'];
  check(
    'S3',
    [...s3, 'signature_version2: true'],
    /signature_version2: expected false: .*version 4/,
  );
  check('S3', [...s3, 'sse_config: {type: SSE-X}'], /expected one of SSE-S3, SSE-KMS, SSE-C/);
  check('S3', [...s3, 'sse_config: {type: SSE-C}'], /SSE-C needs encryption_key/);
  check('S3', [...s3, 'sse_config: {type: SSE-KMS}'], /SSE-KMS needs kms_key_id/);
  check('S3', [...s3, 'part_size: 1000'], /whole number from 5242880/);
  check('S3', [...s3, 'put_user_metadata: {a b: c}'], /"a b" is not the name of a header/);
  check('S3', [...s3, 'list_objects_version: v3'], /expected one of , v1, v2|v1, v2/);
  check('GCS', ['max_retries: 1'], /bucket is missing/);
  check('GCS', ['bucket: a', 'service_account: "{secret"'], /it is not JSON at position/);
  check('GCS', ['bucket: a', 'service_account: "[]"'], /which has a "type"/);
  check('GCS', ['bucket: a', 'http_config: {insecure_skip_verify: true}'], /NODE_EXTRA_CA_CERTS/);
  check('GCS', ['bucket: a', 'no_auth: true'], /no_auth: unknown key/);
  const azure = ['storage_account: acc1', 'container: profiles'];
  check('AZURE', ['storage_account: acc1'], /container is missing/);
  check('AZURE', ['storage_account: A-1', 'container: profiles'], /storage account "A-1": Azure/);
  check('AZURE', ['storage_account: acc1', 'container: x--y'], /container "x--y": Azure/);
  check('AZURE', [...azure, 'client_id: a'], /expected all of az_tenant_id, client_id/);
  check(
    'AZURE',
    [...azure, 'storage_account_key: a', 'storage_connection_string: b'],
    /only one of storage_account_key and storage_connection_string/,
  );
  check(
    'AZURE',
    [...azure, 'user_assigned_id: a', 'storage_account_key: b'],
    /only one of user_assigned_id and storage_account_key/,
  );
});

test('secrets of buckets are not shown', () => {
  const { shown } = parseConfig(
    `object_storage:
  bucket:
    type: AZURE
    config: {storage_account: acc1, container: profiles, storage_account_key: aGlkZGVu}
`,
    'x.yml',
    discoveryKinds,
  );
  assert.doesNotMatch(shown[0].yaml, /aGlkZGVu/);
});
