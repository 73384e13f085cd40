// Tests of client certificates: the kinds that each setting accepts, and names that imitate other
// names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAuths } from '../../config/web/web-config.ts';
import { alternativeNames, isAllowedClient } from './client-certificate.ts';

test('each setting lets in the clients that its name says', () => {
  const named = { subjectAltName: 'DNS:agent.example' };
  const rows = clientAuths.map((clientAuth) => {
    const check = (certificate: typeof named | undefined, isVerified: boolean): string =>
      isAllowedClient({ clientAuth, clientNames: [] }, certificate, isVerified) ? 'in' : 'out';
    return [clientAuth, check(undefined, false), check(named, false), check(named, true)].join(' ');
  });
  assert.deepEqual(rows, [
    'NoClientCert in in in',
    'RequestClientCert in in in',
    'RequireAnyClientCert out in in',
    'VerifyClientCertIfGiven in out in',
    'RequireAndVerifyClientCert out out in',
  ]);
});

test('a name is looked for whole, and a quoted one is one name', () => {
  const check = (text: string, ...names: string[]): void =>
    assert.deepEqual(alternativeNames(text), names);
  check('');
  check('DNS:a.example', 'a.example');
  check(
    'DNS:a, IP Address:127.0.0.1, URI:spiffe://x/y, email:a@b',
    'a',
    '127.0.0.1',
    'spiffe://x/y',
    'a@b',
  );
  check('DNS:"a, DNS:admin.example", DNS:b', 'a, DNS:admin.example', 'b');
  check('URI:"http://x/\\", DNS:admin"', 'http://x/", DNS:admin');
  check('othername:<unsupported>, DNS:a', 'a');
  check('othername:"x, DNS:admin", DNS:a', 'a');
  check('DNS:"open');
  const clientAuth = 'RequireAndVerifyClientCert';
  const isIn = (subjectAltName: string): boolean =>
    isAllowedClient({ clientAuth, clientNames: ['admin'] }, { subjectAltName }, true);
  assert.deepEqual(
    ['DNS:admin', 'URI:admin', 'DNS:"a, DNS:admin"', 'DNS:admin.evil', ''].map(isIn),
    [true, true, false, false, false],
  );
});
