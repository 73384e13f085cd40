// Region and credentials for Amazon's APIs, from the same sources that Amazon's own tools use.
import { join } from 'node:path';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { Expiring, type Renewed } from '../../base/expiring.ts';
import { type AwsCredentials, canonicalQuery, sha256, signedHeaders } from './aws-signature.ts';
import { requireChild, childText, parseXml, type XmlElement } from '../../base/text/xml.ts';
import { loginObjectsMax } from '../../base/limits.ts';
import { parseJsonText } from '../../base/text/json.ts';
import { type Json, stringAt } from '../../base/text/json-values.ts';
import { getJson, type Query, type Send } from '../send.ts';
import type { LoginContext } from './login-context.ts';

/**
 * The configured part of a login. An empty string stands for the value that Amazon's tools would
 * find.
 */
export interface AwsLoginConfig {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Section of the file of credentials. */
  readonly profile: string;
  /** Role to assume; "" = none. */
  readonly roleArn: string;
  readonly externalId: string;
}

/** Address of the machine's metadata service; AWS_EC2_METADATA_SERVICE_ENDPOINT replaces it. */
const metadataUrl = 'http://169.254.169.254';
/** Host to which AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is relative. */
const containerUrl = 'http://169.254.170.2';
const metadataTokenSeconds = 21_600;
const roleSeconds = 3_600;
const sessionName = 'parca';

/**
 * Provides the region, and credentials that are renewed before they expire. Sources: "Standardized
 * credential providers" of the AWS SDKs and Tools Reference Guide; the reference of AWS STS.
 */
export class AwsLogin {
  readonly #config: AwsLoginConfig;
  readonly #context: LoginContext;
  readonly #credentials: Expiring<AwsCredentials>;
  readonly #own: Expiring<AwsCredentials>;
  #region: string;

  constructor(config: AwsLoginConfig, context: LoginContext) {
    this.#config = config;
    this.#context = context;
    this.#region = config.region;
    this.#credentials = new Expiring(context.clock);
    this.#own = new Expiring(context.clock);
  }

  /** Returns the region. Errors: AppError 'failed-precondition' if there is none. */
  async region(send: Send): Promise<string> {
    const { environment } = this.#context;
    this.#region ||= environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'] ?? '';
    if (this.#region === '') {
      const section = await this.#section('AWS_CONFIG_FILE', 'config');
      this.#region = section?.get('region') ?? (await this.#metadata('placement/region', send));
    }
    if (this.#region === '') throw failure('region is not given');
    return this.#region;
  }

  /**
   * Returns credentials. Errors: AppError 'failed-precondition' if none are found; errors of
   * `send`.
   */
  credentials(send: Send): Promise<AwsCredentials> {
    const { roleArn, externalId } = this.#config;
    if (roleArn === '') return this.#own.get(() => this.#find(send));
    return this.#credentials.get(async () => {
      const own = await this.#own.get(() => this.#find(send));
      return this.#assume(
        [
          ['Action', 'AssumeRole'],
          ['RoleArn', roleArn],
          ...(externalId === '' ? [] : [['ExternalId', externalId] as const]),
        ],
        own,
        send,
      );
    });
  }

  async #find(send: Send): Promise<Renewed<AwsCredentials>> {
    const { accessKey, secretKey, profile } = this.#config;
    if (accessKey !== '' && secretKey !== '') {
      return unlimited({ accessKey, secretKey, sessionToken: '' });
    }
    const { environment } = this.#context;
    const named = readKeys((name) => environment[name.toUpperCase()]);
    if (profile === '' && named !== undefined) return unlimited(named);
    const section = await this.#section('AWS_SHARED_CREDENTIALS_FILE', 'credentials');
    const inFile = section && readKeys((name) => section.get(name));
    if (inFile !== undefined) return unlimited(inFile);
    if (profile !== '') throw failure(`there are no credentials of profile ${profile}`);
    const tokenFile = environment['AWS_WEB_IDENTITY_TOKEN_FILE'] ?? '';
    if (tokenFile !== '') return this.#byWebIdentity(tokenFile, send);
    const container = containerAddress(environment);
    if (container !== undefined) return this.#askContainer(container, send);
    return this.#askMachine(send);
  }

  async #byWebIdentity(tokenFile: string, send: Send): Promise<Renewed<AwsCredentials>> {
    const token = await this.#readText(tokenFile);
    return this.#assume(
      [
        ['Action', 'AssumeRoleWithWebIdentity'],
        ['RoleArn', this.#context.environment['AWS_ROLE_ARN'] ?? ''],
        ['WebIdentityToken', token],
      ],
      undefined,
      send,
    );
  }

  async #askContainer(url: string, send: Send): Promise<Renewed<AwsCredentials>> {
    const { environment } = this.#context;
    const tokenFile = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'] ?? '';
    const token =
      tokenFile === ''
        ? (environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] ?? '')
        : await this.#readText(tokenFile);
    const headers = token === '' ? {} : { authorization: token };
    return this.#fromJson((await getJson(send, { url, headers })) as Json);
  }

  async #askMachine(send: Send): Promise<Renewed<AwsCredentials>> {
    if (this.#context.environment['AWS_EC2_METADATA_DISABLED'] === 'true') {
      throw failure('no credentials are given, and AWS_EC2_METADATA_DISABLED is set');
    }
    const folder = 'iam/security-credentials/';
    const role = (await this.#metadata(folder, send)).split('\n', 1)[0].trim();
    if (role === '') throw failure('no credentials are given, and this machine has no role');
    const text = await this.#metadata(folder + role, send);
    return this.#fromJson(
      parseJsonText(text, failure('its role').message, loginObjectsMax) as Json,
    );
  }

  /**
   * Reads metadata of the machine. The request has a token, which version 2 of the service
   * requires.
   */
  async #metadata(path: string, send: Send): Promise<string> {
    const named = this.#context.environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? '';
    const base = (named || metadataUrl).replace(/\/$/, '');
    const seconds = String(metadataTokenSeconds);
    try {
      const { text: token } = await send({
        url: `${base}/latest/api/token`,
        method: 'PUT',
        headers: { 'x-aws-ec2-metadata-token-ttl-seconds': seconds },
      });
      const headers = { 'x-aws-ec2-metadata-token': token };
      return (await send({ url: `${base}/latest/meta-data/${path}`, headers })).text;
    } catch (error) {
      throw failure(`nothing is given, and this machine does not say it: ${errorMessage(error)}`);
    }
  }

  async #assume(
    query: Query,
    signer: AwsCredentials | undefined,
    send: Send,
  ): Promise<Renewed<AwsCredentials>> {
    const region = await this.region(send);
    const { environment, clock } = this.#context;
    const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    const url = new URL(environment['AWS_ENDPOINT_URL_STS'] ?? `https://sts.${region}.${domain}/`);
    const body = canonicalQuery([
      ...query,
      ['Version', '2011-06-15'],
      ['RoleSessionName', environment['AWS_ROLE_SESSION_NAME'] ?? sessionName],
      ['DurationSeconds', String(roleSeconds)],
    ]);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers =
      signer === undefined
        ? form
        : signedHeaders(
            {
              method: 'POST',
              path: url.pathname,
              query: [],
              bodyHash: sha256(body),
              headers: { ...form, host: url.host },
            },
            { region, service: 'sts' },
            signer,
            clock.nowMillis(),
          );
    const { text } = await send({ url: url.href, headers, body });
    return this.#fromXml(parseXml(text));
  }

  #fromXml(answer: XmlElement): Renewed<AwsCredentials> {
    const result = answer.children.find(({ name }) => name.endsWith('Result'));
    if (result === undefined) throw failure('the answer of STS has no result');
    const given = requireChild(result, 'Credentials');
    return this.#renewed((name) => childText(given, name), 'SessionToken');
  }

  #fromJson(answer: Json): Renewed<AwsCredentials> {
    return this.#renewed((name) => stringAt(answer, name), 'Token');
  }

  #renewed(text: (name: string) => string, token: string): Renewed<AwsCredentials> {
    const value = {
      accessKey: text('AccessKeyId'),
      secretKey: text('SecretAccessKey'),
      sessionToken: text(token),
    };
    if (value.accessKey === '') throw failure('the answer has no AccessKeyId');
    const endMillis = Date.parse(text('Expiration'));
    const lifeMillis = endMillis - this.#context.clock.nowMillis();
    return { value, lifeMillis: Number.isNaN(lifeMillis) ? Infinity : lifeMillis };
  }

  /** Returns a section of one of Amazon's config files; undefined when there is none. */
  async #section(variable: string, name: string): Promise<ReadonlyMap<string, string> | undefined> {
    const { environment } = this.#context;
    const path = environment[variable] ?? join(environment['HOME'] ?? '', '.aws', name);
    const profile = this.#config.profile || (environment['AWS_PROFILE'] ?? 'default');
    let text: string;
    try {
      text = await this.#readText(path);
    } catch (error) {
      if (errorCode(error) === 'not-found') return undefined;
      throw error;
    }
    return findSection(text, profile) ?? findSection(text, `profile ${profile}`);
  }

  async #readText(path: string): Promise<string> {
    return new TextDecoder().decode(await this.#context.files.read(path)).trim();
  }
}

function unlimited(value: AwsCredentials): Renewed<AwsCredentials> {
  return { value, lifeMillis: Infinity };
}

/**
 * Reads credentials by their names in files. Environment variables have the same names in upper
 * case.
 */
function readKeys(read: (name: string) => string | undefined): AwsCredentials | undefined {
  const accessKey = read('aws_access_key_id') ?? '';
  const secretKey = read('aws_secret_access_key') ?? '';
  if (accessKey === '' || secretKey === '') return undefined;
  return { accessKey, secretKey, sessionToken: read('aws_session_token') ?? '' };
}

function containerAddress(environment: LoginContext['environment']): string | undefined {
  const path = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] ?? '';
  if (path !== '') return containerUrl + path;
  return environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
}

function findSection(text: string, name: string): ReadonlyMap<string, string> | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const start = lines.indexOf(`[${name}]`);
  if (start === -1) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('['));
  const pairs = (end === -1 ? rest : rest.slice(0, end)).map((line) =>
    /^([^#;=\s][^=]*?)\s*=\s*(.*)$/.exec(line),
  );
  return new Map(pairs.filter((pair) => pair !== null).map(([, key, value]) => [key, value]));
}

function failure(why: string): AppError {
  return new AppError('failed-precondition', `cannot log in to AWS: ${why}`);
}
