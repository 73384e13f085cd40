// Tests of links by the names of files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleLink } from './module-links.ts';

function check(file: string, want: string | undefined, version?: string): void {
  const link = moduleLink(file);
  assert.equal(link?.url, want, file);
  if (version !== undefined) assert.equal(link?.version, version);
}

test('files of Go modules, in the cache and by -trimpath', () => {
  const cache = '/home/me/go/pkg/mod/';
  const github = 'https://github.com';
  check(
    `${cache}github.com/!burnt!sushi/toml@v1.3.2/decode.go`,
    `${github}/BurntSushi/toml/blob/v1.3.2/decode.go#L{line}`,
    'v1.3.2',
  );
  check('github.com/a/b@v1.2.3/c/d.go', `${github}/a/b/blob/v1.2.3/c/d.go#L{line}`);
  check('github.com/a/b/v2@v2.0.1/c.go', `${github}/a/b/blob/v2.0.1/c.go#L{line}`);
  check(
    'github.com/aws/aws-sdk-go-v2/service/s3@v1.55.0/api_client.go',
    `${github}/aws/aws-sdk-go-v2/blob/service/s3/v1.55.0/service/s3/api_client.go#L{line}`,
  );
  check('github.com/a/b@v3.0.0+incompatible/c.go', `${github}/a/b/blob/v3.0.0/c.go#L{line}`);
  check(
    'github.com/a/b@v0.0.0-20230102150405-abcdef123456/c.go',
    `${github}/a/b/blob/abcdef123456/c.go#L{line}`,
  );
  check(
    'github.com/a/b@v1.2.4-0.20230102150405-abcdef123456/c.go',
    `${github}/a/b/blob/abcdef123456/c.go#L{line}`,
  );
  check(
    `${cache}golang.org/x/net@v0.30.0/http2/frame.go`,
    `${github}/golang/net/blob/v0.30.0/http2/frame.go#L{line}`,
  );
  check('gopkg.in/yaml.v3@v3.0.1/a.go', `${github}/go-yaml/yaml/blob/v3.0.1/a.go#L{line}`);
  check('gitlab.com/a/b@v1.0.0/c.go', 'https://gitlab.com/a/b/-/blob/v1.0.0/c.go#L{line}');
  check('codeberg.org/a/b@v1.0.0/c.go', 'https://codeberg.org/a/b/src/tag/v1.0.0/c.go#L{line}');
  check('go.etcd.io/bbolt@v1.3.8/db.go', 'https://pkg.go.dev/go.etcd.io/bbolt@v1.3.8');
});

test("files of Go's own library, in a folder that has the release", () => {
  const want = 'https://github.com/golang/go/blob/go1.22.3/src/runtime/proc.go#L{line}';
  check(
    '/home/me/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.22.3.linux-amd64/src/runtime/proc.go',
    want,
  );
  check('/usr/local/go1.22.3/src/runtime/proc.go', want);
  check('/usr/local/go/src/runtime/proc.go', undefined);
});

test("files of crates, and of Rust's own library", () => {
  check(
    '/home/me/.cargo/registry/src/index.crates.io-6f17d22bba15001f/serde_json-1.0.114/src/de.rs',
    'https://docs.rs/crate/serde_json/1.0.114/source/src/de.rs#{line}',
    '1.0.114',
  );
  check(
    '/home/me/.cargo/registry/src/github.com-1ecc6299db9ec823/md-5-0.10.6/src/lib.rs',
    'https://docs.rs/crate/md-5/0.10.6/source/src/lib.rs#{line}',
  );
  const commit = '25ef9e3d85d934b27d9dada2f9dd52b1dc63bb04';
  check(
    `/rustc/${commit}/library/core/src/ops/function.rs`,
    `https://github.com/rust-lang/rust/blob/${commit}/library/core/src/ops/function.rs#L{line}`,
  );
  // Such a folder has the name of a repository, but not its address.
  check('/home/me/.cargo/git/checkouts/tokio-0123456789abcdef/0a1b2c3/tokio/src/lib.rs', undefined);
});

test('hostile names become no other address', () => {
  check('github.com/a/b@v1.2.3/../../../evil/x.go', undefined);
  check(
    'github.com/a/b@v1.2.3/"><script>.go',
    'https://github.com/a/b/blob/v1.2.3/%22%3E%3Cscript%3E.go#L{line}',
  );
  check(
    'github.com/a/b@v1.2.3/c?x=#{line}.go',
    'https://github.com/a/b/blob/v1.2.3/c%3Fx%3D%23%7Bline%7D.go#L{line}',
  );
  check('github.com/a/..@v1.2.3/c.go', undefined);
  check('github.com/a/b/../../c/d@v1.2.3/c.go', undefined);
  check('javascript:alert(1)//@v1.2.3/c.go', undefined);
  check('evil.example/x@v1.2.3/c.go', 'https://pkg.go.dev/evil.example/x@v1.2.3');
  check('github.com/a/b@v1.2.3;rm/c.go', undefined);
  check('a.example/b/%2e%2e@v1.2.3/c.go', undefined);
  check(
    `/rustc/${'0'.repeat(40)}/\ud800.rs`,
    `https://github.com/rust-lang/rust/blob/${'0'.repeat(40)}/%EF%BF%BD.rs#L{line}`,
  );
});
