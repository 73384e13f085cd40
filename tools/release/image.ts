// Builds OCI images: archives with the layout that docker, podman, containerd and cosign read.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipFile, type Owner, writeTar } from './archive.ts';
import {
  type Architecture,
  platformName,
  type Product,
  readManifest,
  type Release,
  server,
} from './context.ts';
import { type DebianPackage, makeRoot } from './debian.ts';

/** Settings with which a container starts the program. */
interface Start {
  readonly user: string;
  readonly entryPoint: readonly string[];
  readonly volume: string;
  readonly port: number;
  /** Program paths in manifests for Parca's images, and the file that each runs. */
  readonly names: Readonly<Record<string, string>>;
}

const ownUser = 1_000;
/** Owner of the data folder. Platforms that choose the user of a container put it into group 0. */
const dataOwner: Owner = { user: ownUser, group: 0, mode: 'ug=rwX,o=' };

function describeStart(product: Product): Start {
  const home = `/usr/lib/${product.name}`;
  const node = `${home}/runtime/node`;
  if (product === server) {
    const flags = ['--config-path=/etc/parca/parca.yaml', '--storage-path=/var/lib/parca'];
    return {
      user: `${ownUser}:${ownUser}`,
      entryPoint: [node, `${home}/cmd/parca/main.js`, ...flags],
      volume: 'var/lib/parca',
      port: 7070,
      names: {
        parca: 'cmd/parca/main.js',
        'usr/bin/parca': 'cmd/parca/main.js',
        'usr/bin/parcatool': 'cmd/parcatool/main.js',
        grpc_health_probe: 'cmd/grpc-health-probe/start.js',
      },
    };
  }
  return {
    user: '0:0',
    entryPoint: [node, `${home}/cmd/parca-agent/main.js`],
    volume: 'var/lib/parca-agent',
    port: 7071,
    names: { 'bin/parca-agent': 'cmd/parca-agent/main.js' },
  };
}

/** Builds the image of a product; returns its Debian packages. */
export async function makeImage(
  release: Release,
  product: Product,
  architecture: Architecture,
  tree: string,
): Promise<DebianPackage[]> {
  const name = platformName(release, product, architecture);
  const work = join(release.work, `image-${name}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'blobs/sha256'), { recursive: true });
  const base = join(work, 'base');
  const debian = makeRoot(release, base, architecture);
  const start = describeStart(product);
  const programs = join(work, 'programs');
  layPrograms(programs, product, tree, start);
  const owned = join(work, 'owned');
  mkdirSync(join(owned, start.volume), { recursive: true });
  const layers: Layer[] = [];
  for (const [folder, names, owner] of [
    [base, readdirSync(base), undefined],
    [programs, readdirSync(programs), undefined],
    [owned, [start.volume], product === server ? dataOwner : undefined],
  ] as const) {
    const tar = join(work, 'layer.tar');
    writeTar(tar, folder, [...names].sort(), release.epoch, owner);
    layers.push(await addLayer(work, tar));
    rmSync(folder, { recursive: true });
  }
  writeLayout(work, release, architecture, product, start, layers);
  const files = ['blobs', 'index.json', 'manifest.json', 'oci-layout'];
  writeTar(join(release.output, `${name}.oci.tar`), work, files, release.epoch);
  rmSync(work, { recursive: true });
  return debian;
}

/** Copies the tree into the image, and writes a script for each program. */
function layPrograms(to: string, product: Product, tree: string, { names }: Start): void {
  const home = `usr/lib/${product.name}`;
  cpSync(tree, join(to, home), { recursive: true });
  for (const [path, main] of Object.entries(names)) {
    const at = join(to, path);
    mkdirSync(join(at, '..'), { recursive: true });
    // There is no shell, so Node itself is the script's interpreter.
    writeFileSync(at, `#!/${home}/runtime/node\nvoid import('/${home}/${main}');\n`);
    chmodSync(at, 0o755);
  }
  if (product !== server) return;
  mkdirSync(join(to, 'etc/parca'), { recursive: true });
  symlinkSync(`/${home}/parca.yaml`, join(to, 'etc/parca/parca.yaml'));
}

interface Layer {
  readonly digest: string;
  readonly size: number;
  /** Hash of the uncompressed archive. */
  readonly diffId: string;
}

async function addLayer(work: string, tar: string): Promise<Layer> {
  const diffId = computeDigest(readFileSync(tar));
  const compressed = `${tar}.gz`;
  await gzipFile(tar, compressed);
  const digest = computeDigest(readFileSync(compressed));
  const { size } = statSync(compressed);
  renameSync(compressed, join(work, blobPath(digest)));
  return { digest, size, diffId };
}

const computeDigest = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Path of a blob in its image. */
const blobPath = (digest: string): string => join('blobs', digest.replace(':', '/'));

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

function addJson(work: string, mediaType: string, value: unknown): Descriptor {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = computeDigest(bytes);
  writeFileSync(join(work, blobPath(digest)), bytes);
  return { mediaType, digest, size: bytes.length };
}

/** Writes the config, the manifest and the index (image-spec 1.0). */
function writeLayout(
  work: string,
  release: Release,
  architecture: Architecture,
  product: Product,
  start: Start,
  layers: readonly Layer[],
): void {
  const created = new Date(release.epoch * 1_000).toISOString();
  const { version, commit } = release;
  const annotations = {
    'org.opencontainers.image.title': product.name,
    'org.opencontainers.image.description': product.summary,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.licenses': readManifest().license,
    'org.opencontainers.image.created': created,
  };
  const config = addJson(work, 'application/vnd.oci.image.config.v1+json', {
    created,
    architecture,
    os: 'linux',
    config: {
      User: start.user,
      ExposedPorts: { [`${start.port}/tcp`]: {} },
      Env: ['PATH=/usr/bin:/bin', 'SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt'],
      Entrypoint: start.entryPoint,
      Volumes: { [`/${start.volume}`]: {} },
      // Manifests for Parca's image have paths relative to the root, such as ./tmp for a bucket.
      WorkingDir: '/',
      Labels: annotations,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created, created_by: 'npm run release' })),
  });
  const manifestType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = addJson(work, manifestType, {
    schemaVersion: 2,
    mediaType: manifestType,
    config,
    layers: layers.map(({ digest, size }) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      digest,
      size,
    })),
    annotations,
  });
  const name = `${product.name}:${version}`;
  const names = {
    'org.opencontainers.image.ref.name': version,
    'io.containerd.image.name': `docker.io/library/${name}`,
  };
  const platform = { architecture, os: 'linux' };
  const index = { ...manifest, platform, annotations: names };
  writeFileSync(join(work, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const text = JSON.stringify({ schemaVersion: 2, manifests: [index] });
  writeFileSync(join(work, 'index.json'), text);
  // Docker before 25 reads only this file.
  const paths = layers.map(({ digest }) => blobPath(digest));
  const legacy = { Config: blobPath(config.digest), RepoTags: [name], Layers: paths };
  writeFileSync(join(work, 'manifest.json'), JSON.stringify([legacy]));
}
