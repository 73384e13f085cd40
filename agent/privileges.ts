// Capabilities that the agent keeps, and the features that need them.
import { readFileSync } from 'node:fs';

/**
 * Capabilities that the agent uses. The sampler itself reports a missing capability if it cannot
 * start without it.
 */
const used: readonly {
  readonly name: string;
  readonly number: number;
  /** Feature that is disabled without the capability; "" if the sampler reports it. */
  readonly without: string;
}[] = [
  { name: 'CAP_BPF', number: 39, without: '' },
  { name: 'CAP_PERFMON', number: 38, without: '' },
  { name: 'CAP_SYS_PTRACE', number: 19, without: '' },
  { name: 'CAP_DAC_READ_SEARCH', number: 2, without: '' },
  { name: 'CAP_SYSLOG', number: 34, without: 'kernel functions have no names' },
  {
    name: 'CAP_CHECKPOINT_RESTORE',
    number: 40,
    without: 'files that were deleted while programs run them are not read',
  },
  {
    name: 'CAP_SYS_NICE',
    number: 23,
    without: 'on a busy host new processes have incomplete stacks for longer',
  },
  // Before Linux 5.11, the memory of BPF programs counts towards a limit that this capability can
  // raise.
  { name: 'CAP_SYS_RESOURCE', number: 24, without: '' },
];
const administrator = 21;
/** Number of CAP_DAC_OVERRIDE, which allows writing to folders and sockets of other users. */
const writeAnywhere = 1;

/**
 * Returns the numbers of the capabilities to keep. One more capability is needed if files and
 * folders on the command line, or container sockets, may belong to other users.
 */
export function keptCapabilities(args: readonly string[]): readonly number[] {
  const paths = /^--(queue-directory|local-store-directory|config-path)\b/;
  const sockets = /^--metadata-user-containers(?!=false$)(?:=|$)/;
  const numbers = used.map(({ number }) => number);
  return args.some((word) => paths.test(word) || sockets.test(word))
    ? [...numbers, writeAnywhere]
    : numbers;
}

/**
 * Returns a line for each missing capability that disables a feature; `status` is
 * /proc/self/status.
 */
export function missingCapabilities(
  status = readFileSync('/proc/self/status', 'latin1'),
): readonly string[] {
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  const has = (number: number): boolean => ((effective >> BigInt(number)) & 1n) === 1n;
  return used
    .filter(({ number, without }) => without !== '' && !has(number) && !has(administrator))
    .map(({ name, without }) => `${name} is missing: ${without}`);
}
