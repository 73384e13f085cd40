// Generates proto/gen from proto/: message classes by pbjs, descriptors for reflection and JSON.
//
// Usage: node tools/generate/proto.mjs [output folder]   (default proto/gen)
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeFiles } from './proto-descriptors.mjs';
import { digestFile, computeProtoDigest, protoFiles } from './proto-digest.mjs';

const project = resolve(import.meta.dirname, '../..');
const protoFolder = join(project, 'proto');
const require = createRequire(import.meta.url);

/** Modules to generate: the page bundles only `query` and `scrape`. */
const modules = {
  profilestore: ['parca/profilestore/v1alpha1/profilestore.proto'],
  query: ['parca/query/v1alpha1/query.proto'],
  scrape: ['parca/scrape/v1alpha1/scrape.proto'],
  debuginfo: ['parca/debuginfo/v1alpha1/debuginfo.proto'],
  telemetry: ['parca/telemetry/v1alpha1/telemetry.proto'],
  push: ['push/v1/push.proto'],
  pyroscope: [
    'querier/v1/querier.proto',
    'settings/v1/settings.proto',
    'adhocprofiles/v1/adhocprofiles.proto',
    'vcs/v1/vcs.proto',
    'capabilities/v1/capabilities.proto',
    'version/v1/version.proto',
  ],
  parts: ['parts/v1/parts.proto'],
  health: ['grpc/health/v1/health.proto'],
  reflection: ['grpc/reflection/v1/reflection.proto'],
};

/** Flags of pbjs. Code to create, verify and convert is not used and would triple the size. */
const pbjsOptions = [
  '--target=static-module',
  '--wrap=esm',
  '--dts',
  '--force-long',
  '--null-semantics',
  '--no-create',
  '--no-verify',
  '--no-convert',
  '--no-delimited',
  '--no-typeurl',
  '--no-service',
];

function generateModule(name, files, outputFolder) {
  const scratch = mkdtempSync(join(tmpdir(), 'proto-'));
  const output = join(scratch, `${name}.js`);
  const pbjs = require.resolve('protobufjs-cli/bin/pbjs');
  const paths = files.map((file) => join(protoFolder, file));
  const root = ['--root', `parca-${name}`, '--path', protoFolder];
  execFileSync(process.execPath, [pbjs, ...pbjsOptions, ...root, '--out', output, ...paths]);
  const head = `// Generated from ${files.join(', ')} by tools/generate/proto.mjs. Do not edit.\n`;
  const code = withoutComments(readFileSync(output, 'utf8').replace(/^\/\*eslint.*\n/, ''));
  const types = withoutComments(readFileSync(join(scratch, `${name}.d.ts`), 'utf8'))
    // Deprecated names of $Properties.
    .replace(/^ *interface I\w+ extends [\w.]+\.\$Properties \{\n *\}\n/gm, '');
  writeFileSync(join(outputFolder, `${name}.js`), head + shallowIndent(code));
  writeFileSync(join(outputFolder, `${name}.d.ts`), head + shallowIndent(types));
  rmSync(scratch, { recursive: true });
}

/** Removes empty lines, and comments, which say no more than the .proto files. */
function withoutComments(text) {
  return text.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/\n\n+/g, '\n');
}

/** Indents by one space instead of four, which saves a third of the bytes of these deep files. */
function shallowIndent(text) {
  return text.replace(/^(?: {4})+/gm, (spaces) => ' '.repeat(spaces.length / 4));
}

const outputFolder = resolve(process.argv[2] ?? join(protoFolder, 'gen'));
mkdirSync(outputFolder, { recursive: true });
for (const [name, files] of Object.entries(modules)) generateModule(name, files, outputFolder);
writeFileSync(
  join(outputFolder, 'descriptors.ts'),
  describeFiles(protoFolder, protoFiles(protoFolder)),
);
writeFileSync(join(outputFolder, digestFile), computeProtoDigest(outputFolder));
