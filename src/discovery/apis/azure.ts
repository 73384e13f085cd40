// Azure: finds virtual machines, both standalone machines and machines of scale sets.
import {
  nonEmptyText,
  readWord,
  optional,
  positiveDuration,
  refine,
  refuse,
  required,
  secret,
  text,
  type Reader,
} from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { httpSettings, common, refuseCredentials } from '../kind/settings.ts';
import { AppError, errorCode } from '../../base/errors.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import { readList, type Json, listAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import { type Names, prefixNames, targetLabels } from '../kind/meta-labels.ts';
import { getJson, type Query } from '../../http-client/send.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';
import { AzureLogin } from '../../http-client/logins/azure-login.ts';

const prefix = '__meta_azure_';
const computeQuery: Query = [['api-version', '2024-07-01']];
const networkQuery: Query = [
  ['api-version', '2024-05-01'],
  ['$expand', 'ipConfigurations/publicIPAddress'],
];
const scaleSetNetworkQuery: Query = [
  ['api-version', '2018-10-01'],
  ['$expand', 'ipConfigurations/publicIPAddress'],
];
/** Maximum number of network interfaces that are requested at the same time. */
const requestsMax = 16;

/** Function that gets JSON by the path of a resource, or by the URL of the next page. */
type Get = (place: string, query: Query) => Promise<Json>;

interface AzureCloud {
  /** Address of Azure's resource manager. */
  readonly url: string;
  readonly loginUrl: string;
}

const publicCloud: AzureCloud = {
  url: 'https://management.azure.com',
  loginUrl: 'https://login.microsoftonline.com',
};
const governmentCloud: AzureCloud = {
  url: 'https://management.usgovcloudapi.net',
  loginUrl: 'https://login.microsoftonline.us',
};

/** Azure's clouds, by their names in lower case. */
const azureClouds: ReadonlyMap<string, AzureCloud> = new Map([
  [
    'azurechinacloud',
    { url: 'https://management.chinacloudapi.cn', loginUrl: 'https://login.chinacloudapi.cn' },
  ],
  ['azurecloud', publicCloud],
  ['azuregermancloud', publicCloud],
  ['azurepubliccloud', publicCloud],
  ['azureusgovernment', governmentCloud],
  ['azureusgovernmentcloud', governmentCloud],
]);

const azureCloud: Reader<AzureCloud> = refine(text, (name, place) => {
  const names = 'AzurePublicCloud, AzureChinaCloud or AzureUSGovernment';
  return azureClouds.get(name.toLowerCase()) ?? refuse(place, names);
});

const azureMethods = ['OAuth', 'ManagedIdentity', 'SDK', 'WorkloadIdentity'] as const;

/** Settings of discovery on Azure. */
const schema = refine(
  httpSettings(
    {
      ...common,
      environment: optional(azureCloud, publicCloud),
      authentication_method: optional(readWord(azureMethods), 'OAuth'),
      subscription_id: required(nonEmptyText),
      tenant_id: optional(text, ''),
      client_id: optional(text, ''),
      client_secret: optional(secret, ''),
      /** Resource group; "" = all groups. */
      resource_group: optional(text, ''),
      refresh_interval: optional(positiveDuration, 300_000),
    },
    (given, place) => {
      refuseCredentials(place, 'authentication_method and its keys');
      if (given.authentication_method !== 'OAuth') return;
      for (const key of ['tenant_id', 'client_id', 'client_secret'] as const) {
        if (given[key] === '') place.report(`${key} is missing: authentication_method is OAuth`);
      }
    },
  ),
  ({ environment, authenticationMethod: login, ...rest }) => ({
    ...rest,
    ...environment,
    login,
    socketPath: '',
  }),
);

type Config = SettingsOf<typeof schema>;

/** Source: Azure's REST API reference. */
export const azure = defineDiscovery({
  kind: 'azure',
  schema,
  discover(config, context) {
    const login = new AzureLogin(config, context);
    return createPolledDiscoverer(config, context, async ({ send }) => {
      const get: Get = async (place, query) => {
        const headers = { authorization: `Bearer ${await login.token(send)}` };
        const url = place.startsWith('/') ? config.url + place : place;
        // The URL of the next page comes from the answer and includes the query. The token must
        // only be sent to the host of the API.
        if (new URL(url).origin !== new URL(config.url).origin) {
          throw new AppError('unavailable', `cannot get ${url}: it is on another host`);
        }
        return (await getJson(send, { url, query, headers })) as Json;
      };
      const machines = await listMachines(config, get);
      const targets: Label[][] = [];
      for (let i = 0; i < machines.length; i += requestsMax) {
        const some = machines.slice(i, i + requestsMax);
        const found = await Promise.all(
          some.map((machine) => machineTargets(machine, config, get)),
        );
        targets.push(...found.flat());
      }
      return [{ source: 'azure', targets, labels: [] }];
    });
  },
});

interface Machine {
  readonly json: Json;
  /** Name of the scale set; "" for a standalone machine. */
  readonly scaleSet: string;
}

async function listMachines(
  { subscriptionId, resourceGroup }: Config,
  get: Get,
): Promise<readonly Machine[]> {
  const inGroup =
    resourceGroup === '' ? '' : `/resourceGroups/${encodeURIComponent(resourceGroup)}`;
  const subscription = `/subscriptions/${encodeURIComponent(subscriptionId)}`;
  const base = `${subscription}${inGroup}/providers/Microsoft.Compute`;
  const machines = (await pages(`${base}/virtualMachines`, get)).map((json) => ({
    json,
    scaleSet: '',
  }));
  for (const scaleSet of await pages(`${base}/virtualMachineScaleSets`, get)) {
    const name = stringAt(scaleSet, 'name');
    const found = await pages(`${resourcePath(scaleSet)}/virtualMachines`, get);
    machines.push(...found.map((json) => ({ json, scaleSet: name })));
  }
  return machines;
}

async function pages(path: string, get: Get): Promise<readonly Json[]> {
  const items: Json[] = [];
  for (let [place, query] = [path, computeQuery]; place !== '';) {
    const answer = await get(place, query);
    items.push(...listAt(answer, 'value'));
    [place, query] = [stringAt(answer, 'nextLink'), []];
  }
  return items;
}

/** Returns the path of a resource, which is its id. */
function resourcePath(resource: Json): string {
  const id = stringAt(resource, 'id');
  if (/^\/[^?#]*$/.test(id) && !id.includes('/../')) return id;
  throw new AppError('unavailable', `cannot use the id of a resource: ${JSON.stringify(id)}`);
}

async function machineTargets(
  { json, scaleSet }: Machine,
  config: Config,
  get: Get,
): Promise<Label[][]> {
  const properties = mapAt(json, 'properties');
  const names: Names = {
    subscription_id: config.subscriptionId,
    tenant_id: config.tenantId,
    machine_id: stringAt(json, 'id'),
    machine_name: stringAt(json, 'name'),
    machine_computer_name: stringAt(mapAt(properties, 'osProfile'), 'computerName'),
    machine_os_type: stringAt(mapAt(mapAt(properties, 'storageProfile'), 'osDisk'), 'osType'),
    machine_location: stringAt(json, 'location'),
    machine_resource_group: /\/resourceGroups\/([^/]+)/i.exec(stringAt(json, 'id'))?.[1] ?? '',
    machine_size: stringAt(mapAt(properties, 'hardwareProfile'), 'vmSize'),
    machine_scale_set: scaleSet,
    ...prefixNames('machine_tag_', mapAt(json, 'tags')),
  };
  const query = scaleSet === '' ? networkQuery : scaleSetNetworkQuery;
  for (const reference of listAt(mapAt(properties, 'networkProfile'), 'networkInterfaces')) {
    let network: Json;
    try {
      network = mapAt(await get(resourcePath(reference), query), 'properties');
    } catch (error) {
      // The machine was deleted after it was listed.
      if (errorCode(error) === 'not-found') return [];
      throw error;
    }
    // An interface has no `primary` while its machine is not allocated.
    if (typeof network['primary'] !== 'boolean') return [];
    if (!network['primary']) continue;
    const [first] = readList(network['ipConfigurations']);
    const ip = mapAt(first ?? {}, 'properties');
    const privateIp = stringAt(ip, 'privateIPAddress');
    if (privateIp === '') {
      throw new AppError('unavailable', `machine ${names['machine_name']} has no private address`);
    }
    const publicIp = stringAt(mapAt(mapAt(ip, 'publicIPAddress'), 'properties'), 'ipAddress');
    const addresses = { machine_private_ip: privateIp, machine_public_ip: publicIp };
    return [targetLabels(hostPort(privateIp, config.port), prefix, { ...names, ...addresses })];
  }
  return [];
}
