// Installs the Debian and RPM packages into the root directory of a fresh Debian: dpkg and rpm
// accept them, their units are valid, the programs start, and removal leaves nothing behind.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { artefact, run, start, tryServer } from './released.ts';

// The folder is on a disk, because the system takes 100 MB, and the packages take 300 MB.
const scratch = await scratchDirectory('/var/tmp');
after(() => scratch.remove());
const system = join(scratch.path, 'system');

/** Packages that Debian's own tools and the programs need; neither Node nor npm is one of them. */
const include =
  'base-files,base-passwd,bash,coreutils,dash,debconf,diffutils,dpkg,grep,gzip,libc-bin';
const more = 'libgcc-s1,libstdc++6,perl-base,procps,sed,systemd,tar,util-linux';

before(() => {
  const [, suite] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  const options = ['--variant=custom', '--mode=root', `--include=${include},${more}`];
  run(testTool('TEST_MMDEBSTRAP'), [...options, suite ?? 'stable', system], { stdio: 'pipe' });
});

const path = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
const inside = (program: string, ...args: readonly string[]): string =>
  run('chroot', [system, program, ...args], { env: path });

const rpm = (...args: readonly string[]): string =>
  run(testTool('TEST_RPM'), ['--root', system, ...args], { stdio: 'pipe' });

/** Returns the command of an installed unit, and its variables. */
function readUnit(name: string): { command: string[]; variables: Record<string, string> } {
  const text = readFileSync(join(system, `usr/lib/systemd/system/${name}.service`), 'utf8');
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(text) ?? [];
  const variables = [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, key, value]) => [
    key,
    value,
  ]);
  return { command: command.split(' '), variables: Object.fromEntries(variables) };
}

/** Starts the server as its unit does, but with a free port, as an unprivileged user. */
async function tryUnit(): Promise<void> {
  const { command, variables } = readUnit('parca');
  const folders = ['/var/lib/parca', '/var/cache/parca'];
  inside('mkdir', '-p', ...folders);
  inside('chown', '12345:12345', ...folders);
  const free = ['--http-address=127.0.0.1:0', '--debuginfod-upstream-servers='];
  const flags = command.filter((word) => !word.startsWith('--http-address='));
  const user = ['--userspec=12345:12345', '--groups=12345', system];
  const server = await start('chroot', [...user, ...flags, ...free], {
    env: { ...path, ...variables },
  });
  mkdirSync(join(system, 'tmp/try'), { recursive: true });
  // Inside the system's root, parcatool finds the test's folder at another path.
  const parcatool = (args: readonly string[]): string =>
    inside('/usr/bin/parcatool', ...args.map((arg) => arg.replace(system, '')));
  await tryServer(server, parcatool, join(system, 'tmp/try'));
  assert.equal(await server.stop(), 0, server.log());
  assert.ok(existsSync(join(system, 'var/lib/parca/data')));
  assert.ok(existsSync(join(system, 'var/cache/parca')));
}

function checkUnits(): void {
  for (const unit of ['parca', 'parca-agent']) {
    inside('systemd-analyze', 'verify', `/usr/lib/systemd/system/${unit}.service`);
    const { command } = readUnit(unit);
    assert.match(inside(command[0], '--version'), new RegExp(`^${unit}, version `));
  }
}

/** Returns the packages' files that still exist. */
function leftFiles(): string {
  const paths = ['usr/lib/parca-ts', 'usr/lib/parca-ts-agent', 'usr/bin/parca', 'etc/parca'];
  return paths.filter((one) => existsSync(join(system, one))).join(' ');
}

test('dpkg installs, upgrades and purges both', async () => {
  const packages = [/^parca-ts_[\d.]+-1_amd64\.deb$/, /^parca-ts-agent_[\d.]+-1_amd64\.deb$/];
  const copies = packages.map((pattern) => {
    const from = artefact(pattern);
    cpSync(from, join(system, 'tmp', basename(from)));
    return `/tmp/${basename(from)}`;
  });
  inside('dpkg', '--install', ...copies);
  assert.equal(inside('dpkg', '--verify', 'parca-ts', 'parca-ts-agent'), '');
  checkUnits();
  await tryUnit();
  // A changed config file is kept.
  const settings = join(system, 'etc/parca/parca.yaml');
  run('sed', ['-i', '1i# mine', settings]);
  inside('dpkg', '--force-confold', '--install', ...copies);
  assert.match(readFileSync(settings, 'utf8'), /^# mine/);
  inside('dpkg', '--purge', 'parca-ts', 'parca-ts-agent');
  assert.equal(leftFiles(), '');
});

test('rpm installs, verifies and erases both', async () => {
  const packages = [/^parca-ts-[\d.]+-1\.x86_64\.rpm$/, /^parca-ts-agent-[\d.]+-1\.x86_64\.rpm$/];
  mkdirSync(join(system, 'var/lib/rpm'), { recursive: true });
  // The system has the libraries, but not as rpm packages.
  rpm('--install', '--nodeps', ...packages.map(artefact));
  assert.equal(rpm('--verify', '--nodeps', 'parca-ts', 'parca-ts-agent'), '');
  assert.match(rpm('--query', '--requires', 'parca-ts'), /^glibc >= 2\.34$/m);
  checkUnits();
  await tryUnit();
  rpm('--erase', 'parca-ts', 'parca-ts-agent');
  assert.equal(leftFiles(), '');
});

test('the packages and the image for arm64 have what their archive has, which runs elsewhere', () => {
  const archive = join(scratch.path, 'arm64');
  mkdirSync(archive);
  const tarball = artefact(/^parca-ts-[\d.]+-linux-arm64\.tar\.gz$/);
  run('tar', ['-xzf', tarball, '-C', archive, '--strip-components=1']);
  const installed = 'usr/lib/parca-ts';
  const compare = (folder: string): void => {
    assert.equal(run('diff', ['--recursive', '--brief', archive, join(folder, installed)]), '');
  };
  // The scripts of this package run on this machine's processor; only the programs in it are for
  // another processor.
  const deb = artefact(/^parca-ts_[\d.]+-1_arm64\.deb$/);
  cpSync(deb, join(system, 'tmp', basename(deb)));
  const force = ['--force-architecture', '--force-depends'];
  inside('dpkg', ...force, '--install', `/tmp/${basename(deb)}`);
  compare(system);
  inside('dpkg', '--purge', 'parca-ts:arm64');
  assert.equal(leftFiles(), '');

  const file = artefact(/^parca-ts-[\d.]+-1\.aarch64\.rpm$/);
  rpm('--install', '--nodeps', '--ignorearch', file);
  compare(system);
  rpm('--erase', 'parca-ts');
  assert.equal(leftFiles(), '');

  const image = artefact(/^parca-ts-[\d.]+-linux-arm64\.oci\.tar$/);
  const [{ Layers: layers }] = JSON.parse(run('tar', ['-xOf', image, 'manifest.json']));
  const root = join(scratch.path, 'arm64-image');
  mkdirSync(root);
  run('tar', ['-xf', image, '-C', scratch.path, ...layers]);
  for (const layer of layers) run('tar', ['-xzf', join(scratch.path, layer), '-C', root]);
  compare(root);
});
