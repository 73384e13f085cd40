// Paths for Pyroscope's clients that inspect a server: its version and its configuration.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendError } from '../../transport/http/serve-call.ts';
import type { Settings } from '../../routes/settings-route.ts';

/** The shortest config: with it, a server only accepts pushes. */
const defaultConfig = 'scrape_configs: []\n';

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
  // A configuration file contains only settings that differ from the defaults, so both paths have
  // the same answer.
  for (const path of ['/api/v1/status/config', '/api/v1/status/config/diff']) {
    app.get(path, async (_request, reply) => {
      try {
        const { config } = settings();
        const files = config.map(({ file, yaml }) => `# ${file}\n${yaml}`);
        reply.header('cache-control', 'no-store');
        return await sendYaml(reply, files.join('\n'));
      } catch (error) {
        return sendError(reply, error);
      }
    });
  }
  app.get('/api/v1/status/config/default', (_request, reply) => sendYaml(reply, defaultConfig));
}

function sendYaml(reply: FastifyReply, yaml: string): FastifyReply {
  return reply.type('text/yaml; charset=utf-8').send(yaml);
}
