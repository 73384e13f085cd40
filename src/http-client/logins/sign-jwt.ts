// Signs JSON Web Tokens, with which a program proves its identity.
import { createSign } from 'node:crypto';

/**
 * Returns a token that is signed with an RSA key in PEM form.
 *
 * Source: RFC 7515 and RFC 7519, algorithm RS256.
 *
 * Errors: those of node:crypto for an invalid key.
 */
export function signJwt(
  claims: Readonly<Record<string, unknown>>,
  key: string,
  keyId: string,
): string {
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId === '' ? {} : { kid: keyId }) };
  const text = [header, claims].map((part) => encode(JSON.stringify(part))).join('.');
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
