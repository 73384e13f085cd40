// Finds the API server and its login: in the config, in a kubeconfig, or from the cluster in which
// this process runs.
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { AppError, errorMessage } from '../../base/errors.ts';
import { hostPort } from '../../base/text/host-port.ts';
import {
  type CredentialsConfig,
  type HttpClientConfig,
  plainHttpClient,
} from '../../config/config.ts';
import type { TextSource } from '../../config/text-source.ts';
import { createHttpClient, type HttpClient } from '../../http-client/http-client.ts';
import type { DiscoveryContext } from '../interface.ts';
import { type Json, listAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import { execLogin } from './exec-login.ts';
import type { KubernetesSettings } from './settings.ts';

/** Folder with the files of the service account, which Kubernetes puts into every pod. */
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The API server of a cluster, and how to log in. */
export interface ApiServer {
  readonly url: string;
  readonly http: HttpClientConfig;
  /** Returns the token for a request; undefined if no program provides tokens. */
  readonly token?: () => Promise<string>;
}

/**
 * Returns the API server that a config describes.
 *
 * Errors: AppError 'failed-precondition' if it cannot be found.
 */
export async function findApiServer(
  config: KubernetesSettings,
  context: DiscoveryContext,
): Promise<ApiServer> {
  const { environment } = context;
  if (config.apiServer !== '') return { url: config.apiServer, http: config.http };
  if (config.kubeconfig !== '') return readKubeconfig(config.kubeconfig, context);
  const [host, port] = [
    environment['KUBERNETES_SERVICE_HOST'],
    environment['KUBERNETES_SERVICE_PORT'],
  ];
  if (host === undefined || port === undefined) {
    throw failure('this process is not in a pod; give api_server or kubeconfig_file');
  }
  return {
    url: `https://${hostPort(host, port)}`,
    http: accountClient(accountFolder),
  };
}

/**
 * Returns client settings that log in as the service account of the pod, and trust its certificate
 * authority.
 */
export function accountClient(
  folder: string = accountFolder,
  insecureSkipVerify: boolean = false,
): HttpClientConfig {
  return {
    ...plainHttpClient,
    // The token is read for each request, because Kubernetes rotates it.
    credentials: { kind: 'token', type: 'Bearer', token: inFile(`${folder}/token`) },
    tls: { ...plainTls, ca: inFile(`${folder}/ca.crt`), insecureSkipVerify },
  };
}

/** Opens a client of an API server. Its connections stay open for pauses of `intervalMillis`. */
export async function openApiClient(
  { http, token }: ApiServer,
  intervalMillis: number,
  { userAgent, files, clock }: DiscoveryContext,
): Promise<HttpClient> {
  const client = await createHttpClient({ config: http, intervalMillis, userAgent, files, clock });
  if (token === undefined) return client;
  return {
    fingerprint: client.fingerprint,
    get dispatcher() {
      return client.dispatcher;
    },
    headers: async () => ({
      ...(await client.headers()),
      authorization: `Bearer ${await token()}`,
    }),
    close: () => client.close(),
  };
}

/** Returns the namespace of the pod in which this process runs. */
export async function ownNamespace(files: DiscoveryContext['files']): Promise<string> {
  return new TextDecoder().decode(await files.read(`${accountFolder}/namespace`)).trim();
}

const plainTls = {
  ca: undefined,
  cert: undefined,
  key: undefined,
  serverName: '',
  insecureSkipVerify: false,
  minVersion: undefined,
  maxVersion: undefined,
};

/** Reads the API server and the login of a kubeconfig's current context. */
async function readKubeconfig(path: string, context: DiscoveryContext): Promise<ApiServer> {
  let config: Json;
  try {
    const text = new TextDecoder().decode(await context.files.read(path));
    config = mapAt({ config: parse(text) }, 'config');
  } catch (error) {
    throw failure(`cannot read ${path}: ${errorMessage(error)}`);
  }
  const named = (list: string, name: string, key: string): Json => {
    const found = listAt(config, list).find((one) => stringAt(one, 'name') === name);
    if (found === undefined) throw failure(`${path} has no ${key} ${JSON.stringify(name)}`);
    return mapAt(found, key);
  };
  const current = named('contexts', stringAt(config, 'current-context'), 'context');
  const cluster = named('clusters', stringAt(current, 'cluster'), 'cluster');
  const user = named('users', stringAt(current, 'user'), 'user');
  if (user['auth-provider'] !== undefined) {
    throw failure(`${path} logs in by auth-provider, which Kubernetes has replaced by exec`);
  }
  /** Returns the content of the file that `key` names, or the decoded base64 under `key-data`. */
  const source = (from: Json, key: string): TextSource | undefined => {
    const data = stringAt(from, `${key}-data`);
    if (data !== '') return { kind: 'inline', text: Buffer.from(data, 'base64').toString() };
    const name = stringAt(from, key);
    return name === '' ? undefined : inFile(resolve(dirname(path), name));
  };
  return {
    url: stringAt(cluster, 'server'),
    ...(user['exec'] === undefined ? {} : { token: execLogin(mapAt(user, 'exec'), path, context) }),
    http: {
      ...plainHttpClient,
      credentials: readCredentials(user, path),
      tls: {
        ...plainTls,
        ca: source(cluster, 'certificate-authority'),
        cert: source(user, 'client-certificate'),
        key: source(user, 'client-key'),
        serverName: stringAt(cluster, 'tls-server-name'),
        insecureSkipVerify: cluster['insecure-skip-tls-verify'] === true,
      },
    },
  };
}

function readCredentials(user: Json, path: string): CredentialsConfig | undefined {
  const inline = (text: string): TextSource => ({ kind: 'inline', text });
  const [token, tokenFile] = [stringAt(user, 'token'), stringAt(user, 'tokenFile')];
  if (tokenFile !== '') {
    return { kind: 'token', type: 'Bearer', token: inFile(resolve(dirname(path), tokenFile)) };
  }
  if (token !== '') return { kind: 'token', type: 'Bearer', token: inline(token) };
  const username = stringAt(user, 'username');
  if (username === '') return undefined;
  const password = inline(stringAt(user, 'password'));
  return { kind: 'basic', username: inline(username), password };
}

function inFile(path: string): TextSource {
  return { kind: 'file', path };
}

function failure(why: string): AppError {
  return new AppError('failed-precondition', `cannot find the API server of Kubernetes: ${why}`);
}
