// The methods of Pyroscope's services that clients call.
import Long from 'long';
import { capabilities, version } from '../../../../proto/gen/pyroscope.js';
import { AppError } from '../../../base/errors.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { UnaryMethod } from '../../transport/call/method.ts';
import { dataMethods } from './data-service.ts';
import { heatmapMethods } from './heatmap-service.ts';
import type { AppSettings } from '../../../shares/interface.ts';
import { adHocMethods, type AdHocParts, adHocService } from './ad-hoc-service.ts';
import type { QuerierParts } from './ask.ts';
import { querierMethods } from './querier-service.ts';
import { settingsMethods } from './settings-service.ts';

/** Version of the read API that current clients use. */
const querierVersion = 1;

/** Data that Pyroscope's clients store on the server. */
export interface KeptForClients {
  readonly settings: AppSettings;
  /** Undefined on a server that stores nothing. */
  readonly adHoc: AdHocParts | undefined;
}

/** Returns the methods of all services. */
export function pyroscopeMethods(
  parts: QuerierParts,
  { settings, adHoc }: KeptForClients,
): UnaryMethod[] {
  return [
    ...querierMethods(parts),
    ...heatmapMethods(parts),
    ...dataMethods(parts),
    ...settingsMethods(settings, parts.clock),
    ...fixedMethods(),
    ...(adHoc === undefined
      ? absentMethods(adHocService, adHocMethodNames, noUploads)
      : adHocMethods(adHoc, parts.clock)),
    // This is Pyroscope's own error message, after which clients do not offer a login to GitHub.
    ...absentMethods('vcs.v1.VCSService', vcsMethodNames, 'GitHub integration is not configured'),
    ...absentMethods('settings.v1.RecordingRulesService', ruleMethodNames, noRules),
  ];
}

/** Returns the methods whose answers are always the same. */
function fixedMethods(): UnaryMethod[] {
  const flags = capabilities.v1.GetFeatureFlagsResponse.encode({ featureFlags: [] }).finish();
  const versions = version.v1.VersionResponse.encode({
    QuerierAPI: Long.fromNumber(querierVersion, true),
  }).finish();
  const answers = [
    {
      path: '/capabilities.v1.FeatureFlagsService/GetFeatureFlags',
      request: capabilities.v1.GetFeatureFlagsRequest,
      answer: flags,
    },
    {
      path: '/version.v1.Version/Version',
      request: version.v1.VersionRequest,
      answer: versions,
    },
  ];
  return answers.map(({ path, request, answer }) => ({
    path,
    kind: 'unary',
    handle: async (bytes) => {
      decodeRequest<unknown>(request, bytes);
      return answer;
    },
  }));
}

const noUploads = 'this server keeps no ad hoc profiles: drop the file on its own page';
const adHocMethodNames = ['Upload', 'Get', 'List', 'Diff'];
const noRules = 'this server has no recording rules';
const ruleMethodNames = ['GetRecordingRule', 'UpsertRecordingRule', 'DeleteRecordingRule'];
const vcsMethodNames = [
  'GithubApp',
  'GithubLogin',
  'GithubRefresh',
  'GetFile',
  'GetCommit',
  'GetCommits',
];

/** Returns methods that answer with the reason why they are missing. */
function absentMethods(service: string, names: readonly string[], why: string): UnaryMethod[] {
  return names.map((name): UnaryMethod => ({
    path: `/${service}/${name}`,
    kind: 'unary',
    handle: async () => {
      throw new AppError('unimplemented', why);
    },
  }));
}
