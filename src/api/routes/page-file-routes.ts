// HTTP paths of data that the page keeps for everybody: saved views, and prefixes of own code.
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type {
  NewView,
  OwnCode,
  OwnCodeEntry,
  PageFiles,
  SavedViews,
} from '../../shares/interface.ts';
import {
  ownCodePrefixesMax,
  ownCodeTextLengthMax,
  pageFileBodyBytesMax,
  viewAddressLengthMax,
  viewNameLengthMax,
} from '../limits.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { readJsonFields, readString } from '../transport/http/json-fields.ts';
import { pathFields, serveCall, withBody } from '../transport/http/serve-call.ts';

const viewsPath = '/api/v1/views';
const ownCodePath = '/api/v1/own-code';
const viewFields: readonly string[] = ['name', 'address', 'isFavourite'];
const ownCodeFields: readonly string[] = ['service', 'prefixes'];

/** Adds the paths. `kept` throws AppError 'unavailable' while the server starts. */
export function addPageFileRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  kept: () => PageFiles,
): void {
  addViewRoutes(app, transport, () => kept().views);
  addOwnCodeRoutes(app, transport, () => kept().ownCode);
}

const reading = (name: string) => ({ path: `/parca.http.v1.${name}`, endsWithCaller: true });
const writing = (name: string) => ({ path: `/parca.http.v1.${name}`, endsWithCaller: false });

function addViewRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  views: () => SavedViews,
): void {
  app.get(viewsPath, (request, reply) =>
    serveCall(
      transport,
      reading('Views/List'),
      request,
      reply,
      async () => ({ views: views().list() }),
      (answer) => reply.send(answer),
    ),
  );
  app.post(viewsPath, (request, reply) =>
    serveCall(
      transport,
      writing('Views/Add'),
      request,
      reply,
      () => withBody(transport, request, (body) => views().add(readView(body))),
      (view) => reply.send(view),
    ),
  );
  app.post(`${viewsPath}/:id`, (request, reply) =>
    serveCall(
      transport,
      writing('Views/Change'),
      request,
      reply,
      () => {
        const id = pathFields(request.params).id ?? '';
        return withBody(transport, request, (body) => views().change(id, readView(body)));
      },
      (view) => reply.send(view),
    ),
  );
  app.delete(`${viewsPath}/:id`, (request, reply) =>
    serveCall(
      transport,
      writing('Views/Remove'),
      request,
      reply,
      () => views().remove(pathFields(request.params).id ?? ''),
      () => reply.code(204).send(),
    ),
  );
}

function addOwnCodeRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  ownCode: () => OwnCode,
): void {
  app.get(ownCodePath, (request, reply) =>
    serveCall(
      transport,
      reading('OwnCode/List'),
      request,
      reply,
      async () => ({ services: ownCode().list() }),
      (answer) => reply.send(answer),
    ),
  );
  app.post(ownCodePath, (request, reply) =>
    serveCall(
      transport,
      writing('OwnCode/Set'),
      request,
      reply,
      () =>
        withBody(transport, request, async (body) => {
          const entry = readOwnCode(body);
          await ownCode().set(entry);
          return entry;
        }),
      (entry) => reply.send(entry),
    ),
  );
}

/**
 * Files of a server that stores none. Lists are empty and not errors, because each page requests
 * them.
 */
export const noPageFiles: PageFiles = {
  views: { list: () => [], add: refuse, change: refuse, remove: refuse },
  ownCode: { list: () => [], set: refuse },
};

function refuse(): Promise<never> {
  const why = 'this server keeps nothing of the page: call one that stores profiles';
  return Promise.reject(new AppError('unimplemented', why));
}

/** Parses a view. Errors: AppError 'invalid-argument', 'resource-exhausted'. */
export function readView(body: Uint8Array): NewView {
  const what = 'cannot save a view';
  const given = readJsonFields(body, what, viewFields, pageFileBodyBytesMax);
  const name = readString(given.get('name'), `${what}: name`, viewNameLengthMax).trim();
  if (name === '') throw invalid(`${what}: name is missing`);
  const address = readString(given.get('address'), `${what}: address`, viewAddressLengthMax);
  // An address in any other form could lead anybody who clicks it to another server.
  if (!/^[a-z]+(\?[!-~]*)?$/.test(address)) {
    const why = `address must be a page and its state, as in explore?q=..., got`;
    throw invalid(`${what}: ${why} ${JSON.stringify(address)}`);
  }
  const isFavourite = given.get('isFavourite') ?? false;
  if (typeof isFavourite !== 'boolean') throw invalid(`${what}: isFavourite must be a boolean`);
  return { name, address, isFavourite };
}

/** Parses prefixes. Errors: AppError 'invalid-argument', 'resource-exhausted'. */
export function readOwnCode(body: Uint8Array): OwnCodeEntry {
  const what = 'cannot set own code';
  const given = readJsonFields(body, what, ownCodeFields, pageFileBodyBytesMax);
  const service = readString(given.get('service'), `${what}: service`, ownCodeTextLengthMax);
  const list = given.get('prefixes');
  if (!Array.isArray(list)) throw invalid(`${what}: prefixes must be a list of strings`);
  if (list.length > ownCodePrefixesMax) {
    throw invalid(`${what}: it has ${list.length} prefixes, the limit is ${ownCodePrefixesMax}`);
  }
  const prefixes = list.map((prefix) =>
    readString(prefix, `${what}: prefix`, ownCodeTextLengthMax),
  );
  if (prefixes.includes('')) throw invalid(`${what}: a prefix is empty`);
  return { service, prefixes: [...new Set(prefixes)] };
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', why);
}
