// DNS discovery: each record of a name is a target.
import { AppError, errorMessage } from '../base/errors.ts';
import { hostPort } from '../base/text/host-port.ts';
import {
  invalid,
  list,
  nonEmptyText,
  readWord,
  optional,
  positiveDuration,
  refine,
  refuse,
  required,
} from '../config/schema/read.ts';
import type { Label } from '../model/labels.ts';
import type { DiscoveryContext, DnsResolver, TargetGroup } from './interface.ts';
import { defineDiscovery, type SettingsOf } from './kind/define.ts';
import { Refresher } from './kind/refresh.ts';
import { port, settings } from './kind/settings.ts';

/** File in which the system lists the search domains for short names; see resolv.conf(5). */
const resolverFile = '/etc/resolv.conf';

/** Value that means that no port is configured; SRV records contain ports. */
const noPort = 0;

const schema = refine(
  settings({
    names: required(list(nonEmptyText)),
    type: optional(readWord(['SRV', 'A', 'AAAA', 'MX', 'NS']), 'SRV'),
    port: optional(port, noPort),
    refresh_interval: optional(positiveDuration, 30_000),
  }),
  (given, place) => {
    if (given.names.length === 0) return refuse(place.at('names'), 'at least one name');
    if (given.type === 'SRV' || given.port !== noPort) return given;
    place.report(`port is missing: records of type ${given.type} have none`);
    return invalid;
  },
);

type Config = SettingsOf<typeof schema>;

/** Finds targets by the records of DNS names. */
export const dns = defineDiscovery({
  kind: 'dns',
  schema,
  discover(config, context) {
    return {
      async run(signal, onUpdate) {
        const resolver = context.createResolver();
        const cancel = (): void => resolver.cancel();
        signal.addEventListener('abort', cancel, { once: true });
        const refresher = new Refresher({
          context,
          mechanism: 'dns',
          about: { names: config.names.join(' ') },
          intervalMillis: config.refreshMillis,
          refresh: async () => {
            const settings = await readSearchSettings(context.files);
            const mistakes: string[] = [];
            for (const name of config.names) {
              try {
                const found = await lookUp(resolver, name, config, settings);
                if (signal.aborted) return;
                onUpdate([makeGroup(name, found)]);
              } catch (error) {
                mistakes.push(`cannot look up ${config.type} of ${name}: ${errorMessage(error)}`);
              }
            }
            if (mistakes.length > 0) throw new AppError('unavailable', mistakes.join('; '));
          },
        });
        await refresher.run(signal);
      },
    };
  },
});

function makeGroup(name: string, targets: readonly (readonly Label[])[]): TargetGroup {
  return { source: name, targets, labels: [{ name: '__meta_dns_name', value: name }] };
}

/**
 * Domains that are appended to names. A name with at least `dotsMin` dots is tried as it is before
 * that.
 */
interface SearchSettings {
  readonly domains: readonly string[];
  readonly dotsMin: number;
}

async function readSearchSettings(files: DiscoveryContext['files']): Promise<SearchSettings> {
  let text: string;
  try {
    text = new TextDecoder().decode(await files.read(resolverFile));
  } catch {
    return { domains: [], dotsMin: 1 };
  }
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  // If the file has several such lines, only the last one counts.
  const domains = lines.findLast(([key]) => key === 'search' || key === 'domain')?.slice(1) ?? [];
  const options = lines.filter(([key]) => key === 'options').flat();
  const dots = options.findLast((option) => /^ndots:\d+$/.test(option))?.slice('ndots:'.length);
  return { domains, dotsMin: Number(dots ?? 1) };
}

/** Returns the full names that a name may stand for, in the order in which they are tried. */
function fullNames(name: string, { domains, dotsMin }: SearchSettings): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const longer = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`);
  return name.split('.').length > dotsMin ? [name, ...longer] : [...longer, name];
}

/**
 * Returns the labels of targets for the first full name that exists; an empty list if none exists.
 */
async function lookUp(
  resolver: DnsResolver,
  name: string,
  config: Config,
  settings: SearchSettings,
): Promise<Label[][]> {
  for (const fullName of fullNames(name, settings)) {
    try {
      return await resolveRecords(resolver, fullName, config);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENODATA') return [];
      if (code !== 'ENOTFOUND') throw error;
    }
  }
  return [];
}

async function resolveRecords(
  resolver: DnsResolver,
  name: string,
  { type, port }: Config,
): Promise<Label[][]> {
  const at = (host: string, ownPort = port): Label => ({
    name: '__address__',
    value: hostPort(host, ownPort),
  });
  const named = (kind: string, value: string): Label => ({ name: `__meta_dns_${kind}`, value });
  const bare = (host: string): string => host.replace(/\.$/, '');
  if (type === 'SRV') {
    return (await resolver.resolveSrv(name)).map((record) => [
      at(bare(record.name), record.port),
      named('srv_record_target', bare(record.name)),
      named('srv_record_port', String(record.port)),
    ]);
  }
  if (type === 'MX') {
    return (await resolver.resolveMx(name)).map(({ exchange }) => [
      at(bare(exchange)),
      named('mx_record_target', bare(exchange)),
    ]);
  }
  if (type === 'NS') {
    return (await resolver.resolveNs(name)).map((host) => [
      at(bare(host)),
      named('ns_record_target', bare(host)),
    ]);
  }
  const hosts = await (type === 'A' ? resolver.resolve4(name) : resolver.resolve6(name));
  return hosts.map((host) => [at(host)]);
}
