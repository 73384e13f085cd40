// Tests of reading own code and the service from a query.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownOfQuery, serviceOfQuery } from './own-code.ts';

test('the last own stage counts, and quoted texts are not stages', () => {
  const check = (query: string, want: readonly string[] | undefined) =>
    assert.deepEqual(ownOfQuery(query), want, query);
  check('cpu{job="a"}', undefined);
  check('cpu | own ("github.com/acme/")', ['github.com/acme/']);
  check('cpu | own ("a") | invert | own(`b`, \'c"d\') | top 5', ['b', 'c"d']);
  check('cpu{job="| own (\\"x\\")"}', undefined);
  check('cpu | stack "| own (\'x\')"', undefined);
  check('cpu | own ("a)b", "c")', ['a)b', 'c']);
});

test('the service of a query', () => {
  const check = (query: string, want: string) =>
    assert.equal(serviceOfQuery(query, ['job', 'comm']), want, query);
  check('cpu{job="shop", pod="a"}', 'shop');
  check('cpu{pod="a", comm="etl"}', 'etl');
  check('diff(cpu{job="shop", version="1"}, cpu{job="shop", version="2"})', 'shop');
  check('diff(cpu{job="shop"}, cpu{job="mail"})', '');
  check('cpu{job=~"sh.*"}', '');
  check('cpu', '');
});
