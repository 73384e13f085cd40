// Tests that config files are shown without secrets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from './parse.ts';
import { discoveryKinds } from '../../discovery/registry.ts';

function shown(text: string, environment?: Readonly<Record<string, string>>): string {
  return parseConfig(text, 'parca.yaml', discoveryKinds, environment).shown[0].yaml;
}

test('secrets are masked wherever they stand, and comments are left out', () => {
  const yaml = shown(
    `# the old password was hunter1
object_storage:
  bucket:
    type: S3
    config: {bucket: blocks, endpoint: s3.example.com, access_key: AKIA1, secret_key: "hunter2"}
scrape_configs:
  - job_name: api # token hunter3
    basic_auth: {username: me, password: hunter4}
    proxy_url: http://me:hunter5@proxy.example.com
    params: {match: ['a b']}
    static_configs: [{targets: ['10.0.0.1:6060']}]
  - job_name: web
    oauth2:
      client_id: id
      client_secret: |
        hunter6
        hunter7
      token_url: https://example.com/token?key=hunter8
      endpoint_params: {api_key: hunter9, audience: hunter13}
    http_sd_configs: [{url: 'http://example.com/sd?token=hunter14', authorization: {credentials: hunter10}}]
  - job_name: \${JOB}
    <<: {bearer_token: hunter11}
    bearer_token: \${TOKEN}
`,
    { JOB: 'db', TOKEN: 'hunter12' },
  );
  assert.doesNotMatch(yaml, /hunter|AKIA/);
  assert.equal(
    yaml,
    `object_storage:
  bucket:
    type: S3
    config: { bucket: blocks, endpoint: s3.example.com, access_key: <secret>, secret_key: <secret> }
scrape_configs:
  - job_name: api
    basic_auth: { username: <secret>, password: <secret> }
    proxy_url: <secret>
    params: { match: [ 'a b' ] }
    static_configs: [ { targets: [ '10.0.0.1:6060' ] } ]
  - job_name: web
    oauth2:
      client_id: id
      client_secret: <secret>
      token_url: https://example.com/token?<secret>
      endpoint_params: { api_key: <secret>, audience: <secret> }
    http_sd_configs: [ { url: 'http://example.com/sd?<secret>', authorization: { credentials: <secret> } } ]
  - job_name: db
    <<: { bearer_token: <secret> }
    bearer_token: <secret>
`,
  );
});

test('an empty file is shown empty', () => {
  assert.equal(shown('# nothing\n'), '');
});
