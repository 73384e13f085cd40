// Tests of relabeling with the rules of a config file in testdata, as Prometheus documents them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { md5 } from '../../base/node/md5.ts';
import { createRelabeling } from '../../model/relabel.ts';
import { parseConfig } from './parse.ts';
import { discoveryKinds } from '../../discovery/registry.ts';

interface Case {
  readonly name: string;
  readonly rules: readonly object[];
  readonly labels: Readonly<Record<string, string>>;
  readonly want?: Readonly<Record<string, string>>;
  readonly dropped?: boolean;
}

const file = new URL('testdata/relabel-cases.yaml', import.meta.url);

test('cases of relabeling', () => {
  const cases = parse(readFileSync(file, 'utf8')) as readonly Case[];
  assert.ok(cases.length > 20);
  for (const { name, rules, labels, want, dropped = false } of cases) {
    const job = { job_name: 'j', relabel_configs: rules };
    const [{ relabelRules }] = parseConfig(
      JSON.stringify({ scrape_configs: [job] }),
      name,
      discoveryKinds,
    ).scrapeConfigs;
    const changed = new Map(Object.entries(labels));
    const rule = createRelabeling(relabelRules, md5)(changed);
    assert.equal(rule !== undefined, dropped, name);
    if (!dropped) assert.deepEqual(Object.fromEntries(changed), want, name);
  }
});
