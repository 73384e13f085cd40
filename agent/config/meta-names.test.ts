import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type RelabelRule, relabelDefaults } from '../../src/model/relabel.ts';
import { instanceLabelNames } from '../process/cloud-instance.ts';
import { schedulerLabels } from '../process/scheduler-labels.ts';
import { metaNames, neverSetNames } from './meta-names.ts';

test('the names are those that are read of processes and containers', () => {
  const readSource = (path: string): string =>
    readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  const literals = readSource('process/process-labels.ts').matchAll(/'(__meta_\w+)'/g);
  const read = new Set([...literals].map(([, name]) => name));
  const cgroups = readSource('process/cgroup.ts');
  const [, runtimes = ''] = /export type ContainerRuntime =([^;]*);/.exec(cgroups) ?? [];
  for (const [, runtime] of runtimes.matchAll(/'(\w+)'/g)) {
    if (runtime !== 'kubernetes') read.add(`__meta_${runtime}_container_id`);
  }
  const ofRuntimes = [
    ['engine', '__meta_docker_container_'],
    ['engine', '__meta_podman_container_'],
    ['storage', '__meta_podman_container_'],
    ['containerd', '__meta_containerd_'],
  ];
  for (const [source, prefix] of ofRuntimes) {
    const names = readSource(`containers/${source}-source.ts`).matchAll(
      /\$\{prefix\}([a-z_]*[a-z])`/g,
    );
    for (const [, name] of names) read.add(prefix + name);
  }
  for (const name of [...schedulerLabels, ...instanceLabelNames]) read.add(name);
  const isLabelOfContainer = /^__meta_\w+_container_label_/;
  const whole = [...read].filter((name) => !isLabelOfContainer.test(name));
  assert.deepEqual(whole.sort(), [...new Set(metaNames)].sort());
});

test('a rule on a name that no process has is named, with the nearest one', () => {
  const rule = (given: Partial<RelabelRule>): RelabelRule => ({ ...relabelDefaults, ...given });
  const rules = [
    rule({ sourceLabels: ['__meta_kubernetes_pod_container_image'], targetLabel: 'image' }),
    rule({ sourceLabels: ['__meta_process_pid', 'comm'], targetLabel: '__meta_made' }),
    rule({ sourceLabels: ['__meta_made'], targetLabel: 'made' }),
    rule({ action: 'labelmap', regex: '__meta_kubernetes_pod_label_(.+)' }),
    rule({ action: 'labelmap', regex: '__meta_process_(.+)' }),
    rule({ sourceLabels: ['__meta_docker_container_label_team'], targetLabel: 'team' }),
    rule({ action: 'labeldrop', regex: '__meta_x' }),
    rule({ action: 'drop', sourceLabels: ['__meta_env_var_A', '__meta_env_var_B'] }),
  ];
  assert.equal(neverSetNames(rules, ['A', 'B'], true).length, 0);
  assert.deepEqual(neverSetNames(rules, ['A'], false), [
    'relabel_configs[0] for image: no process has __meta_kubernetes_pod_container_image, ' +
      'the nearest name is __meta_kubernetes_pod_container_name',
    'relabel_configs[3]: no process has a label like __meta_kubernetes_pod_label_(.+)',
    'relabel_configs[7]: no process has __meta_env_var_B, the nearest name is __meta_env_var_A',
  ]);
});
