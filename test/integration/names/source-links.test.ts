// Tests links from source lines to repositories, which are made from the config file and the labels
// of pushed profiles.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { encodeLineProfile, type LineFrame } from '../../support/profiles/line-profile.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const timeNanos = 1_790_000_000_000_000_000n;
const at = new Date(Number(timeNanos / 1_000_000n)).toISOString();
const config = `
scrape_configs: []
source_links:
  - prefix: /build/shop/
    labels: {job: shop}
    repository: https://git.example.com/acme/shop
    kind: gitea
  - prefix: /build/shop/
    template: vscode://file/home/me/shop/{path}:{line}
`;

const scratch = await scratchDirectory();
after(() => scratch.remove());
const server = await startServer({ storagePath: join(scratch.path, 'data'), config });
after(() => server.stop());
const client = connect(server.address);
after(() => client.close());
const frame: LineFrame = { name: 'add', file: '/build/shop/cart/cart.go', line: 67 };
for (const version of ['v2.14.0', 'v2.15.0']) {
  const profile = encodeLineProfile({ timeNanos, buildId: '', samples: [[1, frame]] });
  const labels = { __name__: 'app', job: 'shop', version };
  await unary(client, writeRawPath, writeRawRequest(labels, profile));
}

async function ask(query: string, file: string): Promise<unknown> {
  const parameters = new URLSearchParams({ query, file, start: at, end: at });
  const response = await fetch(`${server.url}/api/v1/source-links?${parameters}`);
  return response.json();
}

test('a file has links of the rules, for each version that the query selects', async () => {
  const type = 'app:samples:count:cpu:nanoseconds:delta';
  const root = 'https://git.example.com/acme/shop/src/tag';
  const editor = {
    title: 'VS Code',
    url: 'vscode://file/home/me/shop/cart/cart.go:{line}',
    version: '',
  };
  const ofVersion = (version: string) => ({
    title: 'git.example.com',
    url: `${root}/${version}/cart/cart.go#L{line}`,
    version,
  });
  assert.deepEqual(await ask(`${type}{}`, frame.file), {
    links: [ofVersion('v2.14.0'), ofVersion('v2.15.0'), editor],
    warnings: [],
  });
  // Stages, and the base of a comparison, do not matter.
  const sides = ['v2.14.0', 'v2.15.0'].map((version) => `${type}{version="${version}"}`);
  const diff = `diff(${sides[0]}, ${sides[1]}) | stack function equals "add"`;
  assert.deepEqual(await ask(diff, frame.file), {
    links: [ofVersion('v2.15.0'), editor],
    warnings: [],
  });
  const rustc = `/rustc/${'0a'.repeat(20)}/library/core/src/str.rs`;
  assert.deepEqual(await ask(type, rustc), {
    links: [
      {
        title: 'rust-lang/rust',
        url: `https://github.com/rust-lang/rust/blob/${'0a'.repeat(20)}/library/core/src/str.rs#L{line}`,
        version: '0a'.repeat(20),
      },
    ],
    warnings: [],
  });
  assert.deepEqual(await ask('', frame.file), {
    code: 3,
    message: 'query: cannot be blank.',
    details: [],
  });
});
