// HTTP paths for operators and Prometheus: metrics, health, reload, and profiles of this server.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { wireStatus } from '../transport/call/status.ts';
import type { SeriesDeleter } from '../../query/interface.ts';
import type { AdminActions } from './admin-routes.ts';
import type { Readiness, Use } from '../services/readiness.ts';

/** Actions of the operators' paths, which the program supplies. */
export interface OperatorHooks {
  /** Returns the body of /metrics and its content type. */
  metricsText(): Promise<{ readonly contentType: string; readonly text: string }>;
  readonly readiness: Readiness;
  /** Returns the actions; throws AppError 'failed-precondition' while the admin API is off. */
  admin(): AdminActions;
  /**
   * Returns the number of profiles that a delete would remove; throws if the store cannot delete.
   */
  countDeleted(): SeriesDeleter;
  /** Returns gzipped pprof; rejects with 'unimplemented' if the profiler cannot run. */
  cpuProfile(seconds: number, signal: AbortSignal): Promise<Uint8Array>;
  heapProfile(): Promise<Uint8Array>;
}

export interface OperatorOptions {
  /** Either "" or "/prefix". */
  readonly pathPrefix: string;
  /** Longest CPU profile of the server, in seconds. */
  readonly profileSecondsMax: number;
}

/** Adds the paths that Prometheus also has, and the profiles of this server. */
export function addOperatorRoutes(
  app: FastifyInstance,
  hooks: OperatorHooks,
  options: OperatorOptions,
): void {
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await hooks.metricsText();
    return reply.type(contentType).send(text);
  });
  // Probes that were written for an agent request the path without `/-`.
  for (const path of ['/-/healthy', '/healthy']) {
    app.get(path, async (_request, reply) => plain(reply, 200, 'The server is healthy.'));
  }
  // A full disk stops writes but not reads. Load balancers for queries check the first two paths,
  // those for agents check the last path.
  for (const path of ['/-/ready', '/ready']) {
    app.get(path, async (_request, reply) => sendReadiness(reply, hooks.readiness, 'read'));
  }
  app.get('/-/ready/write', async (_request, reply) =>
    sendReadiness(reply, hooks.readiness, 'write'),
  );
  app.all('/-/reload', async (request, reply) => {
    if (request.method !== 'POST') {
      return plain(reply.header('allow', 'POST'), 405, 'Only POST is allowed.');
    }
    return reloadConfig(reply, hooks);
  });
  app.get('/debug/pprof', (_request, reply) =>
    reply.redirect(`${options.pathPrefix}/debug/pprof/`),
  );
  app.get('/debug/pprof/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(pprofIndex),
  );
  app.get('/debug/pprof/heap', async (_request, reply) =>
    sendProfile(reply, await hooks.heapProfile()),
  );
  app.get('/debug/pprof/profile', async (request, reply) => {
    const seconds = profileSeconds(request.query, options.profileSecondsMax);
    const controller = new AbortController();
    const gone = new AppError('cancelled', 'the client has gone');
    reply.raw.once('close', () => controller.abort(gone));
    return sendProfile(reply, await hooks.cpuProfile(seconds, controller.signal));
  });
}

function sendReadiness(reply: FastifyReply, readiness: Readiness, use: Use): FastifyReply {
  const { code, text } = readiness.answer(use);
  return plain(reply, code, text);
}

async function reloadConfig(reply: FastifyReply, hooks: OperatorHooks): Promise<FastifyReply> {
  let admin: AdminActions;
  try {
    admin = hooks.admin();
  } catch (error) {
    const code =
      errorCode(error) === 'failed-precondition' ? 403 : wireStatus(errorCode(error)).http;
    return plain(reply, code, errorMessage(error));
  }
  try {
    await admin.reload();
    return plain(reply, 200, 'The configuration is reloaded.');
  } catch (error) {
    return plain(reply, 500, `cannot reload configuration: ${errorMessage(error)}`);
  }
}

const pprofIndex = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Profiles of this server</title></head>
<body><h1>Profiles of this server</h1><ul>
<li><a href="profile?seconds=10">profile</a>: CPU, for ?seconds=N (default 30)</li>
<li><a href="heap">heap</a>: memory in use, sampled</li>
</ul></body></html>
`;

function profileSeconds(query: unknown, secondsMax: number): number {
  const text =
    typeof query === 'object' && query !== null && 'seconds' in query ? query.seconds : '30';
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= secondsMax) return seconds;
  throw new AppError(
    'invalid-argument',
    `cannot profile ${JSON.stringify(text)} seconds: must be an integer from 1 to ${secondsMax}`,
  );
}

function sendProfile(reply: FastifyReply, profile: Uint8Array): FastifyReply {
  return reply
    .type('application/octet-stream')
    .header('content-disposition', 'attachment; filename="profile.pb.gz"')
    .send(profile);
}

/** Answers with a line of plain text. */
export function plain(reply: FastifyReply, code: number, text: string): FastifyReply {
  return reply.code(code).type('text/plain; charset=utf-8').send(`${text}\n`);
}
