// Builds the HTTP app from the services of a server.
import { AppError } from '../../base/errors.ts';
import { selfProfileSecondsMax } from '../limits.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { type AppHooks, createHttpApp, type HttpApp } from './app.ts';
import { uiFilesOnce } from './ui-files.ts';
import { sharingIsOff } from '../query/query-service.ts';
import { noAssembly } from '../routes/assembly-route.ts';
import { noPictures } from '../routes/picture-route.ts';
import { noCardinality } from '../routes/cardinality-route.ts';
import { noFindings } from '../routes/findings-routes.ts';
import { noMarks } from '../routes/marks-routes.ts';
import { noPageFiles } from '../routes/page-file-routes.ts';
import { noRules } from '../routes/rules-routes.ts';
import type { ApiHost, ApiServices, ApiHooks, ApiOptions } from '../interface.ts';

/** Returns the functions with which HTTP paths find the services. */
export function httpServices(
  services: () => ApiServices,
): Omit<
  AppHooks,
  'pushes' | 'uiFiles' | 'onPageOpened' | 'readiness' | 'callerLimits' | 'scrape' | keyof ApiHooks
> {
  return {
    engine: () => services().engine,
    pyroscope: () => services().pyroscope ?? pyroscopeIsOff(),
    debuginfo: () => services().debuginfo,
    debuginfodFiles: () => services().debuginfodFiles,
    queries: () => services().queries,
    admin: () => services().admin ?? adminIsOff(),
    countDeleted: () => services().countDeleted ?? adminIsOff(),
    shares: () => (services().sharing ?? sharingIsOff()).shares,
    marks: () => services().marks ?? noMarks,
    pageFiles: () => services().pageFiles ?? noPageFiles,
    findings: () => services().findings ?? noFindings,
    isSharing: () => services().sharing !== undefined,
    settings: () => services().settings(),
    assembly: () => services().assembly ?? noAssembly,
    drawPicture: () => services().drawPicture ?? noPictures,
    sourceLinks: () => services().sourceLinks?.() ?? [],
    goBuild: (buildId) => services().goBuild?.(buildId),
    cardinality: () => (services().cardinality ?? noCardinality)(),
    rules: () => services().rules ?? noRules(),
    symbols: () => services().symbols(),
  };
}

function pyroscopeIsOff(): never {
  throw new AppError('unimplemented', "this server does not serve Pyroscope's clients");
}

function adminIsOff(): never {
  throw new AppError(
    'failed-precondition',
    'cannot do this: the admin API is off; start the server with --enable-admin-api',
  );
}

/** Builds the app with all routes. */
export async function buildHttpApp(
  host: ApiHost,
  options: ApiOptions,
  transport: TransportContext,
  hooks: Omit<AppHooks, 'uiFiles'>,
): Promise<HttpApp> {
  const { files, metrics } = host;
  const uiFiles = uiFilesOnce(files, options.uiFolder, `${options.pathPrefix}/`);
  const requests = metrics.counter('parca_http_requests_total', 'HTTP requests answered.', [
    'route',
    'code',
  ]);
  return createHttpApp(transport, { ...hooks, uiFiles }, requests, {
    ...options,
    profileSecondsMax: selfProfileLimit(options.writeTimeoutMillis),
  });
}

/**
 * Longest CPU profile of the server, in whole seconds: it must end within the time limit of a call.
 */
export function selfProfileLimit(writeTimeoutMillis: number): number {
  return Math.max(1, Math.min(selfProfileSecondsMax, Math.floor(writeTimeoutMillis / 1000)));
}
