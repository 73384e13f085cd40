import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkMessage } from './errors.ts';
import { connectionFault } from './connection-fault.ts';

function check(message: string, kind: string | undefined, text: string): void {
  assert.equal(connectionFault(message)?.kind, kind, message);
  assert.equal(networkMessage(new Error(message)), text);
}

test('what TLS says becomes one sentence, other messages stay', () => {
  const at = ':../deps/openssl/openssl/ssl/record/methods/tlsany_meth.c:77:\n';
  const noise = '40EDE558D67F0000:error:0A00010B:SSL routines:tls_validate_record_header:';
  check(`${noise}wrong version number${at}`, 'no-tls', 'it speaks without TLS');
  check(`${noise}packet length too long${at}`, 'no-tls', 'it speaks without TLS');
  check(`${noise}no suitable key share${at}`, 'other', 'TLS failed: no suitable key share');
  check(
    'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
    'authority',
    'its certificate has no known authority',
  );
  check(
    'unable to verify the first certificate',
    'authority',
    'its certificate has no known authority',
  );
  check(
    "Hostname/IP does not match certificate's altnames: IP: ::1",
    'other',
    'its certificate is for other names',
  );
  check('certificate has expired', 'other', 'its certificate has expired');
  check(
    `${noise}ssl/tls alert certificate required:SSL alert number 116${at}`,
    'other',
    'it refuses this client: it may want a certificate of it, or another version of TLS',
  );
  check(
    `${noise}tlsv1 alert protocol version:SSL alert number 70${at}`,
    'other',
    'it speaks other versions of TLS',
  );
  check('other side closed', 'closed', 'it closed the connection');
  check('connect ECONNREFUSED 127.0.0.1:1', undefined, 'connect ECONNREFUSED 127.0.0.1:1');
});
