// Scopes that each method and path needs. A path that is not in these tables is not served.
import type { Scope } from '../../config/web/web-config.ts';

/** A scope, two scopes, or `any` for every authenticated caller. */
export type Need = Scope | 'read and debuginfo' | 'any';

/** Scope that a path needs. `method`: the scope of the method in the path; `open`: no scope. */
export type RouteNeed = Need | 'method' | 'open';

const profileStore = '/parca.profilestore.v1alpha1';
const query = '/parca.query.v1alpha1.QueryService';
const querier = '/querier.v1.QuerierService';
const settings = '/settings.v1';
const adHoc = '/adhocprofiles.v1.AdHocProfileService';
const vcs = '/vcs.v1.VCSService';
const debuginfo = '/parca.debuginfo.v1alpha1.DebuginfoService';

/** Scopes that methods need, by the path of the method. */
export const methodNeeds: ReadonlyMap<string, Need> = new Map<string, Need>([
  [`${profileStore}.ProfileStoreService/WriteRaw`, 'write'],
  [`${profileStore}.ProfileStoreService/WriteArrow`, 'write'],
  [`${profileStore}.ProfileStoreService/Write`, 'write'],
  [`${profileStore}.AgentsService/Agents`, 'read'],
  ['/push.v1.PusherService/Push', 'write'],
  // Agents report why they crashed.
  ['/parca.telemetry.v1alpha1.TelemetryService/ReportPanic', 'write'],
  ['/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export', 'write'],
  ['/opentelemetry.proto.collector.logs.v1.LogsService/Export', 'write'],
  [`${debuginfo}/ShouldInitiateUpload`, 'debuginfo'],
  [`${debuginfo}/InitiateUpload`, 'debuginfo'],
  [`${debuginfo}/MarkUploadFinished`, 'debuginfo'],
  [`${debuginfo}/Upload`, 'debuginfo'],
  [`${query}/ProfileTypes`, 'read'],
  [`${query}/Labels`, 'read'],
  [`${query}/Values`, 'read'],
  [`${query}/HasProfileData`, 'read'],
  [`${query}/QueryRange`, 'read'],
  [`${query}/Query`, 'read'],
  [`${query}/Series`, 'read'],
  [`${query}/ShareProfile`, 'read'],
  ['/parca.scrape.v1alpha1.ScrapeService/Targets', 'read'],
  // Pyroscope's clients call these methods.
  [`${querier}/ProfileTypes`, 'read'],
  [`${querier}/LabelNames`, 'read'],
  [`${querier}/LabelValues`, 'read'],
  [`${querier}/Series`, 'read'],
  [`${querier}/SelectSeries`, 'read'],
  [`${querier}/SelectMergeStacktraces`, 'read'],
  [`${querier}/SelectMergeSpanProfile`, 'read'],
  [`${querier}/SelectMergeProfile`, 'read'],
  [`${querier}/SelectHeatmap`, 'read'],
  [`${querier}/Diff`, 'read'],
  [`${querier}/GetProfileStats`, 'read'],
  [`${querier}/AnalyzeQuery`, 'read'],
  ['/capabilities.v1.FeatureFlagsService/GetFeatureFlags', 'read'],
  ['/version.v1.Version/Version', 'read'],
  [`${settings}.SettingsService/Get`, 'read'],
  // All users of Grafana's app can change its settings, as in Pyroscope.
  [`${settings}.SettingsService/Set`, 'read'],
  [`${settings}.SettingsService/Delete`, 'read'],
  [`${settings}.RecordingRulesService/ListRecordingRules`, 'read'],
  [`${settings}.RecordingRulesService/GetRecordingRule`, 'read'],
  [`${settings}.RecordingRulesService/UpsertRecordingRule`, 'read'],
  [`${settings}.RecordingRulesService/DeleteRecordingRule`, 'read'],
  [`${adHoc}/Upload`, 'read'],
  [`${adHoc}/Get`, 'read'],
  [`${adHoc}/List`, 'read'],
  [`${adHoc}/Diff`, 'read'],
  [`${vcs}/GithubApp`, 'read'],
  [`${vcs}/GithubLogin`, 'read'],
  [`${vcs}/GithubRefresh`, 'read'],
  [`${vcs}/GetFile`, 'read'],
  [`${vcs}/GetCommit`, 'read'],
  [`${vcs}/GetCommits`, 'read'],
  // Query servers call these methods.
  ['/parts.v1.PartsService/Look', 'read'],
  ['/parts.v1.PartsService/ReadBlock', 'read'],
  ['/parts.v1.PartsService/ReadDebuginfo', 'read and debuginfo'],
  // Health checks require credentials too, as in Prometheus; a token with any scope is enough.
  ['/grpc.health.v1.Health/Check', 'any'],
  ['/grpc.health.v1.Health/Watch', 'any'],
  ['/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', 'any'],
  ['/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo', 'any'],
]);

/** Scopes of paths below the prefix, by verb and path. HEAD requires the same scope as GET. */
export const routeNeeds: ReadonlyMap<string, RouteNeed> = new Map<string, RouteNeed>([
  // The page uses this path and the paths below.
  ['GET /*', 'read'],
  ['GET /', 'read'],
  ['GET ', 'read'],
  ['POST /login', 'open'],
  // A logout only makes the browser delete its cookie.
  ['POST /logout', 'open'],
  ['GET /api/v1/page', 'read'],
  // Preflight requests of browsers, which never carry credentials.
  ['OPTIONS *', 'open'],
  // Calls of gRPC-Web and Connect, and unknown paths.
  ['POST /:service/:method', 'method'],
  ['GET /api', 'method'],
  ['GET /api/*', 'method'],
  ['POST /api/v1/push', 'write'],
  ['POST /ingest', 'write'],
  ['POST /pyroscope/ingest', 'write'],
  ['POST /v1development/profiles', 'write'],
  ['GET /api/v1/status/buildinfo', 'read'],
  ['GET /api/v1/status/config', 'admin'],
  ['GET /api/v1/status/config/diff', 'admin'],
  ['GET /api/v1/status/config/default', 'read'],
  ['GET /pyroscope/render', 'read'],
  ['GET /pyroscope/render-diff', 'read'],
  ['GET /pyroscope/label-values', 'read'],
  ['GET /render', 'read'],
  ['GET /render-diff', 'read'],
  ['GET /label-values', 'read'],
  ['GET /api/v1/export', 'read'],
  ['GET /api/v1/pgo', 'read'],
  ['GET /api/v1/changes', 'read'],
  ['GET /api/v1/picture', 'read'],
  ['GET /api/v1/functions', 'read'],
  ['GET /api/v1/users', 'read'],
  ['GET /api/v1/heatmap', 'read'],
  ['GET /api/v1/labels', 'read'],
  ['GET /api/v1/labels/:name/values', 'read'],
  ['GET /api/v1/nearest', 'read'],
  ['GET /api/v1/source-links', 'read'],
  ['GET /api/v1/assembly', 'read'],
  ['POST /api/v1/debuginfo', 'debuginfo'],
  // Both scopes are required, so that neither readers nor uploading agents can download programs.
  ['GET /buildid/:id/debuginfo', 'read and debuginfo'],
  ['GET /buildid/:id/executable', 'read and debuginfo'],
  ['GET /buildid/:id/section/*', 'read and debuginfo'],
  // The page shows sources to its readers.
  ['GET /buildid/:id/source/*', 'read'],
  ['POST /api/v1/admin/delete', 'admin'],
  ['POST /api/v1/admin/snapshot', 'admin'],
  ['GET /api/v1/queries', 'read'],
  // Cancelling another caller's query needs the scope admin.
  ['DELETE /api/v1/queries/:id', 'read'],
  ['GET /api/v1/settings', 'admin'],
  ['GET /api/v1/callers', 'admin'],
  ['GET /api/v1/status/cardinality', 'read'],
  // These paths accept their parameters in a URL or, for long queries, in a form.
  ...['query', 'query_range', 'series', 'labels', 'label/:name/values', 'metadata'].flatMap(
    (end): [string, Need][] => [
      [`GET /prometheus/api/v1/${end}`, 'read'],
      [`POST /prometheus/api/v1/${end}`, 'read'],
    ],
  ),
  ...['query', 'query_range', 'series', 'metadata'].flatMap((end): [string, Need][] => [
    [`GET /api/v1/${end}`, 'read'],
    [`POST /api/v1/${end}`, 'read'],
  ]),
  ['GET /api/v1/rules', 'read'],
  ['GET /api/v1/alerts', 'read'],
  ['GET /api/v1/alertmanagers', 'read'],
  ['GET /api/v1/findings', 'read'],
  ['GET /api/v1/findings/feed', 'read'],
  ['POST /api/v1/findings/:id', 'write'],
  ['GET /api/v1/marks', 'read'],
  ['POST /api/v1/marks', 'write'],
  ['DELETE /api/v1/marks/:id', 'write'],
  ['GET /api/v1/views', 'read'],
  ['POST /api/v1/views', 'write'],
  ['POST /api/v1/views/:id', 'write'],
  ['DELETE /api/v1/views/:id', 'write'],
  ['GET /api/v1/own-code', 'read'],
  ['POST /api/v1/own-code', 'write'],
  ['GET /api/v1/targets', 'read'],
  // A test of relabeling changes nothing.
  ['POST /api/v1/targets/relabel_steps', 'read'],
  ['GET /api/v1/symbols', 'read'],
  ['GET /api/v1/shares/:id', 'read'],
  ['GET /api/v1/shares/:id/profile.pb.gz', 'read'],
  ['DELETE /api/v1/shares/:id', 'admin'],
  ['GET /metrics', 'read'],
  ['GET /-/healthy', 'any'],
  ['GET /healthy', 'any'],
  ['GET /-/ready', 'any'],
  ['GET /ready', 'any'],
  ['GET /-/ready/write', 'any'],
  ['* /-/reload', 'admin'],
  ['GET /debug/pprof', 'read'],
  ['GET /debug/pprof/', 'read'],
  ['GET /debug/pprof/heap', 'read'],
  ['GET /debug/pprof/profile', 'read'],
]);

/** Paths that may be requested under any host name, because they reveal nothing about profiles. */
export const namelessRoutes: ReadonlySet<string> = new Set([
  '/metrics',
  '/-/healthy',
  '/healthy',
  '/-/ready',
  '/ready',
  '/-/ready/write',
]);

const both: readonly Scope[] = ['read', 'debuginfo'];
const single: ReadonlyMap<Need, readonly Scope[]> = new Map(
  (['read', 'write', 'debuginfo', 'admin'] as const).map((scope) => [scope, [scope]]),
);

/** Returns the scopes of a need; the caller must have all of them. */
export function listScopes(need: Need): readonly Scope[] {
  return need === 'read and debuginfo' ? both : (single.get(need) ?? []);
}

/** Returns the scope of a path without its prefix; undefined if the table lacks it. */
export function routeNeed(verb: string, path: string): RouteNeed | undefined {
  const asked = verb === 'HEAD' ? 'GET' : verb;
  return routeNeeds.get(`${asked} ${path}`) ?? routeNeeds.get(`* ${path}`);
}
