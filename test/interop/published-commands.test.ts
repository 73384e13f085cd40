// Tests that every published command line of Parca starts our server, and that the real
// grpc_health_probe reports it as healthy.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { publishedCommands } from '../support/published-commands.ts';
import { startPublished } from '../support/published-server.ts';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const run = promisify(execFile);

for (const command of publishedCommands.filter(({ program }) => program === 'parca')) {
  test(`${command.source}: ${command.args.join(' ')}`, async () => {
    const scratch = await scratchDirectory();
    const server = await startPublished(command, scratch.path);
    let code: number | null;
    try {
      // On a busy machine, the probe's default of one second may be too short.
      const times = ['-connect-timeout=30s', '-rpc-timeout=30s'];
      const args = ['-addr', server.address, ...times];
      const { stderr } = await run(testTool('TEST_GRPC_HEALTH_PROBE'), args);
      assert.equal(stderr, 'status: SERVING\n');
      const prefix = command.args.includes('--path-prefix=/parca') ? '/parca' : '';
      const page = await fetch(`http://${server.address}${prefix}/`);
      assert.equal(page.status, 200);
      await page.body?.cancel();
    } finally {
      code = await server.stop();
      await scratch.remove();
    }
    assert.equal(code, 0, server.log());
  });
}
