// Sessions of the page: a cookie that represents a token until it expires.
//
// The cookie is not the token itself, because browsers send cookies to every port of a host. It has
// an expiry, the token's name and a code that only this process can make. So the server stores
// nothing, and a session ends when the process ends or the token is changed or removed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { sessionMillisMax } from '../limits.ts';
import type { TokenConfig } from '../../config/web/web-config.ts';

const cookieName = 'parca_session';
const cookieForm = /(?:^|;\s*)parca_session=(\d{1,12})\.([\w-]{1,400})\.([\w-]{43})(?:;|$)/;

/** Makes cookies and checks them. */
export class Sessions {
  readonly #clock: Clock;
  readonly #key: Uint8Array;

  /** `key` is a secret of this process. */
  constructor(clock: Clock, key: Uint8Array) {
    this.#clock = clock;
    this.#key = key;
  }

  /** Returns the value of `set-cookie` that begins a session. `path` ends in "/". */
  begin(token: TokenConfig, path: string, isEncrypted: boolean): string {
    const seconds = Math.floor(sessionMillisMax / 1000);
    const expiry = String(Math.floor(this.#clock.nowMillis() / 1000) + seconds);
    const name = encodedName(token.name);
    const code = this.#code(expiry, token);
    return `${cookieName}=${expiry}.${name}.${code}; ${cookieRules(path, seconds, isEncrypted)}`;
  }

  /** Returns the value of `set-cookie` that makes a browser forget its session. */
  end(path: string, isEncrypted: boolean): string {
    return `${cookieName}=; ${cookieRules(path, 0, isEncrypted)}`;
  }

  /** Returns the token of the session in a `cookie` header; undefined without a valid session. */
  find(cookies: string, tokens: readonly TokenConfig[]): TokenConfig | undefined {
    const [, expiry, encoded, code] = cookieForm.exec(cookies) ?? [];
    if (expiry === undefined || Number(expiry) * 1000 <= this.#clock.nowMillis()) return undefined;
    const token = tokens.find(({ name }) => encodedName(name) === encoded);
    if (token === undefined) return undefined;
    // The encoded strings are compared, because different base64 strings can encode the same bytes.
    const wanted = Buffer.from(this.#code(expiry, token));
    return timingSafeEqual(Buffer.from(code), wanted) ? token : undefined;
  }

  /** Returns the code of a session, which has 43 characters. */
  #code(expiry: string, { name, sha256 }: TokenConfig): string {
    const text = JSON.stringify([expiry, name, sha256]);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function cookieRules(path: string, seconds: number, isEncrypted: boolean): string {
  const rules = `Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
  return isEncrypted ? `${rules}; Secure` : rules;
}

function encodedName(name: string): string {
  return Buffer.from(name).toString('base64url');
}
