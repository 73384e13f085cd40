// Tests of a bucket on servers that misbehave. test/interop/object-store.test.ts uses a real
// server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { AppError } from '../../../base/errors.ts';
import { createClock } from '../../../base/node/clock.ts';
import { createFiles } from '../../../base/node/files.ts';
import { seededRandom } from '../../../base/random.ts';
import { objectPartBytes } from '../../limits.ts';
import type { Bucket } from '../bucket.ts';
import { makeObject } from '../fake/bucket-cases.ts';
import { loadTestSdk, s3Defaults } from '../fake/bucket-defaults.ts';
import { openS3Bucket } from './s3-bucket.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Starts a server that answers the n-th request with the n-th answer, and repeats the last answer.
 * Lists the requests.
 */
async function withServer(
  answers: readonly Answer[],
  use: (bucket: Bucket, requests: IncomingMessage[]) => Promise<void>,
): Promise<void> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answers[Math.min(requests.length, answers.length) - 1](request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const bucket = await openS3Bucket(
    {
      ...s3Defaults,
      bucket: 'bucket',
      endpoint: `127.0.0.1:${port}`,
      accessKey: 'id',
      secretKey: 'hidden',
      insecure: true,
      attemptsMax: 3,
    },
    '',
    {
      files: createFiles(),
      clock: createClock(),
      random: seededRandom(1),
      loadSdk: loadTestSdk,
    },
  );
  try {
    await use(bucket, requests);
  } finally {
    await bucket.close();
    server.closeAllConnections();
    server.close();
  }
}

const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
const good = answer(206, 'good', { 'content-range': 'bytes 0-3/9' });
const readGood = (bucket: Bucket): Promise<Uint8Array> => bucket.readRange('a', 0, 4);
const error = (code: string, message: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

test('throttling, server errors and closed connections are retried', async () => {
  const reset: Answer = (request) => request.socket.destroy();
  const cut: Answer = (_request, response) => {
    const headers = { 'content-length': '4', 'content-range': 'bytes 0-3/9' };
    response.writeHead(206, headers).write('go', () => response.destroy());
  };
  const failures = [answer(503, error('SlowDown', 'Reduce')), answer(429), answer(500), reset, cut];
  for (const failure of failures) {
    await withServer([failure, failure, good], async (bucket, requests) => {
      assert.equal(new TextDecoder().decode(await readGood(bucket)), 'good');
      assert.equal(requests.length, 3);
    });
  }
});

test('it gives up after the last attempt and says why', async () => {
  const slowDown = answer(503, error('SlowDown', 'Reduce your request rate'));
  await withServer([slowDown], async (bucket, requests) => {
    await assert.rejects(readGood(bucket), {
      code: 'unavailable',
      message:
        /^cannot read object a in bucket bucket at 127\.0\.0\.1:\d+: it answers 503 SlowDown: Reduce your request rate \(tried 3 times\)$/,
    });
    assert.equal(requests.length, 3);
  });
});

test('refusals are not retried, and name the code', async () => {
  const check = (status: number, code: string, want: string, hint = ''): Promise<void> =>
    withServer([answer(status, error(code, 'because'))], async (bucket, requests) => {
      const message = new RegExp(`answers ${status} ${code}: because${hint}$`);
      await assert.rejects(
        bucket.list('a', () => true),
        { code: want, message },
      );
      assert.equal(requests.length, 1);
    });
  const hint = '; access is denied; check access_key and secret_key, or the role of this machine';
  await check(403, 'SignatureDoesNotMatch', 'failed-precondition', hint);
  await check(404, 'NoSuchBucket', 'failed-precondition');
  await check(507, 'XMinioStorageFull', 'resource-exhausted');
  await check(403, 'QuotaExceeded', 'resource-exhausted');
  await withServer([answer(404, error('NoSuchKey', 'because'))], async (bucket) => {
    await assert.rejects(readGood(bucket), { code: 'not-found', message: /404 NoSuchKey/ });
  });
});

test('an upload of which a part fails is abandoned', async () => {
  const begun = answer(200, '<R><UploadId>7</UploadId></R>');
  const refused = answer(403, error('AccessDenied', 'because'));
  await withServer([begun, refused, answer(204)], async (bucket, requests) => {
    await assert.rejects(bucket.put('a', makeObject(objectPartBytes + 1)), /403 AccessDenied/);
    const urls = requests.map(({ method, url }) => `${method} ${url}`);
    assert.match(urls[2] ?? '', /^DELETE \/bucket\/a\?uploadId=7/);
  });
});

test('an answer that is longer than asked for is not read', async () => {
  const headers = { 'content-range': 'bytes 0-3/9' };
  await withServer([answer(206, 'x'.repeat(101), headers)], async (bucket) => {
    await assert.rejects(readGood(bucket), {
      code: 'unavailable',
      message: /it answers more than the expected 4 bytes/,
    });
  });
});

test('an answer with other bytes is not taken', async () => {
  await withServer([answer(200, 'good and more')], async (bucket) => {
    await assert.rejects(bucket.readRange('a', 5, 4), {
      code: 'data-loss',
      message: /the bucket answers all of it for bytes from 5 on/,
    });
  });
});

test('a request that hangs is ended with its caller, before and within the answer', async () => {
  const gone = new AppError('cancelled', 'the caller has gone');
  const silent: Answer = () => undefined;
  const stalled: Answer = (_request, response) => {
    const headers = { 'content-length': '4', 'content-range': 'bytes 0-3/9' };
    response.writeHead(206, headers).write('go');
  };
  for (const hanging of [silent, stalled]) {
    const begun = Promise.withResolvers<undefined>();
    const closed = Promise.withResolvers<undefined>();
    const noted: Answer = (request, response) => {
      response.on('close', () => closed.resolve(undefined));
      hanging(request, response);
      begun.resolve(undefined);
    };
    await withServer([noted, good], async (bucket, requests) => {
      const caller = new AbortController();
      const asked = bucket.readRange('a', 0, 4, caller.signal);
      await begun.promise;
      caller.abort(gone);
      await assert.rejects(asked, gone);
      await closed.promise;
      assert.equal(requests.length, 1);
      assert.equal(new TextDecoder().decode(await readGood(bucket)), 'good');
    });
  }
});

test('requests go on in the region that the server names', async () => {
  const wrong = `<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-north-1</Region></Error>`;
  const byRegion: Answer = (request, response) => {
    const isRight = request.headers.authorization?.includes('/eu-north-1/s3/') === true;
    if (isRight) good(request, response);
    else response.writeHead(400).end(wrong);
  };
  await withServer([byRegion], async (bucket, requests) => {
    await Promise.all([readGood(bucket), readGood(bucket)]);
    assert.equal(requests.length, 4);
    await readGood(bucket);
    assert.equal(requests.length, 5);
  });
  // If a server refuses every region, the request is sent twice.
  await withServer([answer(400, wrong)], async (bucket, requests) => {
    await assert.rejects(readGood(bucket), /AuthorizationHeaderMalformed/);
    assert.equal(requests.length, 2);
  });
});
