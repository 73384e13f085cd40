import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalQuery,
  emptyBodyHash,
  encodePath,
  signedHeaders,
  type SignedRequest,
} from './aws-signature.ts';

// The requests and keys are the examples in Amazon's S3 API reference, "Signature Calculations for
// the Authorization Header". The keys belong to no account.
const credentials = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
};
const host = 'examplebucket.s3.amazonaws.com';
const nowMillis = Date.UTC(2013, 4, 24);

test('signs as the examples of the S3 reference', () => {
  const check = (request: Partial<SignedRequest>, want: string): void => {
    const { authorization } = signedHeaders(
      {
        method: 'GET',
        path: '/',
        query: [],
        bodyHash: emptyBodyHash,
        ...request,
        headers: { host, ...request.headers },
      },
      { region: 'us-east-1', service: 's3' },
      credentials,
      nowMillis,
    );
    assert.equal(/Signature=(\w+)$/.exec(authorization)?.[1], want);
  };
  check(
    { path: '/test.txt', headers: { range: 'bytes=0-9' } },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  check(
    {
      method: 'PUT',
      path: encodePath('test$file.text'),
      headers: {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      bodyHash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
  check(
    { query: [['lifecycle', '']] },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
  check(
    {
      query: [
        ['prefix', 'J'],
        ['max-keys', '2'],
      ],
    },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

test('a session token is sent and signed', () => {
  const headers = signedHeaders(
    { method: 'GET', path: '/', query: [], headers: { host }, bodyHash: emptyBodyHash },
    { region: 'us-east-1', service: 's3' },
    { ...credentials, sessionToken: 'token' },
    nowMillis,
  );
  assert.equal(headers['x-amz-security-token'], 'token');
  assert.match(headers['authorization'], /SignedHeaders=[^,]*;x-amz-security-token,/);
});

test('paths and queries are encoded by RFC 3986, queries sorted by name', () => {
  assert.equal(encodePath("a b/ü!'()*~+.txt"), '/a%20b/%C3%BC%21%27%28%29%2A~%2B.txt');
  const query = [
    ['b', '1 2'],
    ['a-b', ''],
    ['a', 'x/y'],
  ] as const;
  assert.equal(canonicalQuery(query), 'a=x%2Fy&a-b=&b=1%202');
});
