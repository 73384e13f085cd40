// Tests a config that uses every way to find targets, with the keys that Prometheus documents.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseConfig } from './parse.ts';
import { discoveryKinds } from '../../discovery/registry.ts';

test('every kind of discovery, with all of its keys', () => {
  const file = new URL('testdata/all-kinds.good.yml', import.meta.url);
  const [{ discovery, http, intervalMillis }] = parseConfig(
    readFileSync(file, 'utf8'),
    '/etc/parca/parca.yaml',
    discoveryKinds,
  ).scrapeConfigs;
  assert.equal(intervalMillis, 15_000);
  assert.equal(http.credentials?.kind, 'oauth2');
  assert.deepEqual(
    discovery.map(({ kind }) => kind),
    [
      'static',
      'file',
      'http',
      'dns',
      'kubernetes',
      'consul',
      'docker',
      'dockerswarm',
      'nomad',
      'ec2',
      'gce',
      'azure',
      'digitalocean',
      'hetzner',
      'hetzner',
      'eureka',
      'openstack',
      'puppetdb',
    ],
  );
});
