// Tests of mangled names that occur in profiles.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { askStacks, pushUnnamed } from '../../test/support/profiles/unnamed-profiles.ts';

const stack = {
  path: '/app/server',
  buildId: 'aa11',
  addresses: [0x30, 0x20, 0x10],
  names: ['_ZNSt6vectorIiSaIiEE9push_backERKi', '_RINvC3foo3barmE', 'main'],
};
const mangled = `main;${stack.names[1]};${stack.names[0]} 7`;

test('names that came mangled are readable with a following query, as the flag says', async () => {
  const scratch = await scratchDirectory();
  after(() => scratch.remove());
  for (const [mode, want] of [
    ['simple', 'main;foo::bar;std::vector::push_back 7'],
    [
      'full',
      'main;foo::bar::<u32>;std::vector<int, std::allocator<int> >::push_back(int const&) 7',
    ],
    ['none', mangled],
  ]) {
    const server = await startServer({
      storagePath: join(scratch.path, mode),
      flags: [`--symbolizer-demangle-mode=${mode}`],
    });
    after(() => server.kill());
    const client = connect(server.address);
    await pushUnnamed(client, 'app', stack);
    client.close();
    assert.deepEqual(await askStacks(server.url, 'app'), { text: want, warnings: [] });
    await server.stop();
  }
});
