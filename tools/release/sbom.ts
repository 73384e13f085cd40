// Writes the bill of materials of a product in CycloneDX: npm packages, crates, Debian packages.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { type Product, type Release, server } from './context.ts';
import type { DebianPackage } from './debian.ts';
import { writeJson } from './program-tree.ts';

interface Component {
  readonly type: 'library' | 'operating-system';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
}

/** The output of `npm sbom`. */
interface Bom {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly components: readonly unknown[];
}

/** Crates of the workspace for the add-on and the symbolizer. */
const workspaceMembers = { agent: 'parca-bpf', server: 'parca-symbolizer' } as const;

/**
 * Writes the list for a product: the output of npm for `tree`, the crates of its native program,
 * and the Debian packages in its image.
 */
export function writeSbom(
  release: Release,
  product: Product,
  tree: string,
  debian: readonly DebianPackage[],
): void {
  const bom: Bom = JSON.parse(readFileSync(`${tree}.sbom.json`, 'utf8'));
  const member = product === server ? workspaceMembers.server : workspaceMembers.agent;
  const components = [
    ...bom.components,
    ...(product === server ? s3Packages() : []),
    ...crates(member),
    ...debian.map(({ name, version, architecture }) =>
      component(name, version, `pkg:deb/debian/${name}@${version}?arch=${architecture}`),
    ),
  ];
  const timestamp = new Date(release.epoch * 1_000).toISOString();
  const hash = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  // A version 8 UUID derived from a hash, so that the same release has the same id.
  const id = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  const facts = { serialNumber: `urn:uuid:${id}`, metadata: { ...bom.metadata, timestamp } };
  const path = join(release.output, `${product.name}-${release.version}.cdx.json`);
  writeJson(path, { ...bom, ...facts, components });
}

function component(name: string, version: string, purl: string): Component {
  return { type: 'library', name, version, purl, 'bom-ref': purl };
}

/** Returns the packages of the S3 client, which has a separate lock file. */
function s3Packages(): Component[] {
  const text = readFileSync(join(root, 'sdk/s3/package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  return Object.entries(packages).flatMap(([path, { version }]) => {
    const name = path.replace(/^.*node_modules\//, '');
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return path === '' ? [] : [component(name, version, purl)];
  });
}

/** Returns the crates that a member of the cargo workspace needs, as Cargo.lock lists them. */
function crates(member: string): Component[] {
  const text = readFileSync(join(root, 'native/Cargo.lock'), 'utf8');
  const blocks = text.split('[[package]]').slice(1).map(readCrate);
  const found = new Map<string, Crate>();
  const waiting = [member];
  for (let wanted = waiting.pop(); wanted !== undefined; wanted = waiting.pop()) {
    // "name", or "name version" if there are several.
    const [name, version] = wanted.split(' ');
    const crate = blocks.find(
      (one) => one.name === name && (version === undefined || one.version === version),
    );
    if (crate === undefined || found.has(`${crate.name} ${crate.version}`)) continue;
    found.set(`${crate.name} ${crate.version}`, crate);
    waiting.push(...crate.dependencies);
  }
  return [...found.values()]
    .filter(({ isForeign }) => isForeign)
    .map(({ name, version }) => component(name, version, `pkg:cargo/${name}@${version}`))
    .sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

interface Crate {
  readonly name: string;
  readonly version: string;
  /** True if it comes from a registry. */
  readonly isForeign: boolean;
  readonly dependencies: readonly string[];
}

function readCrate(block: string): Crate {
  const [, name = ''] = /^name = "(.*)"$/m.exec(block) ?? [];
  const [, version = ''] = /^version = "(.*)"$/m.exec(block) ?? [];
  const [, list = ''] = /^dependencies = \[([^\]]*)\]/m.exec(block) ?? [];
  const dependencies = [...list.matchAll(/"([^"]+)"/g)].map(([, one]) => one);
  return { name, version, isForeign: /^source = /m.test(block), dependencies };
}
