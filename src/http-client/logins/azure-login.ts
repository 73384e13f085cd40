// Tokens for Azure's APIs, obtained with a secret or with the identity of a machine or a workload.
import { AppError } from '../../base/errors.ts';
import { Expiring, type Renewed } from '../../base/expiring.ts';
import { type Json, stringAt } from '../../base/text/json-values.ts';
import { getJson, type Request, type Send } from '../send.ts';
import type { LoginContext } from './login-context.ts';

export interface AzureLoginConfig {
  /** Address of the API for which tokens are requested. */
  readonly url: string;
  /** URL of the Microsoft host that issues tokens. */
  readonly loginUrl: string;
  readonly login: 'OAuth' | 'ManagedIdentity' | 'SDK' | 'WorkloadIdentity';
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Address of the instance metadata service; AZURE_POD_IDENTITY_AUTHORITY_HOST overrides it. */
const metadataUrl = 'http://169.254.169.254';

/**
 * Provides tokens that are renewed before they expire. Sources: "Microsoft identity platform and
 * the OAuth 2.0 client credentials flow", "How to use managed identities on an Azure VM to get an
 * access token", and the defaults of Azure's SDKs.
 */
export class AzureLogin {
  readonly #config: AzureLoginConfig;
  readonly #context: LoginContext;
  readonly #token: Expiring<string>;

  constructor(config: AzureLoginConfig, context: LoginContext) {
    this.#config = config;
    this.#context = context;
    this.#token = new Expiring(context.clock);
  }

  /**
   * Returns a token. Errors: AppError 'failed-precondition' if there are no credentials; errors of
   * `send`.
   */
  token(send: Send): Promise<string> {
    return this.#token.get(() => this.#renew(send));
  }

  async #renew(send: Send): Promise<Renewed<string>> {
    const answer = (await getJson(send, await this.#request())) as Json;
    const token = stringAt(answer, 'access_token');
    if (token === '') throw failure('the answer has no access_token');
    return { value: token, lifeMillis: Number(stringAt(answer, 'expires_in') || 0) * 1_000 };
  }

  async #request(): Promise<Request> {
    const { login, tenantId, clientId, clientSecret } = this.#config;
    switch (login) {
      case 'OAuth':
        return this.#grant(tenantId, { client_id: clientId, client_secret: clientSecret });
      case 'ManagedIdentity':
        return this.#machineRequest();
      case 'WorkloadIdentity':
        return this.#workloadRequest();
      case 'SDK':
        return this.#environmentRequest();
      default:
        throw new AppError('internal', `BUG: login ${String(login)}`);
    }
  }

  /**
   * Finds credentials in the order of Azure's SDKs: environment variables, the workload's identity,
   * the machine's identity.
   */
  async #environmentRequest(): Promise<Request> {
    const { environment } = this.#context;
    const tenantId = this.#config.tenantId || (environment['AZURE_TENANT_ID'] ?? '');
    const [id, secret] = [environment['AZURE_CLIENT_ID'], environment['AZURE_CLIENT_SECRET']];
    if (tenantId !== '' && id !== undefined && secret !== undefined) {
      return this.#grant(tenantId, { client_id: id, client_secret: secret });
    }
    if (environment['AZURE_FEDERATED_TOKEN_FILE'] !== undefined) return this.#workloadRequest();
    return this.#machineRequest();
  }

  async #workloadRequest(): Promise<Request> {
    const { environment, files } = this.#context;
    const variable = (name: string): string => {
      const value = environment[name] ?? '';
      if (value === '') throw failure(`the variable ${name} is not set`);
      return value;
    };
    const path = variable('AZURE_FEDERATED_TOKEN_FILE');
    const assertion = new TextDecoder().decode(await files.read(path)).trim();
    return this.#grant(this.#config.tenantId || variable('AZURE_TENANT_ID'), {
      client_id: this.#config.clientId || variable('AZURE_CLIENT_ID'),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    });
  }

  #grant(tenantId: string, fields: Readonly<Record<string, string>>): Request {
    const host = this.#context.environment['AZURE_AUTHORITY_HOST'] ?? this.#config.loginUrl;
    return {
      url: `${host.replace(/\/$/, '')}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: `${this.#config.url}/.default`,
        ...fields,
      }).toString(),
    };
  }

  #machineRequest(): Request {
    const { environment } = this.#context;
    const clientId = this.#config.clientId;
    const chosen = clientId === '' ? [] : [['client_id', clientId] as const];
    const resource = ['resource', this.#config.url] as const;
    const [endpoint, header] = [environment['IDENTITY_ENDPOINT'], environment['IDENTITY_HEADER']];
    if (endpoint !== undefined && header !== undefined) {
      return {
        url: endpoint,
        query: [['api-version', '2019-08-01'], resource, ...chosen],
        headers: { 'x-identity-header': header },
      };
    }
    const host = environment['AZURE_POD_IDENTITY_AUTHORITY_HOST'] ?? metadataUrl;
    return {
      url: `${host.replace(/\/$/, '')}/metadata/identity/oauth2/token`,
      query: [['api-version', '2018-02-01'], resource, ...chosen],
      headers: { metadata: 'true' },
    };
  }
}

function failure(why: string): AppError {
  return new AppError('failed-precondition', `cannot log in to Azure: ${why}`);
}
