// The gate: checks every request before its body is read, for all protocols.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { AppError, errorCode } from '../../base/errors.ts';
import type { Counter, Metrics } from '../../base/metrics.ts';
import {
  asksForCredentials,
  type TokenConfig,
  type WebConfig,
} from '../../config/web/web-config.ts';
import type { Audit } from './audit.ts';
import { anybody, type Caller } from './caller.ts';
import { type Connection, identifySender } from './caller-id.ts';
import { isSafeHost } from './hosts.ts';
import { type CheckPassword, PasswordChecks } from './password-checks.ts';
import { Sessions } from './sessions.ts';

/** Parts and settings of the gate. */
export interface GateParts {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly audit: Audit;
  readonly checkPassword: CheckPassword;
  /** Secret of this process, 32 bytes. */
  readonly key: Uint8Array;
  /** Token with which this server scrapes itself. It only has the scope `read`. */
  readonly ownToken: string;
  /**
   * Host names, in addition to private names, that browsers may use to reach a server without
   * logins. If undefined, all names are allowed.
   */
  readonly allowedHosts: readonly string[] | undefined;
  /** Origins whose pages may call the API; "*" = all. */
  readonly allowedOrigins: readonly string[];
}

interface HashedToken {
  readonly token: TokenConfig;
  readonly digest: Uint8Array;
  readonly caller: Caller;
}

/** Decides which requests are accepted. */
export class Gate {
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly #parts: GateParts;
  readonly #passwords: PasswordChecks;
  readonly #own: TokenConfig;
  readonly #refused: Counter;
  #config: WebConfig;
  #tokens: readonly HashedToken[] = [];
  /** Hash to compare with if the user does not exist, so that the answer takes the same time. */
  #unknownUserHash = '';

  constructor(parts: GateParts, config: WebConfig) {
    this.#parts = parts;
    this.audit = parts.audit;
    this.#config = config;
    this.sessions = new Sessions(parts.clock, parts.key);
    this.#passwords = new PasswordChecks(parts.checkPassword, parts.key);
    this.#own = { name: 'self-scrape', sha256: sha256(parts.ownToken), scopes: ['read'] };
    this.#refused = parts.metrics.counter(
      'parca_requests_refused_total',
      'Requests that were not let in, by gRPC code.',
      ['code'],
    );
    this.apply(config);
  }

  /** Replaces the configuration. From now on, only the callers in `config` are accepted. */
  apply(config: WebConfig): void {
    this.#config = config;
    this.#tokens = [this.#own, ...config.tokens].map((token) => ({
      token,
      digest: Buffer.from(token.sha256, 'hex'),
      caller: { name: `token ${JSON.stringify(token.name)}`, scopes: new Set(token.scopes) },
    }));
    // The most expensive hash is used, because a faster answer would reveal that a user does not
    // exist.
    const costs = [...config.users.values()].sort((a, b) =>
      a.slice(4, 6) < b.slice(4, 6) ? 1 : -1,
    );
    this.#unknownUserHash = costs[0] ?? '';
  }

  /** Current config. */
  get config(): WebConfig {
    return this.#config;
  }

  /** Challenges in a 401 answer. */
  get challenges(): readonly string[] {
    const { users, tokens } = this.#config;
    return [
      ...(users.size > 0 ? ['Basic realm="parca", charset="UTF-8"'] : []),
      ...(tokens.length > 0 ? ['Bearer realm="parca"'] : []),
    ];
  }

  /**
   * Returns the caller identified by the headers. The result is a promise only if a password has to
   * be compared with its hash.
   *
   * Errors: AppError 'unauthenticated'; 'resource-exhausted' when too many passwords are waiting.
   */
  identify(
    headers: IncomingHttpHeaders,
    connection: Connection | undefined,
  ): Caller | Promise<Caller> {
    if (!asksForCredentials(this.#config)) return anybody;
    const { authorization, cookie } = headers;
    const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(authorization ?? '') ?? [];
    if (scheme.toLowerCase() === 'bearer') return this.#byToken(value);
    if (scheme.toLowerCase() === 'basic') return this.#byPassword(value, connection);
    if (authorization !== undefined)
      throw unauthenticated('authorization is neither Basic nor Bearer');
    const session = this.sessions.find(cookie ?? '', this.#config.tokens);
    const known = this.#tokens.find(({ token }) => token === session);
    if (known !== undefined) return known.caller;
    throw unauthenticated('the request has no credentials');
  }

  /** Returns true if a `cookie` header has a session that is valid. */
  hasSession(cookie: string | undefined): boolean {
    return this.sessionToken(cookie) !== undefined;
  }

  /** Returns the token of a valid session in a `cookie` header. */
  sessionToken(cookie: string | undefined): TokenConfig | undefined {
    return this.sessions.find(cookie ?? '', this.#config.tokens);
  }

  /** Returns the token in the configuration with this value; undefined if there is none. */
  findToken(text: string): TokenConfig | undefined {
    const found = this.#find(text);
    return found === undefined || found.token === this.#own ? undefined : found.token;
  }

  /**
   * Refuses an HTTP request whose Host could be a name of another site. After DNS rebinding, a
   * browser would treat our answers as answers of that site. Credentials and certificates are bound
   * to names, so only a server that requires neither is in danger.
   *
   * Errors: AppError 'permission-denied'.
   */
  checkHost(host: string, isEncrypted: boolean): void {
    if (isEncrypted || asksForCredentials(this.#config)) return;
    const { allowedHosts } = this.#parts;
    if (allowedHosts === undefined || isSafeHost(host, allowedHosts)) return;
    const name = JSON.stringify(host);
    const why = `a page of another site could use that name; allow it by --http-allowed-hosts`;
    throw new AppError('permission-denied', `cannot answer as ${name}: ${why}`);
  }

  /**
   * Refuses a request that a page of another site caused, so that such a page cannot act in its
   * reader's name. Browsers state the site of the page in `origin`, and in `sec-fetch-site`.
   *
   * Errors: AppError 'permission-denied'.
   */
  checkOrigin(headers: IncomingHttpHeaders): void {
    const { origin, host = headers[':authority'], 'sec-fetch-site': site } = headers;
    if (origin === undefined || site === 'same-origin') return;
    const { allowedOrigins } = this.#parts;
    if (allowedOrigins.includes('*') || allowedOrigins.includes(origin)) return;
    if (URL.parse(origin)?.host === host) return;
    throw new AppError('permission-denied', `cannot do this on behalf of a page of ${origin}`);
  }

  /** Counts and records a refusal; `what` is the requested path or method. */
  refuse(
    error: unknown,
    headers: IncomingHttpHeaders,
    connection: Connection | undefined,
    what: string,
  ): void {
    this.#refused.add(1, { code: errorCode(error) });
    const { peer } = identifySender(undefined, connection);
    const hasCredentials = headers.authorization !== undefined || what.endsWith('/login');
    this.audit.refuse({ error, from: peer, what, hasCredentials });
  }

  #byToken(text: string): Caller {
    const found = this.#find(text);
    if (found !== undefined) return found.caller;
    throw unauthenticated('the token is unknown');
  }

  /**
   * Finds a token by its hash. A fast hash is enough: a token has 256 random bits, too many to try.
   * All tokens are compared in constant time, so that the time of an answer reveals nothing about
   * the stored hashes.
   */
  #find(text: string): HashedToken | undefined {
    const digest = createHash('sha256').update(text).digest();
    let found: HashedToken | undefined;
    for (const one of this.#tokens) {
      if (timingSafeEqual(one.digest, digest)) found = one;
    }
    return found;
  }

  #byPassword(encoded: string, connection: Connection | undefined): Caller | Promise<Caller> {
    const text = Buffer.from(encoded, 'base64').toString();
    const colon = text.indexOf(':');
    const { users } = this.#config;
    if (colon === -1 || users.size === 0) throw unauthenticated(wrongPassword);
    const user = text.slice(0, colon);
    const hash = users.get(user);
    const { peer, caller: from } = identifySender(undefined, connection);
    const verdict = this.#passwords.isRight({
      from,
      user,
      password: text.slice(colon + 1),
      hash: hash ?? this.#unknownUserHash,
    });
    const toCaller = (isRight: boolean): Caller => {
      if (isRight && hash !== undefined) return { name: `user ${user}`, scopes: 'all' };
      throw unauthenticated(wrongPassword);
    };
    if (typeof verdict === 'boolean') return toCaller(verdict);
    return verdict.then((isRight) => {
      const caller = toCaller(isRight);
      this.audit.outcome({ action: 'login', who: caller.name, from: peer, what: 'password' });
      return caller;
    });
  }
}

const wrongPassword = 'the user or the password is wrong';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unauthenticated(why: string): AppError {
  return new AppError('unauthenticated', `cannot let you in: ${why}`);
}
