// A query that selects nothing: what exists instead, one click away.
import { useApp, usePlace } from '../app-context.ts';
import { friendlyName } from '../format/profile-type.ts';
import { useResource } from '../parts/use-resource.ts';
import { describeRange, fixedRange, lastMillis } from '../url/time-range.ts';
import { useMatchers } from './label-chips.tsx';
import type { Explore } from './use-explore.ts';

const dayMillis = 86_400_000;
const valuesShown = 6;

interface NoDataProps {
  readonly explore: Explore;
  readonly onQuery: (query: string) => void;
}

/** Offers the values that the first label really has, and more time. */
export function NoData({ explore, onQuery }: NoDataProps) {
  const { api, url } = useApp();
  const { state } = usePlace();
  const { query, profileType, span, graphSpan } = explore;
  const matchers = useMatchers();
  const condition = matchers?.matchersOf(query).find(({ operator }) => operator === '=');
  const name = condition?.name;
  const values = useResource(name === undefined ? undefined : `${profileType} ${name}`, (signal) =>
    api.labelValues(name ?? '', profileType, signal),
  );
  const others = (values.value ?? []).filter((value) => value !== condition?.value);
  const wrongValue = values.value?.includes(condition?.value ?? '') === false;

  return (
    <div className="panel-message actions">
      <p>
        This query selects no {friendlyName(profileType)} profiles in{' '}
        {describeRange(fixedRange(graphSpan.from, graphSpan.to), state.utc)}.
        {wrongValue && (
          <>
            {' '}
            No profile of this type has{' '}
            <code>
              {name}={condition?.value}
            </code>
            .
          </>
        )}
      </p>
      <div className="buttons">
        {others.slice(0, valuesShown).map((value) => (
          <button
            type="button"
            className="button mono"
            key={value}
            onClick={() => matchers && onQuery(matchers.addMatcher(query, name ?? '', '=', value))}
          >
            {name}={value}
          </button>
        ))}
        {state.selection !== undefined && (
          <button
            type="button"
            className="button"
            onClick={() => url.change({ selection: undefined }, 'step')}
          >
            The whole range
          </button>
        )}
        {span.to - span.from < dayMillis && (
          <button
            type="button"
            className="button"
            onClick={() => {
              const { from, to } = lastMillis(dayMillis);
              url.change({ from, to, selection: undefined }, 'step');
            }}
          >
            Last 24 hours
          </button>
        )}
      </div>
    </div>
  );
}
