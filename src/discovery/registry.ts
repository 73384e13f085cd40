// The ways of discovery by their kind; a new one is a line here and a schema in src/config.
import type { DiscoveryConfig } from '../config/config.ts';
import { createAzureDiscoverer } from './apis/azure.ts';
import { createDigitalOceanDiscoverer } from './apis/digitalocean.ts';
import { createEc2Discoverer } from './apis/ec2.ts';
import { createEurekaDiscoverer } from './apis/eureka.ts';
import { createGceDiscoverer } from './apis/gce.ts';
import { createHetznerDiscoverer } from './apis/hetzner.ts';
import { createOpenStackDiscoverer } from './apis/openstack.ts';
import { createPuppetDbDiscoverer } from './apis/puppetdb.ts';
import { createConsulDiscoverer } from './apis/consul.ts';
import { createDockerDiscoverer } from './apis/docker.ts';
import { createDockerSwarmDiscoverer } from './apis/docker-swarm.ts';
import { createNomadDiscoverer } from './apis/nomad.ts';
import { createDnsDiscoverer } from './dns.ts';
import { createFileDiscoverer } from './file.ts';
import { createHttpDiscoverer } from './http.ts';
import type { Discoverer, DiscoveryContext } from './interface.ts';
import { createKubernetesDiscoverer } from './kubernetes/kubernetes.ts';
import { createStaticDiscoverer } from './static.ts';

type Kind = DiscoveryConfig['kind'];
type Creators = {
  readonly [K in Kind]: (
    config: Extract<DiscoveryConfig, { readonly kind: K }>,
    context: DiscoveryContext,
  ) => Discoverer;
};

const creators: Creators = {
  consul: createConsulDiscoverer,
  dns: createDnsDiscoverer,
  docker: createDockerDiscoverer,
  dockerswarm: createDockerSwarmDiscoverer,
  file: createFileDiscoverer,
  http: createHttpDiscoverer,
  kubernetes: createKubernetesDiscoverer,
  nomad: createNomadDiscoverer,
  azure: createAzureDiscoverer,
  digitalocean: createDigitalOceanDiscoverer,
  ec2: createEc2Discoverer,
  eureka: createEurekaDiscoverer,
  gce: createGceDiscoverer,
  hetzner: createHetznerDiscoverer,
  openstack: createOpenStackDiscoverer,
  puppetdb: createPuppetDbDiscoverer,
  static: createStaticDiscoverer,
};

/** Returns the discoverer of a config. */
export function createDiscoverer<K extends Kind>(
  config: Extract<DiscoveryConfig, { readonly kind: K }>,
  context: DiscoveryContext,
): Discoverer {
  return creators[config.kind as K](config, context);
}
