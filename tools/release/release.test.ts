// Tests that the files of a release have the version of package.json.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { root } from '../setup.mjs';
import { makeChart } from './chart.ts';
import { readManifest, run } from './context.ts';
import { releaseNotes } from './notes.ts';
import { packagedUnit } from './os-packages.ts';

const { version } = readManifest();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the chart and the manifests are of this version', () => {
  const chart = parse(read('deploy/helm/parca/Chart.yaml'));
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  const { images } = parse(read('deploy/kustomization.yaml'));
  assert.deepEqual(images, [
    { name: 'parca-ts', newName: 'parca-ts', newTag: version },
    { name: 'parca-ts-agent', newName: 'parca-ts-agent', newTag: version },
  ]);
});

test('CHANGELOG.md has notes of this version, and of no other one', () => {
  assert.match(releaseNotes(version), new RegExp(`^## ${version}[^]*- FEATURE: `));
  assert.throws(() => releaseNotes('9.9.9'), /CHANGELOG\.md has no section 9\.9\.9/);
});

test('units of packages run what they install, and differ in nothing else', () => {
  for (const unit of ['parca', 'parca-agent']) {
    const before = read(`deploy/${unit}.service`).split('\n');
    const after = packagedUnit(unit, 'parca-ts').split('\n');
    const lines = after.filter((line) => !before.includes(line));
    const [about, ...rest] = lines;
    assert.equal(about, `# Of the package parca-ts; change it by: systemctl edit ${unit}`);
    const cache = [`CacheDirectory=${unit}`, `Environment=NODE_COMPILE_CACHE=/var/cache/${unit}`];
    assert.deepEqual(rest.slice(0, 2), cache);
    assert.match(rest[2], new RegExp(`^ExecStart=/usr/bin/${unit} --`));
    assert.equal(rest.length, 3);
  }
});

test('the chart has files only, those of deploy/ included', async (t) => {
  const output = mkdtempSync(join(tmpdir(), 'parca-chart-'));
  t.after(() => rmSync(output, { recursive: true }));
  const path = await makeChart({ output, version, work: join(output, 'work'), epoch: 1_000 });
  assert.doesNotMatch(run('tar', ['-tvzf', path]), /^l|->/m);
  for (const name of ['alerts.yaml', 'agent-alerts.yaml']) {
    const text = run('tar', ['-xOzf', path, `parca/${name}`]);
    assert.equal(text, read(`deploy/${name}`));
  }
});
