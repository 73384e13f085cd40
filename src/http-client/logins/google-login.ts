// Tokens for Google's APIs. Credentials come from the same sources that Google's own tools use.
import { join } from 'node:path';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { Expiring, type Renewed } from '../../base/expiring.ts';
import { signJwt } from './sign-jwt.ts';
import { loginObjectsMax } from '../../base/limits.ts';
import { parseJsonBytes } from '../../base/text/json.ts';
import { type Json, stringAt } from '../../base/text/json-values.ts';
import { getJson, type Request, type Send } from '../send.ts';
import type { LoginContext } from './login-context.ts';

/** Lifetime of a signed claim in seconds, which is the longest that Google accepts. */
const claimSeconds = 3_600;
/**
 * Host of the metadata service, which every machine in Google's cloud can reach. The variable
 * GCE_METADATA_HOST replaces it.
 */
const metadataHost = 'metadata.google.internal';
const defaultTokenUrl = 'https://oauth2.googleapis.com/token';

/**
 * Provides tokens for the application default credentials: the file that
 * GOOGLE_APPLICATION_CREDENTIALS names, the file of gcloud, or the account of the machine. Source:
 * Google's AIP-4110, AIP-4112 and AIP-4115.
 */
export class GoogleLogin {
  readonly #scope: string;
  readonly #context: LoginContext;
  readonly #token: Expiring<string>;

  constructor(scope: string, context: LoginContext) {
    this.#scope = scope;
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
    const credentials = await this.#credentials();
    const request =
      credentials === undefined ? this.#machineRequest() : this.#fileRequest(credentials);
    const answer = (await getJson(send, request)) as Json;
    const token = stringAt(answer, 'access_token');
    if (token === '') throw failure('the answer has no access_token');
    return { value: token, lifeMillis: Number(stringAt(answer, 'expires_in') || 0) * 1_000 };
  }

  /** Reads the credentials file; undefined if there is none. */
  async #credentials(): Promise<Json | undefined> {
    const { environment, files } = this.#context;
    const named = environment['GOOGLE_APPLICATION_CREDENTIALS'] ?? '';
    const home =
      environment['CLOUDSDK_CONFIG'] ?? join(environment['HOME'] ?? '', '.config/gcloud');
    const path = named === '' ? join(home, 'application_default_credentials.json') : named;
    try {
      return parseJsonBytes(await files.read(path), 'it is not JSON', loginObjectsMax) as Json;
    } catch (error) {
      if (named === '' && errorCode(error) === 'not-found') return undefined;
      throw failure(`cannot read ${path}: ${errorMessage(error)}`);
    }
  }

  #machineRequest(): Request {
    const host = this.#context.environment['GCE_METADATA_HOST'] ?? metadataHost;
    const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`;
    return { url, headers: { 'metadata-flavor': 'Google' } };
  }

  #fileRequest(credentials: Json): Request {
    const type = stringAt(credentials, 'type');
    const fields =
      type === 'service_account' ? this.#claim(credentials) : refreshFields(credentials);
    if (fields === undefined) throw failure(`credentials of type ${type} are not supported yet`);
    return {
      url: stringAt(credentials, 'token_uri') || defaultTokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    };
  }

  #claim(credentials: Json): Record<string, string> {
    const nowSeconds = Math.floor(this.#context.clock.nowMillis() / 1_000);
    const claims = {
      iss: stringAt(credentials, 'client_email'),
      scope: this.#scope,
      aud: stringAt(credentials, 'token_uri') || defaultTokenUrl,
      iat: nowSeconds,
      exp: nowSeconds + claimSeconds,
    };
    const key = stringAt(credentials, 'private_key');
    return {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: signJwt(claims, key, stringAt(credentials, 'private_key_id')),
    };
  }
}

/**
 * Returns the form fields for a user's login, which `gcloud auth application-default login` stored;
 * undefined for other credentials.
 */
function refreshFields(credentials: Json): Record<string, string> | undefined {
  if (stringAt(credentials, 'type') !== 'authorized_user') return undefined;
  return {
    grant_type: 'refresh_token',
    client_id: stringAt(credentials, 'client_id'),
    client_secret: stringAt(credentials, 'client_secret'),
    refresh_token: stringAt(credentials, 'refresh_token'),
  };
}

function failure(why: string): AppError {
  return new AppError('failed-precondition', `cannot log in to Google: ${why}`);
}
