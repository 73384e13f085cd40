// The methods of Pyroscope's services that its clients call.
import Long from 'long';
import { capabilities, version } from '../../../proto/gen/pyroscope.js';
import type { UnaryMethod } from '../call/method.ts';
import { type QuerierParts, querierMethods } from './querier-service.ts';

/** Version of the read API that current clients speak. */
const querierVersion = 1;

/** Returns the methods of all services. */
export function pyroscopeMethods(parts: QuerierParts): UnaryMethod[] {
  return [...querierMethods(parts), ...fixedMethods()];
}

/** Returns the methods whose answers are always the same. */
function fixedMethods(): UnaryMethod[] {
  const flags = capabilities.v1.GetFeatureFlagsResponse.encode({ featureFlags: [] }).finish();
  const versions = version.v1.VersionResponse.encode({
    QuerierAPI: Long.fromNumber(querierVersion, true),
  }).finish();
  const answers = new Map([
    ['/capabilities.v1.FeatureFlagsService/GetFeatureFlags', flags],
    ['/version.v1.Version/Version', versions],
  ]);
  return Array.from(answers, ([path, answer]) => ({
    path,
    kind: 'unary',
    handle: async () => answer,
  }));
}
