// Attacks on operators' endpoints, target lists, relabeling, discovery, scrapes and passwords.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Attack, user } from '../attack.ts';
import { flood, send, shooting } from '../client.ts';
import { calling, frame, openSession, reportPanic, startCall, writeStream } from '../grpc.ts';
import { listedTargets, manyTargets } from './targets.ts';

/** Replaces the server's list of targets. */
async function listTargets(
  folder: string,
  targets: readonly string[],
  salt: number,
): Promise<void> {
  const path = join(folder, 'targets.json');
  await writeFile(`${path}.new`, JSON.stringify([{ targets, labels: { salt: String(salt) } }]));
  await rename(`${path}.new`, path);
}

/** Makes relabeling rules; each rule makes a value four times as long. */
function growingRules(rules: number): string {
  const rule =
    '- {source_labels: [__address__, __address__, __address__, __address__], target_label: __address__}\n';
  return JSON.stringify({
    labels: { __address__: 'x'.repeat(90) },
    relabelConfigs: rule.repeat(rules),
  });
}

/**
 * Makes bodies of 16 KB of YAML. In each body, aliases expand to millions of labels in a different
 * way.
 */
function aliasedRules(): readonly string[] {
  const repeat = (count: number, text: string, separator: string): string =>
    Array.from({ length: count }, () => text).join(separator);
  const wide = `{target_label: b, ${Array.from({ length: 900 }, (_, i) => `k${i}: 1`).join(',')}}`;
  return [
    `- &a {source_labels: [${repeat(2_000, 'a', ',')}], target_label: b}\n${repeat(2_400, '- *a', '\n')}`,
    `- {source_labels: [&a x,${repeat(5_000, '*a', ',')}], target_label: b}`,
    `- &a ${wide}\n${repeat(190, '- {<<: [*a,*a,*a]}', '\n')}`,
    `- {source_labels: [${repeat(8_000, 'a', ',')}], target_label: b}`,
  ].map((relabelConfigs) => JSON.stringify({ labels: { a: 'x' }, relabelConfigs }));
}

const relabelPath = '/api/v1/targets/relabel_steps';

export const operatorAttacks: readonly Attack[] = [
  {
    // The review's.
    name: 'relabel-growth',
    door: 'own',
    prepare: async (target) => {
      const bodies = [8, 9, 120].map((rules) => growingRules(rules));
      return shooting(target, 8, (i) => ({ path: relabelPath, body: bodies[i % bodies.length] }));
    },
  },
  {
    name: 'relabel-patterns',
    door: 'own',
    prepare: async (target) => {
      const rule = (i: number): string =>
        `- {source_labels: [a], regex: '(a|b|ab)*(${'a?'.repeat(60)})${i}', target_label: b${i}}\n`;
      const relabelConfigs = Array.from({ length: 120 }, (_, i) => rule(i)).join('');
      const body = JSON.stringify({ labels: { a: 'ab'.repeat(8_000) }, relabelConfigs });
      return shooting(target, 16, () => ({ path: relabelPath, body }));
    },
  },
  {
    name: 'relabel-aliases',
    door: 'own',
    prepare: async (target) => {
      const bodies = aliasedRules();
      return shooting(target, 8, (i) => ({ path: relabelPath, body: bodies[i % bodies.length] }));
    },
  },
  {
    name: 'marks',
    door: 'own',
    prepare: async (target) =>
      shooting(target, 32, (i) =>
        i % 4 === 0
          ? { path: '/api/v1/marks' }
          : {
              path: '/api/v1/marks',
              body: JSON.stringify({
                text: `deploy ${i} ${'x'.repeat(150)}`,
                labels: { job: 'shop' },
              }),
            },
      ),
  },
  {
    name: 'target-lists',
    door: 'own',
    server: { config: () => manyTargets(20_000) },
    prepare: async (target) =>
      shooting(target, 32, (i) => ({
        path: ['/api/v1/targets', '/api/targets', '/api/v1/targets?search=zz'][i % 3],
      })),
  },
  {
    name: 'target-files',
    door: 'own',
    server: { config: listedTargets },
    // Replaces all 10,000 targets every second. The list is empty at the end, because targets that
    // are still scraped would use memory after the attack.
    prepare: async (target) => async (signal) => {
      await flood(signal, 1, async (round) => {
        const targets = Array.from({ length: 10_000 }, (_, i) => {
          return `127.${round % 200}.${i >> 8}.${i & 255}:1`;
        });
        await listTargets(target.folder, targets, round);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      });
      await listTargets(target.folder, [], 0);
    },
  },
  {
    name: 'hostile-targets',
    door: 'own',
    server: { config: listedTargets },
    prepare: async (target) => {
      const part = gzipSync(Buffer.alloc(16 << 20));
      const bomb = Buffer.concat(Array.from({ length: 16 }, () => part));
      const server = createServer((request, response) => {
        const kind = (request.socket.localPort ?? 0) + (request.url?.length ?? 0);
        if (kind % 3 === 0) response.write('x');
        else response.end(kind % 3 === 1 ? bomb : Buffer.alloc(30_000_000, 'x'));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const targets = Array.from({ length: 100 }, (_, i) => `127.0.0.${1 + (i % 250)}:${port}`);
      await listTargets(target.folder, targets, 0);
      return async (signal) => {
        await once(signal, 'abort');
        server.close().closeAllConnections();
      };
    },
  },
  {
    name: 'self-profiles',
    door: 'own',
    prepare: async (target) =>
      shooting(target, 50, (i) => ({
        path: i % 5 ? '/debug/pprof/profile?seconds=2' : '/debug/pprof/heap',
      })),
  },
  {
    name: 'metrics',
    door: 'port',
    prepare: async (target) => shooting(target, 64, () => ({ path: '/metrics' })),
  },
  {
    name: 'status-pages',
    door: 'own',
    prepare: async (target) => {
      const paths = ['/api/v1/settings', '/api/v1/symbols', '/api/agents', '/', '/targets'];
      return shooting(target, 64, (i) => ({ path: paths[i % paths.length] }));
    },
  },
  {
    name: 'panics',
    door: 'own',
    prepare: async (target) => {
      const text = Buffer.alloc(900_000, '\x1b[2Jpanic\n');
      const head = Buffer.from([0x0a, 0xa0, 0xf7, 0x36]);
      const body = frame(Buffer.concat([head, text]));
      return calling(target, 32, reportPanic, () => body);
    },
  },
  {
    name: 'open-writes',
    door: 'own',
    // Opens streams of Write that never send their second message.
    prepare: async (target) => (signal) =>
      flood(signal, 8, async () => {
        const session = openSession(target);
        for (let i = 0; i < 500; i += 1) {
          startCall(session, writeStream)
            .resume()
            .write(frame(Buffer.alloc(2_000)));
        }
        await new Promise((resolve) => {
          setTimeout(resolve, 3_000);
          signal.addEventListener('abort', resolve, { once: true });
        });
        session.destroy();
      }),
  },
  {
    name: 'watched-health',
    door: 'own',
    prepare: async (target) => (signal) =>
      flood(signal, 8, async () => {
        const session = openSession(target);
        for (let i = 0; i < 900; i += 1) {
          startCall(session, '/grpc.health.v1.Health/Watch')
            .resume()
            .end(frame(Buffer.alloc(0)));
        }
        await new Promise((resolve) => {
          setTimeout(resolve, 2_000);
          signal.addEventListener('abort', resolve, { once: true });
        });
        session.destroy();
      }),
  },
  {
    // Sends wrong passwords over twenty connections.
    name: 'wrong-passwords',
    door: 'own',
    server: { hasPasswords: true },
    prepare: async (target) =>
      shooting(target, 20, (i) => {
        const text = Buffer.from(`${user}:wrong ${i}`).toString('base64');
        return { path: '/api/profiles/types', headers: { authorization: `Basic ${text}` } };
      }),
  },
  {
    name: 'wrong-tokens',
    door: 'own',
    server: { hasPasswords: true },
    prepare: async (target) => (signal) =>
      flood(signal, 64, (i) =>
        send(
          target,
          {
            path: '/api/profiles/types',
            headers: { authorization: `Bearer ${i}${'x'.repeat(5_000)}` },
          },
          signal,
        ),
      ),
  },
  {
    name: 'hostile-names',
    door: 'own',
    // Pushes and exports names with escape sequences for terminals and browsers.
    prepare: async (target) => {
      const lines = Array.from(
        { length: 3_000 },
        (_, i) => `\u202e${i};\x1b]0;t\x07${i};<script>${i};\r${i} 1`,
      );
      const body = lines.join('\n');
      return shooting(target, 8, (i) =>
        i % 2
          ? { path: `/api/v1/push?job=${encodeURIComponent('\x1b[31m')}`, body }
          : { path: '/api/v1/export?format=collapsed&query=%7Bjob%3D~%22.*%22%7D' },
      );
    },
  },
];
