// Methods of the services, for each kind of server.
import type { ImportInThread } from '../../formats/import/import-file.ts';
import type { Method } from '../transport/call/method.ts';
import { logsMethods } from '../ingest/otlp/logs-service.ts';
import { otlpMethods } from '../ingest/otlp/otlp-service.ts';
import { pusherMethods } from '../ingest/pyroscope/pusher-service.ts';
import { pyroscopeMethods } from '../query/pyroscope/pyroscope-methods.ts';
import { queryMethods } from '../query/query-service.ts';
import { partsMethods } from '../services/parts-service.ts';
import { scrapeMethods } from '../services/scrape-service.ts';
import { telemetryMethods } from '../services/telemetry-service.ts';
import type { AgentTable } from '../ingest/agent-table.ts';
import { debuginfoMethods } from '../debuginfo/debuginfo-service.ts';
import type { ProfilePushes } from '../ingest/profile-pushes.ts';
import { profileStoreMethods } from '../ingest/parca/profile-store-service.ts';
import type { ApiHost, ApiServices, ScraperServices } from '../interface.ts';

/** Unary methods whose requests a scraper forwards unchanged. */
const forwardedMethods: readonly string[] = [
  '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw',
  '/parca.profilestore.v1alpha1.ProfileStoreService/WriteArrow',
  '/parca.debuginfo.v1alpha1.DebuginfoService/ShouldInitiateUpload',
  '/parca.debuginfo.v1alpha1.DebuginfoService/InitiateUpload',
  '/parca.debuginfo.v1alpha1.DebuginfoService/MarkUploadFinished',
  '/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export',
];

/** Streaming methods that a scraper forwards. */
const forwardedStreams: readonly string[] = [
  '/parca.profilestore.v1alpha1.ProfileStoreService/Write',
  '/parca.debuginfo.v1alpha1.DebuginfoService/Upload',
];

/** Returns the methods of all services except health and reflection. */
export function createMethods(
  services: ApiServices,
  pushes: ProfilePushes,
  agents: AgentTable,
  host: ApiHost,
  importInThread: ImportInThread,
): Method[] {
  const { clock } = host;
  const { pyroscope, kept } = services;
  const isForPyroscope = pyroscope !== undefined && kept !== undefined;
  return [
    ...profileStoreMethods(pushes, agents, clock),
    ...pusherMethods(pushes, clock, importInThread),
    ...otlpMethods(pushes, clock),
    ...logsMethods(host),
    ...debuginfoMethods(services.debuginfo),
    ...queryMethods({ ...services, clock }),
    ...(isForPyroscope ? pyroscopeMethods({ engine: pyroscope, clock }, kept) : []),
    ...scrapeMethods(services.scrape, clock),
    ...partsMethods(services.parts, services.files, clock),
    ...telemetryMethods(host),
  ];
}

/** Returns the methods of a server that only scrapes. */
export function scraperMethods(
  services: ScraperServices,
  host: ApiHost,
  importInThread: ImportInThread,
): Method[] {
  const { scrape, pushes, forward, forwardStream } = services;
  const passed = forwardedMethods.map((path): Method => ({
    path,
    kind: 'unary',
    handle: (request, { signal }) => forward(path, request, signal),
  }));
  const streams = forwardedStreams.map((path): Method => ({
    path,
    kind: 'stream',
    keepsRequests: false,
    handle: (requests, { signal }) => forwardStream(path, requests, signal),
  }));
  // Pyroscope's pushes are converted to writes that every receiving server supports.
  return [
    ...passed,
    ...streams,
    ...pusherMethods(pushes, host.clock, importInThread),
    ...logsMethods(host),
    ...scrapeMethods(scrape, host.clock),
    ...telemetryMethods(host),
  ];
}
