// The committed generated code is what the generator makes of the .proto files today.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Long from 'long';
import { isFull } from '../src/base/testing/rounds.ts';
import { digestFile, computeProtoDigest } from '../tools/generate/proto-digest.mjs';
import { parca } from './gen/query.js';

const committed = join(import.meta.dirname, 'gen');

test('proto/gen is what the generator wrote for these .proto files', () => {
  const digest = readFileSync(join(committed, digestFile), 'utf8');
  assert.equal(
    digest,
    computeProtoDigest(committed),
    'proto/gen is stale: run node tools/generate/proto.mjs',
  );
});

// It takes 14 s.
test('the generator makes proto/gen again', () => {
  if (!isFull) return;
  const folder = mkdtempSync(join(tmpdir(), 'proto-gen-'));
  try {
    const generator = join(import.meta.dirname, '../tools/generate/proto.mjs');
    execFileSync(process.execPath, [generator, folder]);
    const names = readdirSync(folder).sort();
    assert.deepEqual(readdirSync(committed).sort(), names);
    for (const name of names) {
      const same = readFileSync(join(folder, name)).equals(readFileSync(join(committed, name)));
      assert.ok(same, `proto/gen/${name} is stale: run node tools/generate/proto.mjs`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('int64 stays exact through the generated code', () => {
  const { MetricsSample, QueryRequest } = parca.query.v1alpha1;
  const value = Long.fromString('9223372036854775807');
  const decoded = MetricsSample.decode(MetricsSample.encode({ value }).finish());
  assert.equal(String(decoded.value), '9223372036854775807');
  const request = QueryRequest.decode(QueryRequest.encode({ rootTrimThreshold: 0.5 }).finish());
  assert.equal(request.rootTrimThreshold, 0.5);
  assert.equal(request.nodeTrimThreshold ?? undefined, undefined);
});
