// The entrance of the API, through which requests reach the services: TLS, the gate, and limits of
// callers.
import type { Random } from '../../base/random.ts';
import { Audit } from '../auth/audit.ts';
import { Gate } from '../auth/gate.ts';
import { isLoopback } from '../auth/hosts.ts';
import { CallerLimits } from '../transport/call/caller-limits.ts';
import { parseAddress } from '../transport/port.ts';
import { TlsDoor } from '../transport/tls.ts';
import type { ApiHost, ApiHooks, ApiOptions } from '../interface.ts';

/** TLS and the gate, through which every connection reaches the services. */
export interface Entrance {
  readonly tls: TlsDoor;
  readonly gate: Gate;
  readonly callerLimits: CallerLimits;
  readonly ownToken: string;
}

/** Creates TLS and the gate from the first web config. */
export function openEntrance(host: ApiHost, hooks: ApiHooks, options: ApiOptions): Entrance {
  const { clock, logger, metrics, random } = host;
  const ownToken = secret(random).toString('hex');
  const gate = new Gate(
    {
      clock,
      metrics,
      ownToken,
      key: secret(random),
      audit: new Audit(clock, logger, hooks.auditSink),
      checkPassword: hooks.checkPassword,
      // If the server is reachable from the network, the names by which it is reached are not
      // checked.
      allowedHosts: [options.address, ...(options.moreAddresses ?? [])].every((one) =>
        isLoopback(parseAddress(one).host ?? ''),
      )
        ? options.allowedHosts
        : undefined,
      allowedOrigins: options.corsAllowedOrigins,
    },
    options.web,
  );
  const tls = new TlsDoor({ clock, logger, metrics }, options.readTimeoutMillis);
  tls.apply(options.web);
  const callerLimits = new CallerLimits(clock, metrics);
  callerLimits.apply(options.web.callerLimits);
  return { tls, gate, callerLimits, ownToken };
}

/** Returns 32 random bytes. */
function secret(random: Random): Buffer {
  return Buffer.from(Uint32Array.from({ length: 8 }, () => random.uint32()).buffer);
}
