// Builds Debian and RPM packages with nfpm.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, SetupError } from '../setup.mjs';
import {
  agent,
  type Architecture,
  type Product,
  readManifest,
  type Release,
  run,
  server,
} from './context.ts';
import { writeJson } from './program-tree.ts';

const formats = ['deb', 'rpm'] as const;

/** Oldest C library that the Rust programs support; Node needs 2.28. */
const glibcMin = '2.34';

/** Builds both packages of a product from its tree; returns their paths. */
export function makePackages(
  release: Release,
  product: Product,
  architecture: Architecture,
  tree: string,
): string[] {
  const folder = join(release.work, `packages-${product.name}-${architecture}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const service = `${product.unit}.service`;
  writeFileSync(join(folder, service), packagedUnit(product.unit, product.name));
  writeScripts(folder, service);
  const config = join(folder, 'nfpm.json');
  writeJson(config, describe(release, product, architecture, { tree, folder }));
  return formats.map((format) => {
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(release.epoch) };
    const to = ['--packager', format, '--target', `${release.output}/`];
    const said = run(release.built.nfpm, ['package', '--config', config, ...to], { env });
    const [, path] = /created package: (.+)$/m.exec(said) ?? [];
    if (path === undefined) throw new SetupError(`cannot make a package: nfpm said ${said}`);
    return path;
  });
}

interface Sources {
  readonly tree: string;
  readonly folder: string;
}

/** Returns the config of nfpm. */
function describe(
  release: Release,
  product: Product,
  architecture: Architecture,
  { tree, folder }: Sources,
): unknown {
  const { version, epoch } = release;
  const home = `/usr/lib/${product.name}`;
  const mtime = new Date(epoch * 1_000).toISOString();
  const commands = Object.keys(product.commands).map((command) => ({
    src: `${home}/bin/${command}`,
    dst: `/usr/bin/${command}`,
    type: 'symlink',
  }));
  const service = {
    src: join(folder, `${product.unit}.service`),
    dst: `/usr/lib/systemd/system/${product.unit}.service`,
    file_info: { mode: 0o644 },
  };
  // Without this entry, rpm leaves the empty folder after removal.
  const folderOfSettings = { dst: '/etc/parca', type: 'dir', file_info: { mode: 0o755 } };
  const settings = {
    src: join(root, 'parca.yaml'),
    dst: '/etc/parca/parca.yaml',
    type: 'config|noreplace',
    file_info: { mode: 0o644 },
  };
  return {
    name: product.name,
    arch: architecture,
    platform: 'linux',
    version,
    release: '1',
    section: 'admin',
    priority: 'optional',
    maintainer: 'The authors of parca-ts <parca-ts@localhost>',
    description: product.summary,
    license: readManifest().license,
    mtime,
    umask: 0o022,
    conflicts: [product === agent ? 'parca-agent' : 'parca'],
    contents: [
      { src: tree, dst: home, type: 'tree' },
      ...commands,
      service,
      ...(product === server ? [folderOfSettings, settings] : []),
    ],
    scripts: {
      postinstall: join(folder, 'postinstall.sh'),
      preremove: join(folder, 'preremove.sh'),
      postremove: join(folder, 'postremove.sh'),
    },
    overrides: {
      deb: { depends: [`libc6 (>= ${glibcMin})`, 'libgcc-s1', 'libstdc++6'] },
      rpm: { depends: [`glibc >= ${glibcMin}`, 'libgcc', 'libstdc++'] },
    },
    rpm: { buildhost: 'localhost', summary: product.summary },
  };
}

/** Matches the command in a unit of deploy/, which runs a checkout. */
const checkoutCommand = /^ExecStart=\/opt\/parca\/node_modules\/\.bin\/node \S+\/main\.ts/m;

/** Returns a unit of deploy/, changed to run the installed program and keep its compile cache. */
export function packagedUnit(unit: string, packageName: string): string {
  const text = readFileSync(join(root, 'deploy', `${unit}.service`), 'utf8');
  if (!checkoutCommand.test(text)) {
    throw new SetupError(`cannot make a package: deploy/${unit}.service runs no checkout`);
  }
  const cache = [`CacheDirectory=${unit}`, `Environment=NODE_COMPILE_CACHE=/var/cache/${unit}`];
  return text
    .replace(
      /^# Runs .*\n/,
      `# Of the package ${packageName}; change it by: systemctl edit ${unit}\n`,
    )
    .replace(checkoutCommand, [...cache, `ExecStart=/usr/bin/${unit}`].join('\n'));
}

/**
 * Writes the scripts that run before and after an installation. They restart the service only if it
 * was running.
 */
function writeScripts(folder: string, service: string): void {
  // For deb, the arguments are "configure" and the old version; for rpm, the argument is the number
  // of installed versions.
  const postinstall = `if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if [ "$1" = configure ] && [ -n "$2" ] || [ "$1" = 2 ]; then
    systemctl try-restart ${service}
  fi
fi`;
  const preremove = `if [ -d /run/systemd/system ] && { [ "$1" = remove ] || [ "$1" = 0 ]; }; then
  systemctl disable --now ${service}
fi`;
  const postremove = 'if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi';
  for (const [name, body] of Object.entries({ postinstall, preremove, postremove })) {
    writeFileSync(join(folder, `${name}.sh`), `#!/bin/sh\nset -e\n${body}\n`);
  }
}
