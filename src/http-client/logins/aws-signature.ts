// Signs requests with AWS Signature Version 4.
import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Token of a temporary session; "" = none. */
  readonly sessionToken: string;
}

export interface SignedRequest {
  readonly method: string;
  /** Path, encoded by `encodePath`. */
  readonly path: string;
  /** Parameters in any order; they must not be encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Headers including `host`, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Lower-case hex of the SHA-256 of the body. */
  readonly bodyHash: string;
}

/** SHA-256 of an empty body. */
export const emptyBodyHash = sha256('');

/**
 * Returns the headers of a request, including its signature.
 *
 * Source: "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)" of
 * Amazon's S3 API reference.
 */
export function signedHeaders(
  request: SignedRequest,
  { region, service }: { readonly region: string; readonly service: string },
  credentials: AwsCredentials,
  nowMillis: number,
): Record<string, string> {
  const { accessKey, secretKey, sessionToken } = credentials;
  const time = new Date(nowMillis).toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': request.bodyHash,
    'x-amz-date': time,
  };
  if (sessionToken !== '') headers['x-amz-security-token'] = sessionToken;
  const names = Object.keys(headers).sort();
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...names.map((name) => `${name}:${headers[name].trim().replace(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    request.bodyHash,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},` +
    `SignedHeaders=${names.join(';')},Signature=${signature}`;
  return headers;
}

/** Returns "/" followed by the encoded key. */
export function encodePath(key: string): string {
  return `/${key.split('/').map(encode).join('/')}`;
}

/** Returns the query in the form that is signed and sent. */
export function canonicalQuery(query: SignedRequest['query']): string {
  return query
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

/** Percent-encodes all characters except the unreserved characters of RFC 3986. */
function encode(text: string): string {
  const percent = (character: string): string =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, percent);
}

/** Returns the SHA-256 of a body in the form that `SignedRequest` needs. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
