// Gets the Debian packages that an image needs in addition to its programs: mainly the C library.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SetupError } from '../setup.mjs';
import { type Architecture, type Release, run } from './context.ts';

/** A Debian package whose files are in an image. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

/** Packages that Node needs: libraries, certificate authorities, and files that libc reads. */
const wanted = ['base-files', 'ca-certificates', 'libc6', 'libgcc-s1', 'libstdc++6', 'netbase'];
const documentation = [
  'usr/share/doc-base',
  'usr/share/lintian',
  'usr/share/man',
  'usr/share/info',
];

const accounts = `root:x:0:0:root:/root:/sbin/nologin
parca:x:1000:1000:parca:/var/lib/parca:/sbin/nologin
nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin
`;
const groups = 'root:x:0:\nparca:x:1000:\nnogroup:x:65534:\n';

/**
 * Creates the root folder of an image from Debian packages that apt knows on this machine.
 *
 * @returns the packages, by name
 */
export function makeRoot(
  { work }: Release,
  root: string,
  architecture: Architecture,
): DebianPackage[] {
  const folder = join(work, `debian-${architecture}`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const found = fetchPackages(folder, architecture).map((path) => {
    run('dpkg-deb', ['--extract', path, root]);
    const control = run('dpkg-deb', ['--field', path]);
    const about = readControl(control);
    // Scanners look here for the packages in images without dpkg.
    const status = join(root, 'var/lib/dpkg/status.d');
    mkdirSync(status, { recursive: true });
    writeFileSync(join(status, about.name), control);
    return about;
  });
  for (const path of documentation) rmSync(join(root, path), { recursive: true, force: true });
  writeAuthorities(root);
  writeFileSync(join(root, 'etc/passwd'), accounts);
  writeFileSync(join(root, 'etc/group'), groups);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Parses the fields of a package from dpkg's output, one per line. */
function readControl(control: string): DebianPackage {
  const field = (name: string): string => {
    const [, value] = new RegExp(`^${name}: (.+)$`, 'm').exec(control) ?? [];
    if (value === undefined) throw new SetupError(`a package of Debian has no field ${name}`);
    return value;
  };
  return {
    name: field('Package'),
    version: field('Version'),
    architecture: field('Architecture'),
  };
}

/** Downloads the packages, with a separate apt state for the architecture; returns their files. */
function fetchPackages(folder: string, architecture: Architecture): string[] {
  rmSync(folder, { recursive: true, force: true });
  for (const path of ['state/lists/partial', 'cache/archives/partial', 'packages']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, 'status'), '');
  const settings = [
    '#clear APT::Architectures;',
    `APT::Architecture "${architecture}";`,
    `APT::Architectures { "${architecture}"; };`,
    `Dir::State "${folder}/state";`,
    `Dir::State::status "${folder}/status";`,
    `Dir::Cache "${folder}/cache";`,
    // The user _apt cannot write to this folder.
    'APT::Sandbox::User "root";',
    'Acquire::Languages "none";',
  ];
  writeFileSync(join(folder, 'apt.conf'), `${settings.join('\n')}\n`);
  const env = { ...process.env, APT_CONFIG: join(folder, 'apt.conf') };
  run('apt-get', ['update', '-qq'], { env });
  const packages = join(folder, 'packages');
  run('apt-get', ['download', '-qq', ...wanted], { cwd: packages, env });
  return readdirSync(packages)
    .sort()
    .map((name) => join(packages, basename(name)));
}

/** Joins the certificate authorities into a file, as `update-ca-certificates` does. */
function writeAuthorities(root: string): void {
  const folder = join(root, 'usr/share/ca-certificates/mozilla');
  const names = readdirSync(folder).sort();
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').trimEnd());
  const certs = join(root, 'etc/ssl/certs');
  mkdirSync(certs, { recursive: true });
  writeFileSync(join(certs, 'ca-certificates.crt'), `${texts.join('\n')}\n`);
  // OpenSSL reads the file at this path.
  mkdirSync(join(root, 'usr/lib/ssl'), { recursive: true });
  cpSync(join(certs, 'ca-certificates.crt'), join(root, 'usr/lib/ssl/cert.pem'));
}
