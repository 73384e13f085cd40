// Tests that the command line of Parca's Helm chart starts our server, and that its probe reports
// it as healthy.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { publishedCommands } from '../../support/published-commands.ts';
import { startPublished } from '../../support/published-server.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';
import { createCertificates } from '../../support/certificates.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const run = promisify(execFile);
const probe = new URL('../../../tools/bin/grpc-health-probe.cjs', import.meta.url).pathname;

/** Runs the probe; returns its exit code and its output. */
async function runProbe(...args: string[]): Promise<[code: number, text: string]> {
  try {
    const { stdout, stderr } = await run(process.execPath, [probe, ...args]);
    return [0, stdout + stderr];
  } catch (error) {
    assert.ok(error instanceof Error && 'code' in error && 'stderr' in error, String(error));
    return [Number(error.code), String(error.stderr)];
  }
}

test("the command line of Parca's Helm chart starts the server, which its probe asks", async () => {
  const scratch = await scratchDirectory();
  const [chart] = publishedCommands;
  assert.match(chart.source, /helm-charts/);
  const server = await startPublished(chart, scratch.path);
  try {
    const port = server.address.split(':').at(-1);
    assert.deepEqual(await runProbe('-v', `-addr=:${port}`), [0, 'status: SERVING\n']);
    const service = ['-service', 'parca.query.v1alpha1.QueryService', '-gzip'];
    assert.deepEqual(await runProbe('-addr', server.address, ...service), [0, 'status: SERVING\n']);
    const unknown = 'error: health rpc failed: status 5: unknown service\n';
    assert.deepEqual(await runProbe('-addr', server.address, '--service=x'), [3, unknown]);
    for (const path of ['/healthy', '/ready', '/-/healthy', '/-/ready']) {
      assert.equal((await fetch(`http://${server.address}${path}`)).status, 200, path);
    }
    assert.equal(await server.stop(), 0);
    const [code, text] = await runProbe('-addr', server.address);
    assert.deepEqual(code, 2, text);
    assert.match(text, /failed to connect service at "127\.0\.0\.1:\d+": connect ECONNREFUSED/);
  } finally {
    await scratch.remove();
  }
});

test('both programs read their flags before they answer --version', async () => {
  const ask = async (program: string, ...args: string[]): Promise<string> => {
    const main = new URL(`../../../cmd/${program}/main.ts`, import.meta.url).pathname;
    const ended = await run(process.execPath, [main, ...args]).catch((error: unknown) => error);
    assert.ok(typeof ended === 'object' && ended !== null, String(ended));
    return 'stderr' in ended && 'stdout' in ended ? `${ended.stdout}${ended.stderr}` : '';
  };
  assert.match(await ask('parca', '/parca', '--version'), /^parca, version /);
  assert.match(
    await ask('parca-agent', '/bin/parca-agent', '--off-cpu-threshold=0', '--version'),
    /^parca-agent, version /,
  );
  for (const program of ['parca', 'parca-agent']) {
    const said = await ask(program, '--bogus', '--version');
    assert.match(said, new RegExp(`^${program}: unknown flag --bogus: see --help$`, 'm'));
  }
});

test('the probe speaks TLS, and says what is wrong with its flags', async () => {
  const scratch = await scratchDirectory();
  const certificates = createCertificates();
  certificates.make('server', 'IP:127.0.0.1,DNS:parca.test');
  const web = join(scratch.path, 'web.yml');
  const files = `cert_file: ${certificates.folder}/server.pem\n  key_file: ${certificates.folder}/server.key`;
  await writeFile(web, `tls_server_config:\n  ${files}\n`);
  const server = await startServer({
    storagePath: join(scratch.path, 'data'),
    flags: [`--web-config-file=${web}`],
  });
  try {
    const to = ['-addr', server.address, '-tls'];
    const ca = `-tls-ca-cert=${certificates.folder}/ca.pem`;
    assert.deepEqual(await runProbe(...to, ca), [0, 'status: SERVING\n']);
    assert.deepEqual(await runProbe(...to, ca, '-tls-server-name=parca.test'), [
      0,
      'status: SERVING\n',
    ]);
    assert.equal((await runProbe(...to, '-tls-no-verify'))[0], 0);
    assert.equal((await runProbe(...to))[0], 2);
    assert.equal((await runProbe(...to, ca, '-tls-server-name=other.test'))[0], 2);
    assert.equal((await runProbe('-addr', server.address, '-tls=false'))[0], 2);
    const wrong = async (want: RegExp, ...args: string[]): Promise<void> => {
      const [code, text] = await runProbe(...args);
      assert.equal(code, 1);
      assert.match(text, want);
    };
    await wrong(/-addr must be host:port or :port, not ""/);
    await wrong(/-tls-ca-cert without -tls/, '-addr=:1', ca);
    await wrong(/-connect-timeout must be longer than 0/, '-addr=:1', '-connect-timeout=0s');
    await wrong(/-alts and -spiffe are not supported/, '-addr=:1', '-spiffe');
    await wrong(/Unknown option '--adr'/, '-adr=:1');
    await wrong(/error=ENOENT/, '-addr=:1', '-tls', '-tls-ca-cert=/none');
    assert.equal(await server.stop(), 0);
  } finally {
    certificates.remove();
    await scratch.remove();
  }
});
