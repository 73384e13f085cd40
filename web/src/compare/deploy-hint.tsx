// Points from a comparison with the time before to the comparison of a deploy in the range.
import type { Explore } from '../answers/use-explore.ts';
import { compareValues } from '../language/comparison.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { findVersions, shortVersion } from './versions.ts';

/** The hint, which a click follows; nothing without a deploy. */
export function DeployHint({ explore }: { readonly explore: Explore }) {
  const { api, url } = useApp();
  const { from, to } = usePlace().state;
  const { query, labelType: profileType, span, isEmpty } = explore;
  const asks = query !== '' && !isEmpty;
  const versions = useResource(
    asks ? JSON.stringify(['deploy hint', query, span]) : undefined,
    (asking) => findVersions(api, { query, profileType, span }, asking),
    { topic: JSON.stringify(['deploy hint', query, from, to]), isQuiet: true },
  ).value;
  const last = versions?.deploys.at(-1);
  if (versions === undefined || last === undefined) return null;
  const { value, before } = last;
  const compare = () =>
    url.change({ query: compareValues(query, versions.label, before, value) }, 'step');
  return (
    <p className="deploy-hint">
      {shortVersion(value)} came in this time.{' '}
      <button type="button" title={`${value} against ${before}`} onClick={compare}>
        Compare it with {shortVersion(before)}
      </button>
    </p>
  );
}
