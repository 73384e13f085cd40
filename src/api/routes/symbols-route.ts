// HTTP path of build ids: which of them have symbols, and why others do not.
import type { FastifyInstance } from 'fastify';
import { symbolsListedMax } from '../limits.ts';
import type { BuildSymbols, KeptFile } from '../../debuginfo/interface.ts';
import { sendError } from '../transport/http/serve-call.ts';

/** Order of the list: incomplete build ids first. */
const order: readonly BuildSymbols['state'][] = ['unnamed', 'pending', 'named', 'unasked'];

/** Adds the path. `symbols` throws 'unavailable' while the server starts. */
export function addSymbolsRoute(
  app: FastifyInstance,
  symbols: () => readonly BuildSymbols[],
): void {
  app.get('/api/v1/symbols', async (_request, reply) => {
    try {
      const all = symbols().toSorted(compare);
      const builds = all.slice(0, symbolsListedMax).map(toJson);
      const more = all.length - builds.length;
      return await reply.header('cache-control', 'no-store').send({ builds, more });
    } catch (error) {
      return sendError(reply, error);
    }
  });
}

function compare(a: BuildSymbols, b: BuildSymbols): number {
  const byState = order.indexOf(a.state) - order.indexOf(b.state);
  return byState || (a.buildId < b.buildId ? -1 : 1);
}

function toJson({ buildId, binary, files, state, reason, notes }: BuildSymbols): object {
  return { buildId, binary, state, reason, notes, files: files.map(fileToJson) };
}

function fileToJson({ kind, bytes, quality, uploadedAtMillis }: KeptFile): object {
  const { hasDwarf, hasGoLineTable, hasSymbols, hasDynamicSymbols, lacksSplit = false } = quality;
  const content = [
    ...(hasDwarf ? [lacksSplit ? 'DWARF without its split parts' : 'DWARF'] : []),
    ...(hasGoLineTable ? ['Go line table'] : []),
    ...(hasSymbols ? ['symbols'] : []),
    ...(hasDynamicSymbols ? ['dynamic symbols'] : []),
  ];
  return { kind, bytes, content, uploaded: new Date(uploadedAtMillis).toISOString() };
}
