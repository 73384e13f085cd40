// Tests of sending e-mails to a scripted server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { seededRandom } from '../base/random.ts';
import type { MailReceiver } from '../config/config.ts';
import type { GroupMessage } from './alert-message.ts';
import { createMailSender } from './mail-sender.ts';

const evil = 'a\r\nBcc: victim@example.com\r\n\r\nHello';

const message: GroupMessage = {
  receiver: 'team',
  groupLabels: [{ name: 'job', value: evil }],
  externalUrl: 'http://parca',
  afterMillis: 0,
  alerts: [
    {
      key: 'a',
      labels: [{ name: 'job', value: evil }],
      annotations: [{ name: 'summary', value: `${evil}\r\n.\r\nRCPT TO:<victim@example.com>` }],
      activeMillis: 0,
      isResolved: false,
      endMillis: 0,
      link: 'http://parca/?q=x',
    },
  ],
};

/** Lines that the server received, and the result of sending. */
interface Outcome {
  readonly lines: readonly string[];
  readonly result: string;
}

/**
 * Sends a message to a server. `answers` replace the usual replies to commands; "" = no reply, and
 * the sender is stopped; "close" = the server closes the connection.
 */
async function sendTo(
  answers: Readonly<Record<string, string>>,
  given: Partial<MailReceiver> = {},
): Promise<Outcome> {
  const lines: string[] = [];
  const ending = new AbortController();
  const usual: Readonly<Record<string, string>> = { DATA: '354 go on', QUIT: '221 bye' };
  const server = createServer((socket) => {
    let isData = false;
    let rest = '';
    const answer = (command: string): void => {
      const text = answers[command] ?? usual[command] ?? '250 OK';
      if (text === '') ending.abort();
      else if (text === 'close') socket.destroy();
      else socket.write(`${text}\r\n`);
    };
    socket.on('error', () => {});
    socket.write('220 mail.example.com\r\n');
    socket.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\r\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        lines.push(line);
        if (isData && line !== '.') continue;
        const command = isData ? '.' : line.replace(/[ :].*$/, '');
        isData = command === 'DATA';
        answer(command);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const way: MailReceiver = {
    kind: 'email',
    to: 'Team A <a@example.com>',
    from: 'parca@example.com',
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    hello: 'localhost',
    username: '',
    password: { kind: 'inline', text: '' },
    requireTls: false,
    isImplicitTls: false,
    tls: undefined,
    headers: new Map([['X-Team', 'a']]),
    sendsResolved: true,
    sendsPicture: true,
    ...given,
  };
  const sender = createMailSender(way, {
    clock: createFakeClock(0),
    files: new MemoryFiles(seededRandom(1)),
  });
  const result = await sender.send(message, ending.signal).then(
    (refusal) => (refusal === undefined ? 'taken' : `refused: ${refusal}`),
    (error: unknown) => `failed: ${errorMessage(error)}`,
  );
  await sender.close();
  const closed = once(server, 'close');
  server.close();
  await closed;
  return { lines, result };
}

test('a label with newlines adds no header, no recipient and no command', async () => {
  const { lines, result } = await sendTo({});
  assert.equal(result, 'taken');
  const data = lines.indexOf('DATA');
  assert.deepEqual(lines.slice(0, data), [
    'EHLO localhost',
    'MAIL FROM:<parca@example.com>',
    'RCPT TO:<a@example.com>',
  ]);
  const headersEnd = lines.indexOf('', data);
  const headers = lines
    .slice(data + 1, headersEnd)
    .join('\n')
    .replaceAll(/\n[ \t]+/g, ' ');
  assert.deepEqual(
    headers.split('\n').map((line) => line.replace(/^Message-ID: .*/, 'Message-ID')),
    [
      'X-Team: a',
      'Auto-Submitted: auto-generated',
      'From: parca@example.com',
      'To: Team A <a@example.com>',
      'Subject: Firing: a Bcc: victim@example.com Hello (1 alert)',
      'Message-ID',
      'Date: Thu, 01 Jan 1970 00:00:00 +0000',
      'Content-Transfer-Encoding: 7bit',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
    ],
  );
  assert.deepEqual(lines.slice(lines.indexOf('.')), ['.', 'QUIT']);
});

test('a refused address or message is given up, and all else is sent again', async () => {
  const check = async (
    answers: Readonly<Record<string, string>>,
    want: RegExp,
    given?: Partial<MailReceiver>,
  ): Promise<void> => assert.match((await sendTo(answers, given)).result, want);
  await check({ RCPT: '550 no such user' }, /^refused: .*550 no such user/);
  await check({ '.': '552 too large' }, /^refused: .*552 too large/);
  await check({ RCPT: '450 later' }, /^failed: cannot send an e-mail: .*450 later/);
  await check({ '.': '451 later' }, /^failed: .*451 later/);
  await check({ MAIL: '530 who are you' }, /^failed: .*530 who are you/);
  await check({ DATA: 'close' }, /^failed: /);
  await check({ DATA: '' }, /^failed: .*took too long, or was ended/);
  await check({ STARTTLS: '502 no TLS' }, /^failed: .*502 no TLS/, { requireTls: true });
  const login = { username: 'a', password: { kind: 'inline', text: 'b' } } as const;
  await check({ AUTH: '535 wrong' }, /^failed: .*535 wrong/, login);
});
