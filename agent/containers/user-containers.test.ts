// Tests of users' container engines: labels only for the user's own containers, and malicious
// sockets and responses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFakeClock } from '../../src/base/fake/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { containerRetryMillis, userAnswerBytesMax } from '../limits.ts';
import { ExecutableTable } from '../process/executable.ts';
import { KubeletLogs } from '../process/kubelet.ts';
import { ProcFolder } from '../process/proc-folder.ts';
import { ProcessLabels } from '../process/process-labels.ts';
import { type FakeRuntime, startEngine } from '../testing/fake-runtimes.ts';
import { testProcess } from '../testing/samples.ts';
import { UserContainers } from './user-containers.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-user-'));
after(() => rmSync(folder, { recursive: true }));
const id = 'ab'.repeat(32);
const other = 'cd'.repeat(32);
const self = process.getuid?.() ?? 0;
/**
 * Id of the user who owns the sockets: the test's own user, unless it runs as root. Only root can
 * create sockets of other users.
 */
const userId = self === 0 ? 12_345 : self;
const stranger = userId + 1;

function open() {
  const clock = createFakeClock();
  const warnings: string[] = [];
  const warn = (message: string, fields: object = {}): number =>
    warnings.push(`${message} ${JSON.stringify(fields)}`);
  const containers = new UserContainers({ clock, logger: { ...silentLogger, warn }, folder });
  return { clock, warnings, containers };
}

/** Creates a user's folder, and returns the path of a socket in it. */
function socketPath(owner: number, name: string): string {
  const path = join(folder, String(owner), name);
  mkdirSync(join(path, '..'), { recursive: true });
  return path;
}

/** Starts an engine on a user's socket. */
async function startFor(owner: number, name: string, list: () => object[]): Promise<FakeRuntime> {
  const path = socketPath(owner, name);
  const engine = await startEngine(path, list);
  if (self === 0) chownSync(path, userId, userId);
  return engine;
}

const web = { Id: id, Names: ['/web'], Image: 'shop/web:7', Labels: { team: 'a' } };

test('rootless Docker and Podman name the containers of their user, and of nobody else', async () => {
  const docker = await startFor(userId, 'docker.sock', () => [web]);
  const db = { Id: other, Names: ['db'], Image: 'db:1' };
  const podman = await startFor(userId, 'podman/podman.sock', () => [db]);
  const { containers, clock } = open();
  await containers.load([{ userId, id }]);
  assert.deepEqual(Object.fromEntries(containers.find({ userId, id }) ?? []), {
    __meta_docker_container_id: id,
    __meta_docker_container_name: 'web',
    __meta_docker_container_image: 'shop/web:7',
    __meta_docker_container_label_team: 'a',
    __meta_docker_container_labelpresent_team: 'true',
  });
  const found = containers.find({ userId, id: other });
  assert.equal(found?.get('__meta_podman_container_name'), 'db');
  await containers.load([{ userId: stranger, id }]);
  assert.equal(containers.find({ userId: stranger, id }), undefined);
  // Each engine is queried once, and again only after a pause, even for new names.
  await containers.load([
    { userId, id },
    { userId, id: 'ef'.repeat(32) },
  ]);
  assert.deepEqual([docker.lists(), podman.lists()], [1, 1]);
  await clock.advance(containerRetryMillis);
  await containers.load([{ userId, id: 'ef'.repeat(32) }]);
  assert.deepEqual([docker.lists(), podman.lists()], [2, 2]);
  await docker.close();
  await podman.close();
});

test('a process of a user has what the engine of that user says', async () => {
  const engine = await startFor(userId, 'docker.sock', () => [web]);
  const { containers: userContainers } = open();
  const labels = new ProcessLabels({
    proc: new ProcFolder('/nowhere'),
    executables: new ExecutableTable(),
    kubelet: new KubeletLogs(createFakeClock(), '/nowhere'),
    host: { node: 'n1', kernelRelease: '6.1', machine: 'x86_64', agentRevision: 'abc' },
    environmentNames: [],
    // The system's engine reports containers with the same ids.
    containers: {
      load: async () => undefined,
      find: () => new Map([['__meta_docker_container_name', 'of-the-system']]),
    },
    userContainers,
  });
  const below = (owner: number): string =>
    `0::/user.slice/user-${owner}.slice/user@${owner}.service/user.slice`;
  const read = (cgroup: string): ReadonlyMap<string, string> =>
    labels.read(testProcess({ cgroup: `${cgroup}/docker-${id}.scope\n` }), undefined);
  const before = read(below(userId));
  assert.equal(before.get('__meta_docker_container_name'), undefined);
  assert.equal(labels.areStale(before), false);
  const cgroup = `${below(userId)}/docker-${id}.scope\n`;
  await labels.load([testProcess({ cgroup })]);
  assert.equal(labels.areStale(before), true);
  const known = read(below(userId));
  assert.equal(known.get('__meta_docker_container_name'), 'web');
  assert.equal(known.get('__meta_service_name'), 'web');
  // A second user, whose control group has the name of the first user's container.
  assert.equal(read(below(stranger)).get('__meta_docker_container_name'), undefined);
  const system = read('0::/system.slice').get('__meta_docker_container_name');
  assert.equal(system, 'of-the-system');
  await engine.close();
});

test('links, files and sockets of others are not followed', async () => {
  const victim = join(folder, 'victim.sock');
  const engine = await startEngine(victim, () => [web]);
  if (self === 0) chownSync(victim, userId, userId);
  const path = socketPath(userId, 'docker.sock');
  rmSync(path, { force: true });
  const isAsked = async (): Promise<boolean> => {
    const before = engine.lists();
    const { containers, warnings } = open();
    await containers.load([{ userId, id }]);
    assert.deepEqual(warnings, []);
    return engine.lists() > before;
  };
  symlinkSync(victim, path);
  assert.equal(await isAsked(), false, 'a link');
  rmSync(path);
  writeFileSync(path, 'not a socket');
  assert.equal(await isAsked(), false, 'a file');
  rmSync(path);
  // The user's folder is a link to another folder with a socket of this name.
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  renameSync(victim, join(elsewhere, 'podman.sock'));
  rmSync(join(folder, String(userId), 'podman'), { recursive: true, force: true });
  symlinkSync(elsewhere, join(folder, String(userId), 'podman'));
  assert.equal(await isAsked(), false, 'a folder that is a link');
  rmSync(join(folder, String(userId), 'podman'));
  renameSync(join(elsewhere, 'podman.sock'), path);
  assert.equal(await isAsked(), true, 'the socket itself');
  // The same socket in the folder of a second user.
  renameSync(path, socketPath(stranger, 'docker.sock'));
  const { containers } = open();
  const before = engine.lists();
  await containers.load([{ userId: stranger, id }]);
  assert.equal(engine.lists(), before, 'the socket of somebody else');
  await engine.close();
});

test('answers without an end, in time or in bytes, cost little', async () => {
  const path = socketPath(userId, 'docker.sock');
  for (const isSilent of [true, false]) {
    rmSync(path, { force: true });
    let sent = 0;
    const server = createServer((_, response) => {
      if (isSilent) return;
      response.writeHead(200);
      const send = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        response.write(' '.repeat(65_536), send);
      };
      send();
    });
    server.listen(path);
    await once(server, 'listening');
    if (self === 0) chownSync(path, userId, userId);
    const { containers, warnings } = open();
    await containers.load([{ userId, id }]);
    assert.equal(warnings.length, 1, warnings.join('\n'));
    if (!isSilent) {
      assert.match(warnings[0], /the answer is too large/);
      assert.ok(sent < 4 * userAnswerBytesMax, `${sent} bytes were sent`);
    }
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});
