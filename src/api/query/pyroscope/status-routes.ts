// Paths by which Pyroscope's clients inspect a server: its version and its configuration.
import type { FastifyInstance } from 'fastify';
import { sendError } from '../../transport/http/serve-call.ts';
import type { Settings } from '../../routes/settings-route.ts';

/** Version of the program, and its commit. */
export interface BuildVersion {
  readonly version: string;
  readonly commit: string;
}

/** Adds the paths. `settings` throws AppError 'unavailable' while the server starts. */
export function addStatusRoutes(
  app: FastifyInstance,
  build: BuildVersion | undefined,
  settings: () => Settings,
): void {
  app.get('/api/v1/status/buildinfo', async () => ({
    status: 'success',
    data: {
      application: 'parca-ts',
      version: build?.version ?? 'unknown',
      revision: build?.commit ?? 'unknown',
    },
  }));
  app.get('/api/v1/status/config', async (_request, reply) => {
    try {
      const { config } = settings();
      const files = config.map(({ file, yaml }) => `# ${file}\n${yaml}`);
      reply.type('text/yaml; charset=utf-8').header('cache-control', 'no-store');
      return await reply.send(files.join('\n'));
    } catch (error) {
      return sendError(reply, error);
    }
  });
}
