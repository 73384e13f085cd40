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
  assert.equal(`${place.origin} ${place.isBucketInHost ? 'host' : 'path'}`, want);
  assert.equal(place.region, region);
};

test('the bucket is in the path, or in the host name for those who want it there', () => {
  check({}, 'https://s3.example.com path', 'us-east-1');
  check(
    { endpoint: 's3.eu-west-1.amazonaws.com' },
    'https://s3.eu-west-1.amazonaws.com host',
    'eu-west-1',
  );
  check(
    { endpoint: 's3.us-east-2.amazonaws.com', bucket: 'with.dots' },
    'https://s3.us-east-2.amazonaws.com path',
    'us-east-2',
  );
  check({ lookup: 'virtual-hosted', region: 'there' }, 'https://s3.example.com host', 'there');
  check(
    { endpoint: 's3.eu-west-1.amazonaws.com', lookup: 'path' },
    'https://s3.eu-west-1.amazonaws.com path',
    'eu-west-1',
  );
  check({ endpoint: '[::1]:80', insecure: true }, 'http://[::1]:80 path', 'us-east-1');
});

test('addresses and names that cannot be are refused', () => {
  const refuses = (options: Partial<S3PlaceOptions>, message: RegExp): void =>
    assert.throws(() => check(options, '', ''), { code: 'invalid-argument', message });
  refuses({ endpoint: 'https://s3.example.com' }, /without a scheme or path/);
  refuses({ endpoint: 'a@b' }, /without a scheme or path/);
  refuses({ bucket: '../x' }, /bucket name "..\/x": S3 does not allow it/);
});
