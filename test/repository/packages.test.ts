// Tests that packages cannot run programs when they are installed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('no install runs scripts of packages, and the image has one place for its base', () => {
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  const image = read('deploy/Dockerfile');
  for (const line of image.match(/npm (?:ci|install|prune)\b.*/g) ?? []) {
    assert.match(line, /--ignore-scripts/);
  }
  const bases = image.match(/^FROM \S+/gm) ?? [];
  assert.deepEqual(bases, ['FROM ${NODE_IMAGE}', 'FROM ${NODE_IMAGE}']);
});

test('packages that have such a script are known to work without it', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const names = Object.keys(packages).filter((name) => packages[name].hasInstallScript === true);
  // The script of this package only warns about versions.
  assert.deepEqual(names, ['node_modules/@grpc/proto-loader/node_modules/protobufjs']);
});
