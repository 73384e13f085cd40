// Tests of caller ids that are made from addresses; test/integration/security tests those made from
// names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOfAddress } from './caller-id.ts';

test('caller ids: an address of IPv4, a network of IPv6', () => {
  const check = (address: string, want: string): void => assert.equal(idOfAddress(address), want);
  check('10.1.2.3', '10.1.2.3');
  check('::ffff:10.1.2.3', '10.1.2.3');
  check('::1', '::1');
  check('2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64');
  check('2001:db8::1', '2001:db8:0:0::/64');
  check('2001:db8:1:2:3::', '2001:db8:1:2::/64');
  check('fe80::1%eth0', 'fe80:0:0:0::/64');
  check('', '');
});
