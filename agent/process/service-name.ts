// Name of a process's service, for the label `service_name`.
import { parseJsonBytes } from '../../src/base/text/json.ts';
import { basename } from 'node:path';
import type { SampledProcess } from '../../bpf/sampler.ts';
import { packageBytesMax } from '../limits.ts';
import { openRegularFile } from '../files/open-file.ts';
import type { ProcFolder } from './proc-folder.ts';
import { scriptName } from './script-name.ts';

/** Environment variables that may contain the service name. */
export const nameVariables: readonly string[] = [
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'npm_package_name',
];

/** Returns the service name from OpenTelemetry's variables; "" = none. */
export function givenServiceName(environment: ReadonlyMap<string, string>): string {
  const given = environment.get('OTEL_SERVICE_NAME')?.trim() ?? '';
  if (given !== '') return given;
  for (const pair of (environment.get('OTEL_RESOURCE_ATTRIBUTES') ?? '').split(',')) {
    const [, value] = /^\s*service\.name\s*=(.*)$/s.exec(pair) ?? [];
    if (value !== undefined) return decoded(value.trim());
  }
  return '';
}

/** Data in addition to the process itself; "" = none. */
export interface ServiceFacts {
  readonly environment: ReadonlyMap<string, string>;
  readonly proc: ProcFolder;
  /** Name of the container. */
  readonly container: string;
  /** Units of the system's and the user's systemd instances. */
  readonly units: readonly string[];
}

/**
 * Returns the service name of a process that does not set its own. Uses the first that is known:
 * container name, unit, script that the interpreter runs, executable, command name.
 */
export function foundServiceName(process: SampledProcess, facts: ServiceFacts): string {
  const { environment, proc, container, units } = facts;
  if (container !== '') return container;
  // Scopes do not count, because they are named after a login session or a number.
  const unit = units.findLast((one) => /^(?!user@\d+\.).+\.service$/.test(one));
  if (unit !== undefined) return unit.slice(0, -'.service'.length);
  const { pid, commandLine, name } = process;
  const executable = basename(process.executable);
  if (executable === 'node') {
    const fromPackage = environment.get('npm_package_name') ?? findPackage(commandLine, proc, pid);
    if (fromPackage !== undefined && fromPackage !== '') return fromPackage;
  }
  const script = scriptName(executable, commandLine, () => proc.workingFolder(pid));
  if (script !== undefined) return script;
  if (executable !== '') return executable;
  // Programs set this name, but Node's "MainThread" is meaningless.
  return /^(?:node-)?MainThread$/.test(name) ? 'unknown_service' : name;
}

/**
 * Returns the name of the package in npm's working directory, because npm replaces its own command
 * line.
 */
function findPackage(
  commandLine: readonly string[],
  proc: ProcFolder,
  pid: number,
): string | undefined {
  if (!/^(?:npm|npx|yarn|pnpm)(?: |$)/.test(commandLine[0] ?? '')) return undefined;
  const opened = openRegularFile(proc.file(pid, 'cwd/package.json'));
  if (opened === undefined) return undefined;
  try {
    if (opened.file.size > packageBytesMax) return undefined;
    const bytes = opened.file.readNow(0, opened.file.size);
    const found = parseJsonBytes(bytes, 'cannot read the package');
    const isNamed = typeof found === 'object' && found !== null && 'name' in found;
    return isNamed && typeof found.name === 'string' ? found.name : undefined;
  } catch {
    // The file is being written, or is not npm's.
    return undefined;
  } finally {
    opened.close();
  }
}

/** Decodes percent encoding if it is valid. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
