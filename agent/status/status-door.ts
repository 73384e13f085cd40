// Controls access to the agent's pages. The pages show all programs on the host. Without a web
// config file, they can therefore be read only from the host itself; other hosts get only metrics
// and health.
import type { IncomingMessage } from 'node:http';
import { checkScope } from '../../src/api/auth/caller.ts';
import { idOfAddress } from '../../src/api/auth/caller-id.ts';
import type { Gate } from '../../src/api/auth/gate.ts';
import { isLoopback, isSafeHost } from '../../src/api/auth/hosts.ts';
import { AppError } from '../../src/base/errors.ts';
import { asksForCredentials, verifiesClients } from '../../src/config/web/web-config.ts';
import type { AgentStatus } from './status.ts';

/** Paths without private data, for probes without credentials. */
const openPaths: ReadonlySet<string> = new Set(['/healthy', '/-/healthy', '/ready', '/-/ready']);

/** Settings of access control. */
export interface DoorOptions {
  /** Gate from the web config file; undefined without a file. */
  readonly gate: Gate | undefined;
  /** Host names that are allowed in addition to private names. */
  readonly allowedHosts: readonly string[];
}

/**
 * Admits a request or throws. Returns true if the client may also see command lines, because it has
 * credentials.
 *
 * Errors: AppError 'unauthenticated', 'permission-denied', 'resource-exhausted'.
 */
export async function admit(
  { gate, allowedHosts }: DoorOptions,
  request: IncomingMessage,
  path: string,
): Promise<boolean> {
  if (openPaths.has(path)) return false;
  const { headers, socket } = request;
  const config = gate?.config;
  if (gate !== undefined && config !== undefined) {
    if (asksForCredentials(config) || verifiesClients(config)) {
      const caller = await gate.identify(headers, socket);
      checkScope(caller, 'read', path);
      return true;
    }
  }
  if (path === '/metrics') return false;
  const isEncrypted = (socket as { readonly encrypted?: boolean }).encrypted === true;
  const { host = '' } = headers;
  if (!isEncrypted && !isSafeHost(host, allowedHosts)) {
    const why = 'a page of another site could use that name';
    throw new AppError('permission-denied', `cannot answer as ${JSON.stringify(host)}: ${why}`);
  }
  if (isLoopback(idOfAddress(socket.remoteAddress ?? ''))) return false;
  const how = 'open it on the host itself (kubectl port-forward), or set --web-config-file';
  throw new AppError('permission-denied', `cannot show ${path} to the network: ${how}`);
}

/** Labels that may contain passwords of other programs. */
const secretLabels = /^__meta_(?:process_cmdline$|env_var_)/;

/** Returns the status without command lines and environment variables. */
export function withoutSecrets(status: AgentStatus): AgentStatus {
  const masked = (found: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(found).map(([name, value]) => [
        name,
        secretLabels.test(name) ? '(shown with --web-config-file)' : value,
      ]),
    );
  const processes = status.processes.map((row) => ({ ...row, found: masked(row.found) }));
  return { ...status, processes };
}
