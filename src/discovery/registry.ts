// All ways to find targets, in the order in which the keys of a job are read.
import type { DiscoveryConfig } from '../config/config.ts';
import { AppError } from '../base/errors.ts';
import { azure } from './apis/azure.ts';
import { consul } from './apis/consul.ts';
import { digitalOcean } from './apis/digitalocean.ts';
import { docker } from './apis/docker.ts';
import { dockerSwarm } from './apis/docker-swarm.ts';
import { ec2 } from './apis/ec2.ts';
import { eureka } from './apis/eureka.ts';
import { gce } from './apis/gce.ts';
import { hetzner } from './apis/hetzner.ts';
import { nomad } from './apis/nomad.ts';
import { openStack } from './apis/openstack.ts';
import { puppetDb } from './apis/puppetdb.ts';
import type { DiscoveryKind } from './kind/define.ts';
import { dns } from './dns.ts';
import { file } from './file.ts';
import { http } from './http.ts';
import type { Discoverer, DiscoveryContext } from './interface.ts';
import { kubernetes } from './kubernetes/kubernetes.ts';
import { staticKind } from './static.ts';

export const discoveryKinds: readonly DiscoveryKind[] = [
  staticKind,
  file,
  http,
  dns,
  kubernetes,
  consul,
  docker,
  dockerSwarm,
  nomad,
  ec2,
  gce,
  azure,
  digitalOcean,
  hetzner,
  eureka,
  openStack,
  puppetDb,
];

/**
 * Creates a discoverer for a section of the config. The section's `kind` names the kind of
 * discovery that has read it.
 */
export function createDiscoverer(config: DiscoveryConfig, context: DiscoveryContext): Discoverer {
  const found = discoveryKinds.find(({ kind }) => kind === config.kind);
  if (found === undefined) throw new AppError('internal', `BUG: discovery ${config.kind}`);
  return found.discover(config, context);
}
