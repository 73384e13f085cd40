// The client against misbehaving servers; test/interop/object-store.test.ts uses a real server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createClock } from '../../../base/node/clock.ts';
import { createFiles } from '../../../base/node/files.ts';
import { seededRandom } from '../../../base/random.ts';
import { plainBucketHttp } from '../../../config/bucket-config.ts';
import { openBucketHttp } from '../bucket-http.ts';
import { S3Client, type S3Request } from './s3-client.ts';
import { s3Place } from './s3-place.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const asked: S3Request = {
  what: 'read object a',
  method: 'GET',
  key: 'a',
  answerBytesMax: 100,
  patience: { attemptsMax: 3, attemptMillisMax: 5_000 },
};

/** Answers the n-th request by the n-th answer, and counts the requests. */
async function withServer(
  answers: readonly Answer[],
  use: (client: S3Client, requests: IncomingMessage[]) => Promise<void>,
): Promise<void> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answers[Math.min(requests.length, answers.length) - 1](request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const place = s3Place({
    bucket: 'bucket',
    endpoint: `127.0.0.1:${port}`,
    region: '',
    insecure: true,
    lookup: 'auto',
  });
  const credentials = { accessKey: 'id', secretKey: 'hidden', sessionToken: '' };
  const keys = { current: async () => credentials, forget: () => undefined };
  const clock = createClock();
  const http = await openBucketHttp(plainBucketHttp, { clock, files: createFiles() });
  const options = { place, keys, http, clock, random: seededRandom(1) };
  const client = new S3Client(options);
  try {
    await use(client, requests);
  } finally {
    await client.close();
    server.closeAllConnections();
    server.close();
  }
}

const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
const good = answer(200, 'good');
const error = (code: string, message: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

test('throttling, server errors and closed connections are retried', async () => {
  const reset: Answer = (request) => request.socket.destroy();
  const cut: Answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '4' }).write('go', () => response.destroy());
  };
  const failures = [answer(503, error('SlowDown', 'Reduce')), answer(429), answer(500), reset, cut];
  for (const failure of failures) {
    await withServer([failure, failure, good], async (client, requests) => {
      const { body } = await client.send(asked);
      assert.equal(new TextDecoder().decode(body), 'good');
      assert.equal(requests.length, 3);
    });
  }
});

test('it gives up after the last attempt and says why', async () => {
  const slowDown = answer(503, error('SlowDown', 'Reduce your request rate'));
  await withServer([slowDown], async (client, requests) => {
    await assert.rejects(client.send(asked), {
      code: 'unavailable',
      message:
        /^cannot read object a in bucket bucket at 127\.0\.0\.1:\d+: it answers 503 SlowDown: Reduce your request rate \(tried 3 times\)$/,
    });
    assert.equal(requests.length, 3);
  });
});

test('refusals are not retried, and name the code', async () => {
  const check = (status: number, code: string, want: string): Promise<void> =>
    withServer([answer(status, error(code, 'because'))], async (client, requests) => {
      const wanted = { code: want, message: new RegExp(`answers ${status} ${code}.*: because$`) };
      await assert.rejects(client.send(asked), wanted);
      assert.equal(requests.length, 1);
    });
  await check(403, 'SignatureDoesNotMatch', 'failed-precondition');
  await check(404, 'NoSuchBucket', 'failed-precondition');
  await check(404, 'NoSuchKey', 'not-found');
  await check(507, 'XMinioStorageFull', 'resource-exhausted');
});

test('a server that does not answer meets the deadline', async () => {
  await withServer([() => undefined], async (client) => {
    const patience = { attemptsMax: 2, attemptMillisMax: 30 };
    await assert.rejects(client.send({ ...asked, patience }), {
      code: 'deadline-exceeded',
      message: /no answer within 30 ms \(tried 2 times\)$/,
    });
  });
});

test('an answer that is longer than asked for is not read', async () => {
  await withServer([answer(200, 'x'.repeat(101))], async (client) => {
    await assert.rejects(client.send(asked), {
      code: 'unavailable',
      message: /it answers more than the expected 100 bytes/,
    });
  });
});

test('requests go on in the region that the server names', async () => {
  const wrong = `<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-north-1</Region></Error>`;
  const byRegion: Answer = (request, response) => {
    const isRight = request.headers.authorization?.includes('/eu-north-1/s3/') === true;
    response.writeHead(isRight ? 200 : 400).end(isRight ? 'good' : wrong);
  };
  await withServer([byRegion], async (client, requests) => {
    const both = await Promise.all([client.send(asked), client.send(asked)]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(requests.length, 4);
    await client.send(asked);
    assert.equal(requests.length, 5);
  });
  // A server that never agrees is tried twice.
  await withServer([answer(400, wrong)], async (client, requests) => {
    await assert.rejects(client.send(asked), /AuthorizationHeaderMalformed/);
    assert.equal(requests.length, 2);
  });
});
