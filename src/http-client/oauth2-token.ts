// Tokens of an OAuth 2.0 server, obtained with the client credentials grant.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { Expiring, type Renewed } from '../base/expiring.ts';
import type { Files } from '../base/files.ts';
import { loginObjectsMax } from '../base/limits.ts';
import { parseJsonText } from '../base/text/json.ts';
import type { OAuth2Config } from '../config/config.ts';
import { readTextSource } from '../config/text-source.ts';

/** Sends a form to the token server. */
export type PostForm = (
  url: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly text: string }>;

/**
 * Provides the current token of a client; it is renewed before it expires. Source: RFC 6749, 4.4.
 */
export class OAuth2Token {
  readonly #config: OAuth2Config;
  readonly #files: Pick<Files, 'read'>;
  readonly #post: PostForm;
  readonly #token: Expiring<string>;
  /**
   * True if the secret is sent in the form instead of a header. Some servers accept it only in the
   * form, others only in a header.
   */
  #isInForm = false;

  constructor(config: OAuth2Config, files: Pick<Files, 'read'>, clock: Clock, post: PostForm) {
    this.#config = config;
    this.#files = files;
    this.#post = post;
    this.#token = new Expiring(clock);
  }

  /** Returns a token. Errors: AppError 'failed-precondition' if the server sends no token. */
  get(): Promise<string> {
    return this.#token.get(() => this.#renew());
  }

  async #renew(): Promise<Renewed<string>> {
    // The secret is read again for each token, because its file may have been replaced.
    const secret = await readTextSource(this.#config.clientSecret, this.#files);
    let answer = await this.#ask(secret);
    if (answer.status === 400 || answer.status === 401) {
      this.#isInForm = !this.#isInForm;
      answer = await this.#ask(secret);
    }
    if (answer.status !== 200) throw failure(`the answer has status ${answer.status}`);
    const { access_token: value, expires_in: seconds } = parse(answer.text);
    if (typeof value !== 'string' || value === '') throw failure('the answer has no access_token');
    // As in Go, a token without a lifetime is used until the process ends.
    return { value, lifeMillis: Number(seconds ?? Infinity) * 1_000 };
  }

  #ask(secret: string): ReturnType<PostForm> {
    const { tokenUrl, clientId, scopes, endpointParams } = this.#config;
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (scopes.length > 0) form.set('scope', scopes.join(' '));
    for (const [name, value] of endpointParams) form.set(name, value);
    if (this.#isInForm) {
      form.set('client_id', clientId);
      form.set('client_secret', secret);
      return this.#post(tokenUrl, form, {});
    }
    const pair = [clientId, secret].map(encodeURIComponent).join(':');
    const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
    return this.#post(tokenUrl, form, { authorization });
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = parseJsonText(text, '', loginObjectsMax);
    if (typeof answer === 'object' && answer !== null) return answer as Record<string, unknown>;
  } catch {
    // The message does not quote the answer, because it may contain a token.
  }
  throw failure('the answer is not JSON');
}

function failure(why: string): AppError {
  return new AppError('failed-precondition', `cannot get a token (oauth2): ${why}`);
}
