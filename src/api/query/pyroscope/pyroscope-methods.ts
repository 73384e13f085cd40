// The methods of Pyroscope's services that its clients call.
import Long from 'long';
import { adhocprofiles, capabilities, version } from '../../../../proto/gen/pyroscope.js';
import { AppError } from '../../../base/errors.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { UnaryMethod } from '../../transport/call/method.ts';
import { dataMethods } from './data-service.ts';
import { heatmapMethods } from './heatmap-service.ts';
import type { QuerierParts } from './ask.ts';
import { querierMethods } from './querier-service.ts';
import { settingsMethods } from './settings-service.ts';

/** Version of the read API that current clients speak. */
const querierVersion = 1;

/** Returns the methods of all services. */
export function pyroscopeMethods(parts: QuerierParts): UnaryMethod[] {
  return [
    ...querierMethods(parts),
    ...heatmapMethods(parts),
    ...dataMethods(parts),
    ...settingsMethods(parts.clock),
    ...fixedMethods(),
    ...absentMethods(),
  ];
}

/** Returns the methods whose answers are always the same. */
function fixedMethods(): UnaryMethod[] {
  const flags = capabilities.v1.GetFeatureFlagsResponse.encode({ featureFlags: [] }).finish();
  const versions = version.v1.VersionResponse.encode({
    QuerierAPI: Long.fromNumber(querierVersion, true),
  }).finish();
  const uploads = adhocprofiles.v1.AdHocProfilesListResponse.encode({ profiles: [] }).finish();
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
    {
      path: '/adhocprofiles.v1.AdHocProfileService/List',
      request: adhocprofiles.v1.AdHocProfilesListRequest,
      answer: uploads,
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
const noGitHub = 'sources on GitHub are not configured on this server';

/** Methods that say why there is nothing. */
const absent: readonly (readonly [service: string, methods: readonly string[], why: string])[] = [
  ['adhocprofiles.v1.AdHocProfileService', ['Upload', 'Get', 'Diff'], noUploads],
  [
    'vcs.v1.VCSService',
    ['GithubApp', 'GithubLogin', 'GithubRefresh', 'GetFile', 'GetCommit', 'GetCommits'],
    noGitHub,
  ],
];

function absentMethods(): UnaryMethod[] {
  return absent.flatMap(([service, methods, why]) =>
    methods.map((method): UnaryMethod => ({
      path: `/${service}/${method}`,
      kind: 'unary',
      handle: async () => {
        throw new AppError('unimplemented', why);
      },
    })),
  );
}
