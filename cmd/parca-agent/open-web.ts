// Opens the agent's web config file: TLS and access control of its page.
import { resolve } from 'node:path';
import { Audit } from '../../src/api/auth/audit.ts';
import { Gate } from '../../src/api/auth/gate.ts';
import { TlsDoor } from '../../src/api/transport/tls.ts';
import { loadWebConfig } from '../../src/config/web/load-web.ts';
import type { WebConfig } from '../../src/config/web/web-config.ts';
import { WebConfigWatch } from '../../src/config/web/web-config-watch.ts';
import { checkPassword } from '../parca/open-web-config.ts';
import type { Machine } from '../machine.ts';

/** Longest duration of a TLS handshake. */
const handshakeMillisMax = 10_000;

/** Parts of the page's server that depend on the web config file. */
export interface AgentWeb {
  readonly gate: Gate;
  readonly tls: TlsDoor;
  readonly watch: WebConfigWatch;
}

/** Loads the file at `path`, and applies its later changes. Errors: as in loadWebConfig. */
export async function openAgentWeb(machine: Machine, path: string): Promise<AgentWeb> {
  const { clock, files, logger, metrics, random } = machine;
  const load = () => loadWebConfig(resolve(path), files);
  const first = await load();
  const secret = (): Buffer =>
    Buffer.from(Uint32Array.from({ length: 8 }, () => random.uint32()).buffer);
  const audit = new Audit(clock, logger, undefined);
  const parts = { clock, metrics, audit, checkPassword, key: secret() };
  const ownToken = secret().toString('hex');
  const gate = new Gate({ ...parts, ownToken, allowedHosts: undefined, allowedOrigins: [] }, first);
  const tls = new TlsDoor({ clock, logger, metrics }, handshakeMillisMax);
  // The page's server supports only HTTP/1.1, so HTTP/2 is not offered.
  tls.apply(withoutHttp2(first));
  const watch = new WebConfigWatch({
    load,
    apply: (config) => {
      tls.apply(withoutHttp2(config));
      gate.apply(config);
    },
    first,
    clock,
    logger,
    metrics,
  });
  return { gate, tls, watch };
}

function withoutHttp2(config: WebConfig): WebConfig {
  return { ...config, http2: false };
}
