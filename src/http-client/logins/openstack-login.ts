// An OpenStack session: a token from Keystone, and the addresses of a region's services.
import { AppError } from '../../base/errors.ts';
import { Expiring, type Renewed } from '../../base/expiring.ts';
import { loginObjectsMax } from '../../base/limits.ts';
import { parseJsonText } from '../../base/text/json.ts';
import { type Json, listAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import type { Send } from '../send.ts';
import type { LoginContext } from './login-context.ts';

export interface OpenStackLoginConfig {
  readonly region: string;
  /** Login; undefined = it is read from the environment variables `OS_*`. */
  readonly login: OpenStackKeys | undefined;
  /** Kind of endpoint whose address is used. */
  readonly availability: 'public' | 'internal' | 'admin';
}

/** Credentials for Keystone; empty strings are not sent. */
export interface OpenStackKeys {
  /** Address of Keystone. */
  readonly url: string;
  readonly username: string;
  readonly userId: string;
  readonly password: string;
  readonly projectName: string;
  readonly projectId: string;
  readonly domainName: string;
  readonly domainId: string;
  readonly applicationCredentialId: string;
  readonly applicationCredentialName: string;
  readonly applicationCredentialSecret: string;
}

export interface OpenStackSession {
  readonly token: string;
  /**
   * Returns the address of a service, without a slash at its end.
   *
   * Errors: AppError 'failed-precondition' if the region does not have the service.
   */
  readonly endpoint: (service: string) => string;
}

/**
 * Provides sessions. A session is used until its token is about to expire. Source: OpenStack's
 * Identity API, v3.
 */
export class OpenStackLogin {
  readonly #config: OpenStackLoginConfig;
  readonly #context: LoginContext;
  readonly #session: Expiring<OpenStackSession>;

  constructor(config: OpenStackLoginConfig, context: LoginContext) {
    this.#config = config;
    this.#context = context;
    this.#session = new Expiring(context.clock);
  }

  /**
   * Returns a session. Errors: AppError 'failed-precondition' if there are no credentials; errors
   * of `send`.
   */
  session(send: Send): Promise<OpenStackSession> {
    return this.#session.get(() => this.#open(send));
  }

  async #open(send: Send): Promise<Renewed<OpenStackSession>> {
    const { clock, environment } = this.#context;
    const login = this.#config.login ?? readVariables(environment);
    const version = /\/v3\/?$/.test(login.url) ? '' : '/v3';
    const { text, headers } = await send({
      url: `${login.url.replace(/\/$/, '')}${version}/auth/tokens`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: authRequest(login) }),
    });
    const token = headers['x-subject-token'];
    if (typeof token !== 'string') throw failure('the answer has no X-Subject-Token');
    const answer = mapAt(
      parseJsonText(text, failure('the answer').message, loginObjectsMax) as Json,
      'token',
    );
    const lifeMillis = Date.parse(stringAt(answer, 'expires_at')) - clock.nowMillis();
    return {
      value: { token, endpoint: (service) => this.#endpoint(listAt(answer, 'catalog'), service) },
      // If the expiry is missing, the next refresh logs in again, as Prometheus does for every
      // refresh.
      lifeMillis: Number.isNaN(lifeMillis) ? 0 : lifeMillis,
    };
  }

  #endpoint(catalog: readonly Json[], service: string): string {
    const { region, availability } = this.#config;
    const endpoints = catalog
      .filter((entry) => stringAt(entry, 'type') === service)
      .flatMap((entry) => listAt(entry, 'endpoints'));
    const found = endpoints.find(
      (endpoint) =>
        stringAt(endpoint, 'interface') === availability &&
        [stringAt(endpoint, 'region'), stringAt(endpoint, 'region_id')].includes(region),
    );
    if (found !== undefined) return stringAt(found, 'url').replace(/\/+(v2\.0\/?)?$/, '');
    throw failure(`region ${region} has no ${availability} endpoint of ${service}`);
  }
}

/** Reads the environment variables that OpenStack's command line uses. */
function readVariables(environment: LoginContext['environment']): OpenStackKeys {
  const text = (...names: readonly string[]): string =>
    names.map((name) => environment[name] ?? '').find((value) => value !== '') ?? '';
  const url = text('OS_AUTH_URL');
  if (url === '') throw failure('identity_endpoint is not given, and OS_AUTH_URL is not set');
  return {
    url,
    username: text('OS_USERNAME'),
    userId: text('OS_USERID', 'OS_USER_ID'),
    password: text('OS_PASSWORD'),
    projectName: text('OS_PROJECT_NAME', 'OS_TENANT_NAME'),
    projectId: text('OS_PROJECT_ID', 'OS_TENANT_ID'),
    domainName: text('OS_DOMAIN_NAME', 'OS_USER_DOMAIN_NAME'),
    domainId: text('OS_DOMAIN_ID', 'OS_USER_DOMAIN_ID'),
    applicationCredentialId: text('OS_APPLICATION_CREDENTIAL_ID'),
    applicationCredentialName: text('OS_APPLICATION_CREDENTIAL_NAME'),
    applicationCredentialSecret: text('OS_APPLICATION_CREDENTIAL_SECRET'),
  };
}

function authRequest(login: OpenStackKeys): object {
  const given = (map: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(Object.entries(map).filter(([, value]) => value !== '' && !isEmpty(value)));
  const domain = given({ id: login.domainId, name: login.domainId === '' ? login.domainName : '' });
  const user = given({
    id: login.userId,
    name: login.userId === '' ? login.username : '',
    domain: login.userId === '' ? domain : {},
  });
  const secret = login.applicationCredentialSecret;
  if (secret !== '') {
    const id = login.applicationCredentialId;
    const named = { name: login.applicationCredentialName, user };
    const identity = given({ id, secret, ...(id === '' ? named : {}) });
    return { identity: { methods: ['application_credential'], application_credential: identity } };
  }
  const { projectId, projectName } = login;
  const project = given({
    id: projectId,
    name: projectId === '' ? projectName : '',
    domain: projectId === '' ? domain : {},
  });
  const scope = projectId === '' && projectName === '' ? {} : { scope: { project } };
  const password = { user: { ...user, password: login.password } };
  return { identity: { methods: ['password'], password }, ...scope };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function failure(why: string): AppError {
  return new AppError('failed-precondition', `cannot log in to OpenStack: ${why}`);
}
