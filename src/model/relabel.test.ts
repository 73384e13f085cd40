// Tests of relabeling against the results of Prometheus.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { md5 } from '../base/node/md5.ts';
import { createRelabeling, relabelDefaults, relabelMistake, type RelabelRule } from './relabel.ts';

type Labels = Readonly<Record<string, string>>;

/** Returns the labels after the rules; undefined if the target is dropped. */
function relabel(labels: Labels, ...rules: Partial<RelabelRule>[]): Labels | undefined {
  const map = new Map(Object.entries(labels));
  const apply = createRelabeling(
    rules.map((rule) => ({ ...relabelDefaults, ...rule })),
    md5,
  );
  return apply(map) === undefined ? Object.fromEntries(map) : undefined;
}

const abc = { a: 'foo', b: 'bar', c: 'baz' };

function check(rule: Partial<RelabelRule>, want: Labels | undefined, from: Labels = abc): void {
  assert.deepEqual(relabel(from, rule), want);
}

test('replace', () => {
  const base = { sourceLabels: ['a'], targetLabel: 'd' };
  check({ ...base, regex: 'f(.*)', replacement: 'ch${1}-ch${1}' }, { ...abc, d: 'choo-choo' });
  check({ ...base, sourceLabels: ['a', 'b'] }, { ...abc, d: 'foo;bar' });
  check({ ...base, sourceLabels: ['a', 'b'], separator: '' }, { ...abc, d: 'foobar' });
  check({ ...base, regex: 'f' }, abc);
  check({ ...base, regex: 'o$|fo+', replacement: 'x' }, { ...abc, d: 'x' });
  check({ ...base, regex: '(?P<first>.).*', replacement: '$first$$1' }, { ...abc, d: 'f$1' });
  check({ ...base, replacement: '$1x$9' }, abc);
  check({ ...base, replacement: '$1-$-$' }, { ...abc, d: 'foo-$-$' });
  check({ ...base, targetLabel: 'b', replacement: '' }, { a: 'foo', c: 'baz' });
  check({ sourceLabels: ['a'], regex: '(f).*', targetLabel: '${1}x' }, { ...abc, fx: 'f' });
  check({ sourceLabels: ['a'], regex: 'f(x?).*', targetLabel: '$1' }, abc);
  check({ targetLabel: 'd', replacement: 'static' }, { ...abc, d: 'static' });
  check({ ...base }, { a: '1\n2', d: '1\n2' }, { a: '1\n2' });
});

test('keep and drop', () => {
  check({ action: 'keep', sourceLabels: ['a'], regex: 'fo+' }, abc);
  check({ action: 'keep', sourceLabels: ['a'], regex: 'o' }, undefined);
  check({ action: 'keep', sourceLabels: ['missing'], regex: '' }, abc);
  check({ action: 'drop', sourceLabels: ['a'], regex: '.*o.*' }, undefined);
  check({ action: 'drop', sourceLabels: ['a'], regex: 'f' }, abc);
  const same = { a: '1', b: '1' };
  check({ action: 'keepequal', sourceLabels: ['a'], targetLabel: 'b' }, same, same);
  check({ action: 'keepequal', sourceLabels: ['a'], targetLabel: 'b' }, undefined);
  check({ action: 'dropequal', sourceLabels: ['a'], targetLabel: 'b' }, undefined, same);
  check({ action: 'dropequal', sourceLabels: ['a'], targetLabel: 'b' }, abc);
});

test('hashmod gives the numbers of Prometheus', () => {
  const rule: Partial<RelabelRule> = {
    action: 'hashmod',
    sourceLabels: ['c'],
    targetLabel: 'd',
    modulus: 1000n,
  };
  check(rule, { ...abc, d: '976' });
  check({ ...rule, sourceLabels: ['a'] }, { a: 'foo\nbar', d: '734' }, { a: 'foo\nbar' });
});

test('labelmap, labeldrop, labelkeep', () => {
  const meta = { a: '1', __meta_pod: 'x', __meta_node: 'y' };
  check({ action: 'labelmap', regex: '__meta_(.+)' }, { ...meta, pod: 'x', node: 'y' }, meta);
  check({ action: 'labelmap', regex: 'a', replacement: 'new' }, { ...abc, new: 'foo' });
  check({ action: 'labeldrop', regex: '__meta.*' }, { a: '1' }, meta);
  check({ action: 'labelkeep', regex: 'a|b' }, { a: 'foo', b: 'bar' });
});

test('lowercase and uppercase', () => {
  check({ action: 'uppercase', sourceLabels: ['a'], targetLabel: 'a' }, { ...abc, a: 'FOO' });
  check(
    { action: 'lowercase', sourceLabels: ['x'], targetLabel: 'y' },
    { x: 'ÄB', y: 'äb' },
    { x: 'ÄB' },
  );
});

test('rules apply in order and stop at a drop', () => {
  const tag = { targetLabel: 'tag', replacement: 'v' };
  assert.deepEqual(relabel({}, tag, { action: 'keep', sourceLabels: ['tag'], regex: 'v' }), {
    tag: 'v',
  });
  assert.equal(relabel({}, tag, { action: 'drop', sourceLabels: ['tag'], regex: 'v' }), undefined);
});

test('rules that make no sense', () => {
  const mistake = (rule: Partial<RelabelRule>): string | undefined =>
    relabelMistake({ ...relabelDefaults, ...rule })?.why;
  assert.equal(mistake({ targetLabel: 'x' }), undefined);
  assert.equal(mistake({ action: 'keep', sourceLabels: ['a'] }), undefined);
  assert.equal(mistake({ action: 'labeldrop', regex: 'x' }), undefined);
  assert.equal(mistake({}), 'replace needs a target_label');
  assert.equal(mistake({ action: 'hashmod', targetLabel: 'x' }), 'hashmod needs a modulus above 0');
  assert.equal(
    mistake({ action: 'labeldrop', regex: 'x', sourceLabels: ['a'] }),
    'labeldrop does not take source_labels',
  );
  assert.equal(
    mistake({ action: 'keepequal', targetLabel: 'x', regex: 'a' }),
    'keepequal does not take regex',
  );
  assert.equal(
    mistake({ action: 'uppercase', targetLabel: 'x', replacement: 'a' }),
    'uppercase does not take replacement',
  );
  assert.equal(mistake({ targetLabel: 'a_${1}b$2' }), undefined);
  assert.equal(mistake({ targetLabel: 'a-$1' }), 'replace cannot set label "a-$1"');
  assert.equal(mistake({ targetLabel: '1a' }), 'replace cannot set label "1a"');
  assert.equal(
    mistake({ action: 'hashmod', modulus: 2n, targetLabel: 'a$1' }),
    'hashmod cannot set label "a$1"',
  );
  assert.equal(mistake({ action: 'labelmap', replacement: 'k8s_$1' }), undefined);
  assert.equal(
    mistake({ action: 'labelmap', replacement: 'k8s-$1' }),
    'labelmap cannot set label "k8s-$1"',
  );
  assert.throws(() => relabel({}, { regex: '(' }), /cannot compile regular expression/);
});
