// Presets: stages that drop or fold uninteresting functions.
//
// Regular expressions are evaluated on the server with RE2.
import { quoteString } from '../../../src/promql-like/string.ts';

/** One preset. */
export interface Preset {
  readonly name: string;
  readonly hint: string;
  readonly stages: readonly string[];
}

/** Presets with the same action for different functions. */
export interface PresetGroup {
  readonly title: string;
  readonly presets: readonly Preset[];
}

/** Functions in which a thread waits, or a processor is idle. */
const waiting =
  String.raw`^(\(?[iI]dle\)?|runtime\.(gopark|futexsleep|notesleep|notetsleep(_internal)?|usleep|netpoll|epollwait)` +
  String.raw`|(__)?(epoll_p?wait2?|poll|ppoll|select|pselect|futex|nanosleep|clock_nanosleep|pause|sigwait(info)?)(_nocancel)?` +
  String.raw`|pthread_cond_(timed|clock)?wait.*|(jdk\.internal\.misc|sun\.misc)\.Unsafe\.park|java\.lang\.(Object\.wait0?|Thread\.sleep0?))$`;
const idleLoops = String.raw`^(do_idle|cpu_startup_entry|cpu_idle_loop|swapper(/\d+)?)$`;
const libc = String.raw`^(lib(c|m|pthread|dl|rt|gcc_s)(-[\d.]+)?|ld-[^/]*)\.so`;
const plumbing =
  String.raw`^<?(core::(future|pin|ops::function)|futures_\w+|std::(panic|panicking|sys_common::backtrace|sys::backtrace)` +
  String.raw`|tokio::(runtime|task|park|coop|util|loom))\b|^(processTicksAndRejections|runMicrotasks)$|^asyncio\b|^java\.util\.concurrent\.`;

const foldKind = (kind: string): readonly string[] => [`frame drop kind equals "${kind}"`];

/** Presets in the order in which they are shown. */
export const presetGroups: readonly PresetGroup[] = [
  {
    title: 'Leave out',
    presets: [
      {
        name: 'Idle',
        hint: 'threads that wait, and idle processors',
        stages: [
          `not leaf function matches ${quoteString(waiting)}`,
          `not stack function matches ${quoteString(idleLoops)}`,
        ],
      },
      {
        name: 'Garbage collection',
        hint: 'all that a collector does',
        stages: ['not stack kind equals "garbage collection"'],
      },
    ],
  },
  {
    title: 'Fold into my code',
    presets: [
      { name: 'Kernel', hint: 'as time of its callers', stages: foldKind('kernel') },
      { name: 'Runtime', hint: 'of Go, Node.js, Java, Rust', stages: foldKind('runtime') },
      { name: 'Interpreter', hint: 'of Python, Ruby, PHP', stages: foldKind('interpreter') },
      {
        name: 'libc',
        hint: 'and what loads programs',
        stages: [`frame drop binary matches ${quoteString(libc)}`],
      },
      { name: 'Libraries', hint: 'by others', stages: foldKind('libraries') },
      {
        name: 'Futures and tasks',
        hint: 'what awaits, polls and schedules',
        stages: [`frame drop function matches ${quoteString(plumbing)}`],
      },
    ],
  },
  {
    title: 'Only',
    presets: [
      {
        name: 'My code',
        hint: 'the rest counts for its callers',
        stages: ['frame keep kind equals "own code"'],
      },
    ],
  },
];
