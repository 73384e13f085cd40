import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RelabelRule, relabelDefaults } from '../../src/model/relabel.ts';
import { cgroupRules } from './cgroup-rules.ts';
import { defaultRelabelRules } from './default-relabeling.ts';
import { wantedRules } from './wanted-rules.ts';

function rule(given: Partial<RelabelRule>): RelabelRule {
  return { ...relabelDefaults, ...given };
}

const byUnit = rule({ action: 'drop', sourceLabels: ['__meta_systemd_unit'], regex: 'a' });

test('rules of units, containers and namespaces concern a whole control group', () => {
  const lists = { units: ['a'], containers: ['b'], namespaces: ['c'], executables: ['d'] };
  const rules = wantedRules(lists);
  assert.deepEqual(cgroupRules(rules), rules.slice(0, 3));
  assert.deepEqual(cgroupRules(defaultRelabelRules), []);
});

test('rules that read something else of a process concern it alone', () => {
  const check = (before: Partial<RelabelRule>, want: boolean): void =>
    assert.deepEqual(cgroupRules([rule(before), byUnit]), want ? [byUnit] : []);
  check({ sourceLabels: ['__meta_systemd_unit'], targetLabel: 'unit' }, true);
  check({ action: 'drop', sourceLabels: ['comm', '__meta_systemd_unit'] }, true);
  check({ action: 'keep', sourceLabels: ['__meta_nomad_job_name'] }, true);
  check({ action: 'dropequal', sourceLabels: ['comm'], targetLabel: 'job' }, true);
  // These labels can differ between processes of the same control group.
  check({ sourceLabels: ['comm'], targetLabel: '__meta_systemd_unit' }, false);
  check({ action: 'uppercase', sourceLabels: ['a'], targetLabel: '__meta_systemd_unit' }, false);
  check({ sourceLabels: ['comm'], targetLabel: '__meta_systemd_$1' }, false);
  check({ action: 'labelmap', regex: 'comm', replacement: '__meta_systemd_unit' }, false);
  check({ action: 'labeldrop', regex: '__meta_systemd_.*' }, false);
  const without = rule({ action: 'drop', regex: '' });
  assert.deepEqual(cgroupRules([without]), []);
});
