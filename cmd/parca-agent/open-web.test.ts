// Tests of the agent's page with a real web config file: TLS, and clients that offer HTTP/2.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Agent, request } from 'undici';
import { openStatusServer, type StatusSource } from '../../agent/status/status-server.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { createCertificates } from '../../test/support/certificates.ts';
import { scratchDirectory } from '../../test/support/server.ts';
import { createMachine } from '../machine.ts';
import { openAgentWeb } from './open-web.ts';

const certificates = createCertificates();
const scratch = await scratchDirectory();
after(async () => {
  certificates.remove();
  await scratch.remove();
});

test('TLS and tokens, for clients with and without HTTP/2', async () => {
  certificates.make('agent', 'IP:127.0.0.1');
  for (const name of ['agent.pem', 'agent.key']) {
    writeFileSync(join(scratch.path, name), certificates.text(name));
  }
  const sha256 = createHash('sha256').update('r').digest('hex');
  const path = join(scratch.path, 'web.yml');
  const tls = 'tls_server_config: {cert_file: agent.pem, key_file: agent.key}';
  writeFileSync(path, `${tls}\nbearer_tokens: [{name: r, sha256: ${sha256}, scopes: [read]}]\n`);
  const build = { version: 'test', commit: 'test' };
  const web = await openAgentWeb(
    createMachine({ logLevel: 'error', logFormat: 'json' }, build),
    path,
  );
  const fail = async (): Promise<never> => {
    throw new Error('not for this test');
  };
  const source: StatusSource = {
    status: () => {
      throw new Error('not for this test');
    },
    metricsText: async () => ({ contentType: 'text/plain', text: 'a 1' }),
    cpuProfile: fail,
    heapProfile: fail,
    problem: () => undefined,
    logger: silentLogger,
  };
  const door = { gate: web.gate, tls: web.tls, allowedHosts: [] };
  const server = await openStatusServer('127.0.0.1:0', source, door);
  for (const allowH2 of [true, false]) {
    const dispatcher = new Agent({ connect: { ca: certificates.text('ca.pem') }, allowH2 });
    const requestStatus = async (at: string, headers: Record<string, string>): Promise<number> => {
      const answer = await request(`https://${server.address}${at}`, { dispatcher, headers });
      await answer.body.dump();
      return answer.statusCode;
    };
    assert.equal(await requestStatus('/metrics', {}), 401);
    assert.equal(await requestStatus('/metrics', { authorization: 'Bearer r' }), 200);
    assert.equal(await requestStatus('/healthy', {}), 200);
    await dispatcher.close();
  }
  await assert.rejects(fetch(`http://${server.address}/healthy`));
  await web.watch.stop();
  await server.close();
});
