// Tests what is stored of Arrow writes by pyarrow and by Go's Arrow, which Parca's agent uses.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { encodeRecord } from '../../src/formats/parca-arrow/encode-record.ts';
import { loadLz4Frames } from '../../src/formats/arrow/lz4-frame.ts';
import { writeArrow, writeInTwoSteps } from '../support/arrow-client.ts';
import { connect } from '../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';

const writers = new URL('./arrow-writers/', import.meta.url).pathname;
const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
const client = connect(server.address);
after(async () => {
  client.close();
  await server.stop();
  await scratch.remove();
});

const fixture = (name: string): Uint8Array => readFileSync(join(scratch.path, `${name}.arrow`));

interface ExportedProfile {
  readonly status: number;
  readonly text: string;
}

async function collapsed(matchers: string): Promise<ExportedProfile> {
  const parameters = new URLSearchParams({
    query: `parca_agent:samples:count:cpu:nanoseconds:delta{${matchers}}`,
    start: '2026-09-21T00:00:00Z',
    end: '2026-09-22T00:00:00Z',
    format: 'collapsed',
  });
  const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
  return { status: response.status, text: (await response.text()).trim() };
}

/** Checks the stored samples of each writer, as sums of stacks, root first. */
async function checkStored(name: string): Promise<void> {
  const inline = 'a_name_that_is_too_long_for_a_view;inner';
  const check = async (matchers: string, want: readonly string[]): Promise<void> => {
    const { text } = await collapsed(`${matchers}, node="n1"`);
    assert.deepEqual(text.split('\n').sort(), want, `${name} ${matchers}`);
  };
  const deep = `${inline};0x1234 (app);do_syscall_64 1`;
  await check(`comm="${name}", cpu!=""`, [`${inline};0x1234 (app) 5`, deep]);
  await check(`comm="${name}", cpu="1"`, [deep]);
  await check(`comm="${name}", cpu=""`, ['[no stack] 4']);
  await check(`comm="${name}-other"`, [`${inline} 5`]);
}

test('pyarrow: nulls, slices, replaced dictionaries, deltas, several batches, none', async () => {
  execFileSync(testTool('TEST_PYTHON'), [join(writers, 'write.py'), scratch.path]);
  for (const name of ['py-whole', 'py-plain', 'py-zstd', 'py-batches', 'py-slices', 'py-deltas']) {
    await writeArrow(client, fixture(name));
    await checkStored(name);
  }
  await writeArrow(client, fixture('py-empty'));
  assert.equal((await collapsed('comm="py-empty"')).status, 404);
});

test('pyarrow: schema v1', async () => {
  await writeInTwoSteps(client, fixture('py-old-samples'), () => fixture('py-old-locations'));
  await checkStored('py-old');
});

test('Go: the types that the agent sends, replaced dictionaries, an empty batch', async () => {
  const env = { ...process.env, GOFLAGS: '-mod=readonly' };
  execFileSync(testTool('TEST_NEW_GO'), ['run', '.', scratch.path], { cwd: writers, env });
  for (const name of ['go-whole', 'go-zstd', 'go-batches']) {
    await writeArrow(client, fixture(name));
    await checkStored(name);
  }
  await writeArrow(client, fixture('go-empty'));
  assert.ok(readdirSync(scratch.path).includes('go-empty.arrow'));
});

const readScript = `
import json, sys, pyarrow as pa
table = pa.ipc.open_stream(sys.stdin.buffer.read()).read_all()
table.validate(full=True)
batch = table.to_batches()[0]
columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
schema = [[field.name, str(field.type)] for field in batch.schema]
json.dump([schema, columns], sys.stdout, default=str)
`;

test('pyarrow reads what our agent sends', async () => {
  const line = { systemName: 'main', fileName: 'a.c', startLine: 1, line: 7, column: 2 };
  const frame = { mappingFile: '/bin/app', buildId: 'ab', address: 16n, lines: [line] };
  const stream = encodeRecord(
    [
      {
        name: 'parca_agent',
        period: 5n,
        timeNanos: 1_000n,
        durationNanos: 6n,
        sampleType: { type: 'samples', unit: 'count' },
        periodType: { type: 'cpu', unit: 'nanoseconds' },
        samples: [
          { labels: [{ name: 'comm', value: 'a' }], frames: [frame], value: 3n },
          { labels: [{ name: 'cpu', value: '1' }], frames: [], value: 4n },
        ],
      },
    ],
    await loadLz4Frames(),
  );
  const output = execFileSync(testTool('TEST_PYTHON'), ['-c', readScript], { input: stream });
  const [schema, columns] = JSON.parse(output.toString()) as [
    readonly (readonly [string, string])[],
    Readonly<Record<string, unknown>>,
  ];
  const types = new Map(schema);
  const runEndEncoded = (values: string): string =>
    `run_end_encoded<run_ends: int32, values: ${values}>`;
  assert.equal(types.get('producer'), runEndEncoded('string'));
  assert.equal(types.get('duration'), runEndEncoded('uint64'));
  assert.equal(types.get('timestamp'), 'timestamp[ns, tz=UTC]');
  assert.equal(types.get('stacktrace_id'), 'extension<arrow.uuid>');
  assert.match(types.get('stacktrace') ?? '', /^list_view<item: dictionary<values=struct<address/);
  const calls = { system_name: 'main', filename: 'a.c', start_line: 1 };
  assert.deepEqual(columns.labels, [
    { comm: 'a', cpu: null },
    { comm: null, cpu: '1' },
  ]);
  const lines = [{ line: 7, column: 2, function: calls }];
  const place = { address: 16, frame_type: 'interpreted', mapping_file: '/bin/app' };
  assert.deepEqual(columns.stacktrace, [[{ ...place, mapping_build_id: 'ab', lines }], []]);
  assert.deepEqual(columns.value, [3, 4]);
  assert.deepEqual(columns.period, [5, 5]);
});
