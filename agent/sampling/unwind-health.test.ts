// Tests of unwinding statistics: shares by executable, and the address of the first failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackStatus } from '../../bpf/sampler.ts';
import { executableRows } from '../status/status.ts';
import { fileBinary, kernelBinary, testBatch, testProcess } from '../testing/samples.ts';
import { UnwindHealth } from './unwind-health.ts';

test('the first failure is named by file and address', () => {
  const health = new UnwindHealth();
  const failed = { process: 0, status: stackStatus.noRule, failedAddress: 0x7f0000001234n };
  health.add(
    testBatch({
      startNanos: 0n,
      endNanos: 1n,
      binaries: [kernelBinary, fileBinary('/usr/bin/app', 'ab'), fileBinary('/lib/x.so', 'cd')],
      processes: [testProcess({ pid: 7 })],
      samples: [
        { process: 0, frames: [[1, 0x10n]], count: 6 },
        {
          ...failed,
          frames: [
            [0, 0xffffffff81000010n],
            [1, 0x20n],
            [2, 0x1234n],
          ],
        },
        { ...failed, frames: [[1, 0x30n]] },
      ],
    }),
  );
  assert.deepEqual(executableRows(health.all()), [
    {
      executable: '/usr/bin/app',
      samples: 8,
      completeShare: 0.75,
      failures: { noRule: 2 },
      firstFailure: 'noRule at 0x1234 of /lib/x.so in process 7',
    },
  ]);
});
