// A recording with a few samples of every kind, in the layout of a JDK or async-profiler.
import { type ChunkSpec, type FieldSpec, type Value, writeRecording } from './write-recording.ts';

const stack: readonly FieldSpec[] = [
  ['startTime', 'long'],
  ['eventThread', '#java.lang.Thread'],
  ['stackTrace', '#jdk.types.StackTrace'],
];

/** Types of values. */
const valueTypes: Readonly<Record<string, readonly FieldSpec[]>> = {
  'jdk.types.Symbol': [['string', 'java.lang.String']],
  'java.lang.Class': [
    ['classLoader', 'long'],
    ['name', '#jdk.types.Symbol'],
    ['modifiers', 'int'],
  ],
  'jdk.types.Method': [
    ['type', '#java.lang.Class'],
    ['name', '#jdk.types.Symbol'],
    ['hidden', 'boolean'],
  ],
  'jdk.types.FrameType': [['description', 'java.lang.String']],
  'jdk.types.StackFrame': [
    ['method', '#jdk.types.Method'],
    ['lineNumber', 'int'],
    ['bytecodeIndex', 'int'],
    ['type', '#jdk.types.FrameType'],
  ],
  'jdk.types.StackTrace': [
    ['truncated', 'boolean'],
    ['frames', 'jdk.types.StackFrame[]'],
  ],
  'jdk.types.ThreadState': [['name', 'java.lang.String']],
  'java.lang.Thread': [
    ['osName', 'java.lang.String'],
    ['osThreadId', 'long'],
    ['javaName', 'java.lang.String'],
  ],
};

const eventTypes: Readonly<Record<string, readonly FieldSpec[]>> = {
  'jdk.ActiveSetting': [
    ['startTime', 'long'],
    ['id', 'long'],
    ['name', 'java.lang.String'],
    ['value', 'java.lang.String'],
  ],
  'jdk.ExecutionSample': [
    ['startTime', 'long'],
    ['sampledThread', '#java.lang.Thread'],
    ['stackTrace', '#jdk.types.StackTrace'],
    ['state', '#jdk.types.ThreadState'],
    ['spanId', 'long'],
    ['spanName', 'long'],
    ['contextId', 'long'],
  ],
  'profiler.WallClockSample': [...stack, ['samples', 'int']],
  'jdk.ObjectAllocationInNewTLAB': [...stack, ['allocationSize', 'long'], ['tlabSize', 'long']],
  'jdk.ObjectAllocationOutsideTLAB': [...stack, ['allocationSize', 'long']],
  'jdk.ObjectAllocationSample': [...stack, ['weight', 'long']],
  'profiler.LiveObject': stack,
  'jdk.JavaMonitorEnter': [['startTime', 'long'], ['duration', 'long', 'TICKS'], ...stack.slice(1)],
  'jdk.ThreadPark': [...stack, ['duration', 'long', 'TICKS']],
  'jdk.CPUTimeSample': [...stack, ['samplingPeriod', 'long', 'MILLISECONDS']],
};

const constants: ChunkSpec['constants'] = [
  [
    'jdk.types.Symbol',
    [
      [1, ['com/acme/Foo']],
      [2, ['bar']],
      [3, ['main']],
    ],
  ],
  [
    'jdk.types.Symbol',
    [
      [4, ['libc.so.6']],
      [5, ['read']],
      [6, ['do_syscall_64_[k]']],
      [7, ['']],
    ],
  ],
  [
    'java.lang.Class',
    [
      [1, [0, 1, 9]],
      [2, [0, 4, 0]],
      [3, [0, 7, 0]],
    ],
  ],
  [
    'jdk.types.Method',
    [
      [1, [1, 2, 0]],
      [2, [1, 3, 0]],
      [3, [2, 5, 0]],
      // The key is above 2^32, as ids from a JDK can be.
      [0x1_0000_0004, [3, 6, 0]],
    ],
  ],
  [
    'jdk.types.FrameType',
    [
      [1, ['JIT compiled']],
      [2, ['Native']],
    ],
  ],
  [
    'jdk.types.StackTrace',
    [
      [
        1,
        [
          0,
          [
            [1, 12, 3, 1],
            [2, 40, 8, 1],
          ],
        ],
      ],
      [
        2,
        [
          1,
          [
            [0x1_0000_0004, 0, 0, 2],
            [3, 0, 0, 2],
            [2, 41, 8, 1],
          ],
        ],
      ],
    ],
  ],
  [
    'jdk.types.ThreadState',
    [
      [1, ['STATE_RUNNABLE']],
      [2, ['STATE_SLEEPING']],
    ],
  ],
  [
    'java.lang.Thread',
    [
      [7, ['os-main', 42, 'main']],
      [8, ['C2 Compiler', 43, '']],
    ],
  ],
];

const state = { runnable: 1, sleeping: 2 };

/** Events of the recording: threads are 7 and 8, stacks 1 and 2. */
const events: ChunkSpec['events'] = [
  ['jdk.ActiveSetting', [0, 0, 'event', 'wall']],
  ['jdk.ActiveSetting', [0, 0, 'interval', '10000000']],
  ['jdk.ExecutionSample', [1, 7, 1, state.runnable, 0, 0, 0]],
  ['jdk.ExecutionSample', [2, 7, 1, state.runnable, 0, 0, 0]],
  ['jdk.ExecutionSample', [3, 8, 2, state.sleeping, 0, 0, 0]],
  ['jdk.ExecutionSample', [4, 7, 1, state.runnable, 0xfedc_ba98_7654_3210n, 20, 5]],
  ['profiler.WallClockSample', [4, 8, 2, 3]],
  ['jdk.ObjectAllocationInNewTLAB', [5, 7, 1, 16, 4096]],
  ['jdk.ObjectAllocationOutsideTLAB', [6, 7, 1, 8_000_000_000]],
  ['jdk.ObjectAllocationSample', [7, 7, 1, 500]],
  ['profiler.LiveObject', [7, 7, 1]],
  ['jdk.JavaMonitorEnter', [8, 3_000, 7, 1]],
  ['jdk.ThreadPark', [9, 8, 2, 5_000]],
  ['jdk.CPUTimeSample', [10, 7, 1, 20]],
];

/** Returns a chunk with these events; `change` replaces parts of it. */
export function smallChunk(change: Partial<ChunkSpec> = {}): ChunkSpec {
  return { types: { ...valueTypes, ...eventTypes }, constants, events, ...change };
}

/** Returns a complete recording with one chunk. */
export function smallRecording(change: Partial<ChunkSpec> = {}): Uint8Array {
  return writeRecording([smallChunk(change)]);
}

/** Returns the values of an event that is a sample of CPU time. */
export function cpuSample(thread: number, trace: number): readonly Value[] {
  return [1, thread, trace, state.runnable, 0, 0, 0];
}
