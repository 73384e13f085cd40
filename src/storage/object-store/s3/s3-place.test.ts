import assert from 'node:assert/strict';
import { test } from 'node:test';
import { s3Place, type S3PlaceOptions } from './s3-place.ts';

const check = (options: Partial<S3PlaceOptions>, want: string, region: string): void => {
  const place = s3Place({
    bucket: 'profiles',
    endpoint: 's3.example.com',
    region: '',
    insecure: false,
    lookup: 'auto',
    ...options,
  });
  assert.equal(`${place.origin}${place.encodedPath('a b/c')} ${place.host}`, want);
  assert.equal(place.region, region);
};

test('the bucket is in the path, or in the host name for those who want it there', () => {
  check({}, 'https://s3.example.com/profiles/a%20b/c s3.example.com', 'us-east-1');
  check(
    { endpoint: 's3.eu-west-1.amazonaws.com' },
    'https://profiles.s3.eu-west-1.amazonaws.com/a%20b/c profiles.s3.eu-west-1.amazonaws.com',
    'eu-west-1',
  );
  check(
    { endpoint: 's3.us-east-2.amazonaws.com', bucket: 'with.dots' },
    'https://s3.us-east-2.amazonaws.com/with.dots/a%20b/c s3.us-east-2.amazonaws.com',
    'us-east-2',
  );
  check(
    { lookup: 'virtual-hosted', region: 'there' },
    'https://profiles.s3.example.com/a%20b/c profiles.s3.example.com',
    'there',
  );
  check(
    { endpoint: 's3.eu-west-1.amazonaws.com', lookup: 'path' },
    'https://s3.eu-west-1.amazonaws.com/profiles/a%20b/c s3.eu-west-1.amazonaws.com',
    'eu-west-1',
  );
  check(
    { endpoint: '[::1]:80', insecure: true },
    'http://[::1]:80/profiles/a%20b/c [::1]',
    'us-east-1',
  );
});

test('addresses and names that cannot be are refused', () => {
  const refuses = (options: Partial<S3PlaceOptions>, message: RegExp): void =>
    assert.throws(() => check(options, '', ''), { code: 'invalid-argument', message });
  refuses({ endpoint: 'https://s3.example.com' }, /without a scheme or path/);
  refuses({ endpoint: 'a@b' }, /without a scheme or path/);
  refuses({ bucket: '../x' }, /bucket name "..\/x": S3 does not allow it/);
});
