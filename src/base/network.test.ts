import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('callers of one network are told by their addresses, others are by themselves', () => {
  const check = (caller: string, want: string): void => assert.equal(networkOf(caller), want);
  check('10.1.2.3', '10.1.2.0/24');
  check('10.1.2.250', '10.1.2.0/24');
  check('2001:db8:1:2::/64', '2001:db8:1::/48');
  check('2001:db8:1:fff::/64', '2001:db8:1::/48');
  check('::1', '::1');
  check('', '');
  check('token "10.1.2.3"', 'token "10.1.2.3"');
  check('user 10.1.2.3', 'user 10.1.2.3');
});
