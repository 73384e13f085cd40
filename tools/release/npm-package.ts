// Builds the npm package: the server and parcatool for all machines with Node.
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { readManifest, type Release, run, server } from './context.ts';
import {
  compileProduct,
  copyPage,
  copySdkLocks,
  openToAll,
  writeManifests,
  writePrograms,
} from './program-tree.ts';

/** Builds the package; returns its path. */
export function makeNpmPackage(release: Release): string {
  const tree = join(release.work, 'npm');
  rmSync(tree, { recursive: true, force: true });
  const { files, packages } = compileProduct(server);
  const { description, optionalDependencies } = readManifest();
  writePrograms(tree, files);
  copyPage(tree);
  copySdkLocks(tree);
  for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md', 'parca.yaml']) {
    copyFileSync(join(root, name), join(tree, name));
  }
  mkdirSync(join(tree, 'bin'));
  const bin: Record<string, string> = {};
  for (const command of Object.keys(server.commands)) {
    bin[command] = `bin/${command}.cjs`;
    copyFileSync(join(import.meta.dirname, 'npm-start.cjs'), join(tree, bin[command]));
    chmodSync(join(tree, bin[command]), 0o755);
  }
  // `npx` runs the command with the name of the package.
  bin[server.name] = 'bin/parca.cjs';
  const fields = { description, bin, engines: { node: '>=20' } };
  const optional = Object.keys(optionalDependencies);
  writeManifests(tree, release, { name: server.name, packages, optional, fields });
  // npm publishes the lock file only under this name. With it, users get the tested versions.
  renameSync(join(tree, 'package-lock.json'), join(tree, 'npm-shrinkwrap.json'));
  openToAll(tree);
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', release.output];
  return join(release.output, run('npm', args, { cwd: tree }).trim());
}
