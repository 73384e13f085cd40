// Tests of links by rules and by labels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  commitLabelsDefault,
  readTemplate,
  repositoryTemplate,
  type SourceLinkRule,
} from '../../config/source-links.ts';
import type { GoBuild } from '../../model/go-build.ts';
import type { LabelSet } from '../../model/labels.ts';
import { findLinks } from './find-links.ts';

function rule(more: Partial<SourceLinkRule>): SourceLinkRule {
  return {
    title: 'x',
    prefix: '/build/shop/',
    labels: new Map(),
    template: repositoryTemplate('https://github.com/acme/shop', undefined),
    commitLabels: commitLabelsDefault,
    commit: '',
    ...more,
  };
}

function labels(values: Readonly<Record<string, string>>): LabelSet {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function urls(
  rules: readonly SourceLinkRule[],
  file: string,
  ...series: readonly Readonly<Record<string, string>>[]
): string[] {
  return findLinks(rules, file, series.map(labels)).map(({ url }) => url);
}

test('a rule has a link for each version of the series that it matches', () => {
  const rules = [rule({ labels: new Map([['job', 'shop']]) })];
  assert.deepEqual(
    urls(
      rules,
      '/build/shop/cart/cart.go',
      { job: 'shop', version: 'v2.14.0' },
      { job: 'shop', version: 'v2.15.0', pod: '1' },
      { job: 'shop', version: 'v2.15.0', pod: '2' },
      { job: 'pay', version: 'v9' },
      { job: 'shop' },
    ),
    [
      'https://github.com/acme/shop/blob/v2.14.0/cart/cart.go#L{line}',
      'https://github.com/acme/shop/blob/v2.15.0/cart/cart.go#L{line}',
    ],
  );
  assert.deepEqual(urls(rules, '/build/shop/a.go', { job: 'pay' }), []);
  assert.deepEqual(urls(rules, '/other/a.go', { job: 'shop', version: 'v1' }), []);
});

test('sites have different addresses for commits, tags and branches', () => {
  const gitea = repositoryTemplate('https://git.example.com/acme/shop.git', 'gitea', '/server/');
  const rules = [rule({ template: gitea, commit: 'main' })];
  const root = 'https://git.example.com/acme/shop/src';
  assert.deepEqual(
    urls(rules, '/build/shop/a.go', { commit: 'abcdef1' }, { version: '1.2' }, { job: 'x' }),
    [
      `${root}/commit/abcdef1/server/a.go#L{line}`,
      `${root}/tag/1.2/server/a.go#L{line}`,
      `${root}/branch/main/server/a.go#L{line}`,
    ],
  );
});

test('an editor needs no version, and Windows keeps its drive', () => {
  const template = readTemplate('vscode://file/{path}:{line}');
  const rules = [rule({ template, prefix: '' })];
  assert.deepEqual(urls(rules, '/home/me/a b.c', { version: '1' }, {}), [
    'vscode://file/home/me/a%20b.c:{line}',
  ]);
  assert.deepEqual(urls(rules, 'C:\\src\\a.c'), ['vscode://file/C:/src/a.c:{line}']);
});

test('labels name a repository, at a public site only', () => {
  const shop = { service_repository: 'https://github.com/acme/shop', service_git_ref: 'main' };
  const want = ['https://github.com/acme/shop/blob/main/cart/a.py#L{line}'];
  assert.deepEqual(urls([], 'cart/a.py', shop), want);
  assert.deepEqual(urls([], '/home/ci/shop/cart/a.py', shop), want);
  assert.deepEqual(urls([], 'github.com/acme/shop/cart/a.py', shop), want);
  assert.deepEqual(urls([], '/usr/lib/a.py', shop), []);
  assert.deepEqual(urls([], 'a.py', { ...shop, service_root_path: 'cart' }), want);
  for (const service_repository of [
    'https://evil.example/acme/shop',
    'http://github.com/acme/shop',
    'https://github.com@evil.example/acme/shop',
    'https://github.com/acme',
    'https://github.com/acme/shop%2f..%2f..',
    'javascript:alert(1)',
    '//github.com/acme/shop',
  ]) {
    assert.deepEqual(urls([], 'cart/a.py', { ...shop, service_repository }), []);
  }
  for (const more of [{ service_git_ref: '../../evil' }, { service_root_path: '../..' }]) {
    assert.deepEqual(urls([], 'cart/a.py', { ...shop, ...more }), []);
  }
});

test('versions and files of strangers stay parts of a path', () => {
  const rules = [rule({})];
  for (const version of ['../x', 'a b', 'v1?x=1', 'v1#x', '"', '{path}', 'a//b', '.']) {
    assert.deepEqual(urls(rules, '/build/shop/a.go', { version }), [], version);
  }
  assert.deepEqual(urls(rules, '/build/shop/$&{commit}.go', { version: 'v1' }), [
    'https://github.com/acme/shop/blob/v1/%24%26%7Bcommit%7D.go#L{line}',
  ]);
  assert.deepEqual(urls(rules, '/build/shop/../../x.go', { version: 'v1' }), []);
});

const revision = '0123456789abcdef0123456789abcdef01234567';
const built: GoBuild = {
  goVersion: 'go1.22.3',
  module: 'github.com/acme/shop',
  version: '',
  revision,
  isModified: false,
};

test('the commit of a build counts for rules where no label has a version', () => {
  const rules = [rule({ commit: 'main' })];
  const check = (series: readonly Readonly<Record<string, string>>[], want: string): void => {
    const [link] = findLinks(rules, '/build/shop/a.go', series.map(labels), built);
    assert.equal(link.url, `https://github.com/acme/shop/blob/${want}/a.go#L{line}`);
  };
  check([], revision);
  check([{ job: 'shop' }], revision);
  check([{ version: 'v2' }], 'v2');
  const [link] = findLinks(rules, '/build/shop/a.go', [], { ...built, isModified: true });
  assert.deepEqual([link.version, link.isModified], [revision, true]);
});

test('files of the main module of a build, at a public site only', () => {
  const check = (file: string, want: string | undefined, build: Partial<GoBuild> = {}): void => {
    const [link] = findLinks([], file, [], { ...built, ...build });
    assert.equal(link?.url, want, file);
  };
  const root = `https://github.com/acme/shop/blob/${revision}`;
  check('github.com/acme/shop/cart/a.go', `${root}/cart/a.go#L{line}`);
  check('/home/ci/shop/cart/a.go', `${root}/cart/a.go#L{line}`);
  check('/home/ci/other/a.go', undefined);
  check('/home/ci/shop/a.go', undefined, { revision: '' });
  const folder = { module: 'github.com/acme/shop/services/pay/v2' };
  check('github.com/acme/shop/services/pay/v2/a.go', `${root}/services/pay/a.go#L{line}`, folder);
  check('/home/ci/shop/services/pay/a.go', `${root}/services/pay/a.go#L{line}`, folder);
  // The version of a release is a tag. A version between releases contains the beginning of a
  // commit's hash.
  const tag = 'https://github.com/acme/shop/blob/v1.2.3/a.go#L{line}';
  check('github.com/acme/shop/a.go', tag, { revision: '', version: 'v1.2.3+dirty' });
  const between = { revision: '', version: 'v1.2.4-0.20230102150405-abcdef123456+dirty' };
  const commit = 'https://github.com/acme/shop/blob/abcdef123456/a.go#L{line}';
  check('github.com/acme/shop/a.go', commit, between);
  for (const module of [
    'evil.example/acme/shop',
    'github.com/acme/..',
    'github.com/acme/shop/../../evil/shop',
    'https://github.com/acme/shop',
    'javascript:alert(1)/shop',
    '',
  ]) {
    check('/home/ci/shop/a.go', undefined, { module });
  }
  check('/home/ci/shop/../../a.go', undefined);
  check('/home/ci/shop/a.go', undefined, { revision: '../../evil' });
});

test("files of Go's own library, at the release of a build", () => {
  const check = (file: string, goVersion: string, want: string | undefined): void => {
    const [link] = findLinks([], file, [], { ...built, goVersion });
    assert.equal(link?.url, want, file);
  };
  const root = 'https://github.com/golang/go/blob';
  const file = '/usr/local/go/src/net/http/server.go';
  check(file, 'go1.22.3', `${root}/go1.22.3/src/net/http/server.go#L{line}`);
  check(file, 'go1.23rc1', `${root}/go1.23rc1/src/net/http/server.go#L{line}`);
  check(file, 'devel go1.24-abcdef', undefined);
  check('/home/me/go/src/example.com/x/a.go', 'go1.22.3', undefined);
});
