// The page's login form, the path that receives its token, and the path that ends a session.
import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loginBodyBytesMax } from '../limits.ts';
import type { TokenConfig } from '../../config/web/web-config.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { readBody } from '../transport/call/request-body.ts';
import { findConnection } from '../transport/call/request-memory.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { wireStatus } from '../transport/call/status.ts';
import { identifySender } from '../auth/caller-id.ts';
import type { Gate } from '../auth/gate.ts';
import { holdBack } from './hold-back.ts';

/** Colours and controls as on the page, see web/src/styles/tokens.css. */
const style = `
:root { color-scheme: light dark; --bg: #fff; --text: #16191f; --control: #7a8494;
  --accent: #1d5bc6; --on-accent: #fff; --danger: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --bg: #0f1216; --text: #e8ebf0;
  --control: #6f7b8c; --accent: #82b1ff; --on-accent: #0f1216; --danger: #ff8a80; } }
body { max-width: 24rem; margin: 20vh auto; padding: 0 1rem; color: var(--text);
  background: var(--bg); font: 16px/1.5 system-ui, sans-serif; }
input, button { box-sizing: border-box; width: 100%; height: 2.5rem; padding: 0 0.75rem;
  border: 1px solid var(--control); border-radius: 4px; font: inherit; color: inherit;
  background: var(--bg); }
button { border-color: var(--accent); color: var(--on-accent); background: var(--accent);
  font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.1); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[role=alert] { color: var(--danger); }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Content security policy that allows the login page its own style, and forms to its own site only.
 */
const contentSecurityPolicy =
  `default-src 'none'; style-src 'sha256-${styleHash}'; ` +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * Answers 401 with the login form. `why` is the reason why a token was refused.
 *
 * Browsers send no session cookie when they follow a link from another site. So the page requests
 * the same address once more, and this time the browser sends the cookie.
 */
export function sendLoginPage(
  request: FastifyRequest,
  reply: FastifyReply,
  pathPrefix: string,
  why = '',
  to = request.url,
): FastifyReply {
  const isLink = request.headers['sec-fetch-site'] === 'cross-site' && request.method === 'GET';
  return reply
    .code(401)
    .headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Parca: log in</title>
<meta name="viewport" content="width=device-width">
${isLink ? '<meta http-equiv="refresh" content="0">' : ''}<style>${style}</style></head>
<body><main><h1>Log in</h1>
<form method="post" action="${escaped(`${pathPrefix}/login`)}">
<p><label>Token
<input name="token" type="password" required autofocus autocomplete="current-password">
</label></p>
<input type="hidden" name="to" value="${escaped(to)}">
<button>Log in</button></form>
<p role="alert">${escaped(why)}</p>
</main></body></html>
`);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Adds the login path, which checks a token and begins a session, and the logout path, both below
 * the prefix.
 */
export function addLoginRoute(
  app: FastifyInstance,
  transport: TransportContext,
  gate: Gate,
  pathPrefix: string,
): void {
  app.post('/login', async (request, reply) => {
    const refusal = await refuseOtherSites(transport, request, reply);
    if (refusal !== undefined) return refusal;
    const form = await readForm(transport, request);
    const to = localPath(form.get('to') ?? '', pathPrefix);
    const token = gate.findToken(form.get('token')?.trim() ?? '');
    if (token === undefined) {
      const error = new AppError('unauthenticated', 'the token is unknown');
      gate.refuse(error, request.headers, findConnection(request.raw), request.url);
      await holdBack(transport, error, request, reply);
      return sendLoginPage(request, reply, pathPrefix, 'This token is unknown.', to);
    }
    const why = findTokenFault(token);
    if (why !== '') {
      const error = new AppError('permission-denied', why);
      gate.refuse(error, request.headers, findConnection(request.raw), request.url);
      await holdBack(transport, error, request, reply);
      return sendLoginPage(request, reply, pathPrefix, why, to);
    }
    const { peer } = identifySender(undefined, findConnection(request.raw));
    const who = `token ${JSON.stringify(token.name)}`;
    gate.audit.outcome({ action: 'login', who, from: peer, what: 'the page' });
    const cookie = gate.sessions.begin(token, `${pathPrefix}/`, isEncryptedBy(request));
    return reply.header('set-cookie', cookie).redirect(to, 303);
  });
  app.post('/logout', async (request, reply) => {
    const refusal = await refuseOtherSites(transport, request, reply);
    if (refusal !== undefined) return refusal;
    const token = gate.sessionToken(request.headers.cookie);
    const { peer } = identifySender(undefined, findConnection(request.raw));
    const who = token === undefined ? '' : `token ${JSON.stringify(token.name)}`;
    gate.audit.outcome({ action: 'logout', who, from: peer, what: 'the page' });
    const cookie = gate.sessions.end(`${pathPrefix}/`, isEncryptedBy(request));
    return reply.header('set-cookie', cookie).code(204).send();
  });
}

/** Returns the reason why a token cannot be used for the page; "" if it can. */
export function findTokenFault({ name, scopes }: Pick<TokenConfig, 'name' | 'scopes'>): string {
  if (scopes.includes('read')) return '';
  const has = scopes.length === 0 ? 'no scope' : `only the scope ${scopes.join(', ')}`;
  return `The token "${name}" cannot read profiles: it has ${has}. The page needs one with the scope read.`;
}

/** Refuses a request that a page of another site caused; returns undefined for other requests. */
async function refuseOtherSites(
  transport: TransportContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  try {
    transport.gate.checkOrigin(request.headers);
    return undefined;
  } catch (error) {
    await holdBack(transport, error, request, reply);
    const status = wireStatus(errorCode(error)).http;
    return reply
      .code(status)
      .type('text/plain; charset=utf-8')
      .send(`${errorMessage(error)}\n`);
  }
}

async function readForm(
  transport: TransportContext,
  request: FastifyRequest,
): Promise<URLSearchParams> {
  const lease = transport.memory.lease(findConnection(request.raw));
  const { runner, stallMillisMax } = transport;
  try {
    const limits = { clock: runner.clock, lease, bytesMax: loginBodyBytesMax, stallMillisMax };
    return new URLSearchParams((await readBody(request.raw, limits)).toString());
  } finally {
    lease.release();
  }
}

/** Returns the path to redirect to: `to` if it is on this server, otherwise the page. */
function localPath(to: string, pathPrefix: string): string {
  const base = 'http://localhost';
  const url = URL.parse(to, base);
  const page = `${pathPrefix}/`;
  if (url?.origin !== base || !url.pathname.startsWith(page)) return page;
  // A path that begins with two slashes would be read as the name of another host.
  return `${url.pathname.replace(/^\/+/, '/')}${url.search}`;
}

/** Returns true if a request reached this server over TLS. */
export function isEncryptedBy({ raw }: FastifyRequest): boolean {
  return (raw.socket as Partial<TLSSocket>).encrypted === true;
}
