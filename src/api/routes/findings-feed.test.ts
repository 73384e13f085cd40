// The feed of findings: names with characters that XML cannot contain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../findings/interface.ts';
import { findingsFeed } from './findings-feed.ts';

const place = { page: 'http://a/findings', feed: 'http://a/api/v1/findings/feed?state=open&x' };

const finding: Finding = {
  id: '00112233aabbccdd',
  kind: 'deploy',
  resource: 'cpu',
  service: { label: 'job', name: 'check<out>' },
  query: 'cpu{job="check<out>"}',
  timeMillis: 0,
  doneMillis: 0,
  foundMillis: 1_000,
  version: '2',
  versionBefore: '1',
  versionLabel: 'version',
  functions: [
    {
      name: 'Map<"a", \'b\'>&\u0001',
      measure: 'flat',
      before: 0.031,
      after: 0.094,
      cost: 0.063,
      halfWidth: 0.011,
      amount: 0.8,
    },
  ],
  state: 'open',
  stateMillis: 2_000,
  resolution: '',
};

test('an entry, with names that have characters of XML and characters that XML lacks', () => {
  const feed = findingsFeed([finding], place, 5_000);
  const title =
    'check&lt;out&gt;: Map&lt;&quot;a&quot;, &#39;b&#39;&gt;&amp;\ufffd costs 0.80 cores more ' +
    'since version 2: 6.3 ± 1.1 % of the service (3.1 % before, 9.4 % now)';
  assert.ok(feed.includes(`<title>${title}</title>`), feed);
  assert.ok(feed.includes('<id>urn:parca:finding:00112233aabbccdd</id>'));
  assert.ok(feed.includes('<updated>1970-01-01T00:00:02.000Z</updated>'));
  assert.ok(feed.includes('href="http://a/api/v1/findings/feed?state=open&amp;x"'));
});

test('a feed without entries', () => {
  assert.ok(findingsFeed([], place, 5_000).includes('<updated>1970-01-01T00:00:05.000Z</updated>'));
});
