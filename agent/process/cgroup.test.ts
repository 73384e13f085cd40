import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  containerdPaths,
  findContainer,
  mainCgroupPath,
  parseCgroup,
  systemdUnit,
} from './cgroup.ts';

const id = '0123456789abcdef'.repeat(4);

test('the main path follows the rules in order', () => {
  const check = (text: string, want: string): void =>
    assert.equal(mainCgroupPath(parseCgroup(text)), want, text);
  check('', '');
  check('0::/a/b:c\n', '/a/b:c');
  check('3:cpuset:/x\n2:cpu,cpuacct:/y\n1:name=systemd:/system.slice/z.service\n', '/y');
  check('3:cpuset:/x\n1:name=systemd:/system.slice/z.service\n', '/system.slice/z.service');
  check('3:cpuset:/x\n1:name=systemd:/init.scope\n', '/init.scope');
  check('3:cpuset:/x\nnonsense\n0::/\n', '/x');
});

test('units of both hierarchies, of users, and of containers', () => {
  const check = (text: string, unit: string, slice: string, userUnit = ''): void =>
    assert.deepEqual(systemdUnit(parseCgroup(text)), { unit, slice, userUnit }, text);
  check('0::/system.slice/ssh.service\n', 'ssh.service', 'system.slice');
  check(
    '0::/system.slice/system-getty.slice/getty@tty1.service\n',
    'getty@tty1.service',
    'system-getty.slice',
  );
  check(
    '9:name=systemd:/system.slice/cron.service\n8:cpu:/\n0::/\n',
    'cron.service',
    'system.slice',
  );
  check(
    '9:name=systemd:/\n8:cpu:/\n0::/system.slice/cron.service\n',
    'cron.service',
    'system.slice',
  );
  check('0::/system.slice/a.service/payload/b.scope\n', 'a.service', 'system.slice');
  check('0::/user.slice/user-1000.slice/session-3.scope\n', 'session-3.scope', 'user-1000.slice');
  check(
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/dbus.service\n',
    'user@1000.service',
    'user-1000.slice',
    'dbus.service',
  );
  check('0::/init.scope\n', 'init.scope', '');
  check(`0::/system.slice/docker-${id}.scope\n`, '', 'system.slice');
  check('9:name=systemd:/\n0::/\n', '', '');
});

test('containers of every runtime', () => {
  const uid = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
  const check = (path: string, runtime: string, want = id, podUid = ''): void =>
    assert.deepEqual(
      findContainer(parseCgroup(`0::${path}\n`)),
      { runtime, id: want, podUid },
      path,
    );
  check(`/kubepods/burstable/pod${uid}/${id}`, 'kubernetes', id, uid);
  check(`/kubepods/pod${uid}/${id}/child`, 'kubernetes', id, uid);
  const other = 'fedcba9876543210'.repeat(4);
  const underscored = uid.replaceAll('-', '_');
  const slice = `kubepods-besteffort-pod${underscored}.slice`;
  const slices = `/kubepods.slice/kubepods-besteffort.slice/${slice}`;
  check(`${slices}/cri-containerd-${id}.scope`, 'kubernetes', id, uid);
  check(`${slices}/crio-${id}.scope`, 'kubernetes', id, uid);
  check(`${slices}/docker-${id}.scope`, 'kubernetes', id, uid);
  check(`/system.slice/containerd.service/${slice}:cri-containerd:${id}`, 'kubernetes', id, uid);
  check(`/docker/${id}`, 'docker');
  check(`/system.slice/docker-${id}.scope`, 'docker');
  check(
    '/docker/buildkit/n8yu1dlbcyrpgjxz0vq5ovqcq',
    'docker_build_kit',
    'n8yu1dlbcyrpgjxz0vq5ovqcq',
  );
  check(`/machine.slice/libpod-${id}.scope/container`, 'podman');
  check('/lxc.payload.web1/system.slice/x.service', 'lxc', 'web1');
  check('/lxc/web1', 'lxc', 'web1');
  check(`/default/${id}`, 'containerd');
  check(`/system.slice/containerd.service/nerdctl-${id}.scope`, 'containerd');
  check(`/kubepods/burstable/pod${uid}/crio-${id}`, 'kubernetes', id, uid);
  const task = '34dc0b5e626f2c5c4c5170e34b10e765';
  check(`/ecs/${task}/${id}`, 'docker');
  check(`/ecs/production/${task}/${id}`, 'docker');
  check(`/ecs/${uid}/${id}/child`, 'docker');
  check(`/ecs/${task}/${task}-1234567890`, 'docker', `${task}-1234567890`);
  check(`/ecs/production/${task}/${task}-1234567890`, 'docker', `${task}-1234567890`);
  check(`/ecstasks.slice/ecstasks-${task}.slice/docker-${id}.scope`, 'docker');
  check(`/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-${id}.scope`, 'podman');
  check(`/libpod_parent/libpod-${id}`, 'podman');
  check(`/machine.slice/crio-${id}.scope`, 'crio');
  check(`/user.slice:crio:${id}`, 'crio');
  check('/lxc.payload/web1/init.scope', 'lxc', 'web1');
  check('/machine.slice/systemd-nspawn@web1.service/payload/init.scope', 'nspawn', 'web1');
  check('/machine.slice/machine-web\\x2d1.scope/system.slice/x.service', 'nspawn', 'web-1');
  check(`/nomad.slice/share.slice/${uid}.web.scope`, 'nomad', uid);
  check(`/nomad.slice/${uid}.web.scope`, 'nomad', uid);
  check(`/nomad/${uid}.web-task/child`, 'nomad', uid);
  // Kind: nodes are Docker containers. Agents in a cgroup namespace see a relative path.
  const kind = `/docker/${other}/kubelet.slice/kubelet-kubepods.slice`;
  check(
    `${kind}/kubelet-kubepods-pod${underscored}.slice/cri-containerd-${id}.scope`,
    'kubernetes',
    id,
    uid,
  );
  check(`/../../kubepods/burstable/pod${uid}/${id}`, 'kubernetes', id, uid);
  check(`/docker/${id}/docker/${other}`, 'docker');
  check(`/podruntime/runtime/kubepods/besteffort/pod${uid}/${id}`, 'kubernetes', id, uid);
  check(`/machine.slice/machine-libpod_pod_${other}.slice/libpod-${id}.scope/container`, 'podman');
  const none = [
    '/system.slice/ssh.service',
    // Neither container monitors nor virtual machines are containers.
    `/machine.slice/libpod-conmon-${id}.scope`,
    `${slices}/crio-conmon-${id}.scope`,
    '/lxc.monitor.web1',
    '/machine.slice/machine-qemu\\x2d1\\x2dvm.scope',
  ];
  for (const path of none)
    assert.equal(findContainer(parseCgroup(`0::${path}\n`)), undefined, path);
  assert.equal(findContainer(parseCgroup(`0::/docker/${id.slice(1)}\n`)), undefined);
});

test('lines of both hierarchies, as runtimes of Debian 12 write them', () => {
  const all = (path: string): string =>
    ['9:name=systemd', '8:pids', '4:memory', '2:cpuacct', '1:cpu', '0:']
      .map((start) => `${start}:${path}\n`)
      .join('');
  const check = (text: string, want: object | undefined): void =>
    assert.deepEqual(findContainer(parseCgroup(text)), want, text);
  check(all(`/docker/${id}`), { runtime: 'docker', id, podUid: '' });
  check(all(`/libpod_parent/libpod-${id}`), { runtime: 'podman', id, podUid: '' });
  check(all('/default/web1'), undefined);
  assert.deepEqual(containerdPaths(parseCgroup(all('/default/web1'))), ['default/web1']);
  assert.deepEqual(containerdPaths(parseCgroup(all('/'))), []);
});
