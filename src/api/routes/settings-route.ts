// HTTP path that returns the flags and the configuration of the server, without secrets.
import type { FastifyInstance } from 'fastify';
import { sendError } from '../transport/http/serve-call.ts';

/** Settings of the server; secrets are masked. */
export interface Settings {
  readonly flags: readonly {
    readonly name: string;
    readonly value: string;
    /** True if the flag was given on the command line. */
    readonly isGiven: boolean;
  }[];
  /** Config files in use, without comments. */
  readonly config: readonly { readonly file: string; readonly yaml: string }[];
}

/** Adds the path. `settings` throws 'unavailable' while the server starts. */
export function addSettingsRoute(app: FastifyInstance, settings: () => Settings): void {
  app.get('/api/v1/settings', async (_request, reply) => {
    try {
      return await reply.header('cache-control', 'no-store').send(settings());
    } catch (error) {
      return sendError(reply, error);
    }
  });
}
