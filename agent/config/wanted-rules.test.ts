import assert from 'node:assert/strict';
import { test } from 'node:test';
import { md5 } from '../../src/base/node/md5.ts';
import { createRelabeling } from '../../src/model/relabel.ts';
import { type Wanted, wantedRules } from './wanted-rules.ts';

function isKept(wanted: Partial<Wanted>, labels: Readonly<Record<string, string>>): boolean {
  const all = { units: [], containers: [], namespaces: [], executables: [], ...wanted };
  return createRelabeling(wantedRules(all), md5)(new Map(Object.entries(labels))) === undefined;
}

test('only what flags name is kept, whole names and with any part', () => {
  const unit = (name: string): Record<string, string> => ({ __meta_systemd_unit: name });
  const check = (units: readonly string[], name: string, want: boolean): void =>
    assert.equal(isKept({ units }, unit(name)), want, `${units.join()} ${name}`);
  assert.ok(isKept({}, {}));
  check(['ssh.service'], 'ssh.service', true);
  check(['ssh.service'], 'sshxservice', false);
  check(['ssh.service'], 'my-ssh.service', false);
  check(['ssh.service', 'web@*.service'], 'web@7.service', true);
  check(['*'], '', true);
  check(['größe (1)'], 'größe (1)', true);
  const user = { __meta_systemd_unit: 'user@1000.service', __meta_systemd_user_unit: 'a.service' };
  assert.ok(isKept({ units: ['a.service'] }, user));
  assert.ok(isKept({ units: ['user@*.service'] }, user));
});

test('a process must have a name of each list', () => {
  const process = {
    __meta_docker_container_name: 'web',
    __meta_process_executable_name: 'nginx',
  };
  assert.ok(isKept({ containers: ['web', 'db'] }, process));
  assert.ok(isKept({ containers: ['web'], executables: ['nginx'] }, process));
  assert.ok(!isKept({ containers: ['web'], executables: ['node'] }, process));
  assert.ok(!isKept({ namespaces: ['shop'] }, process));
});
