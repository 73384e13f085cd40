// Suggested comparisons: versions, earlier times, and pairs of label values.
import { useEffect, useEffectEvent, useState } from 'react';
import {
  sideQuery,
  compareValues,
  compareWithEarlier,
  compareWithLater,
  compareWithRest,
  distanceToNext,
  swapSides,
  withTimeSelected,
} from '../language/comparison.ts';
import { withoutLabels } from '../language/matchers.ts';
import { isDiff } from '../language/query-text.ts';
import { useApp } from '../page/app-context.ts';
import { now } from '../page/clock.ts';
import { type Resource, useResource } from '../page/use-resource.ts';
import { Choices, LabelNames } from '../query/label-chips.tsx';
import type { Api, Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { fixedRange } from '../url/time-range.ts';
import type { UrlState } from '../url/url-state.ts';
import { beforeAndAfter } from './before-after.ts';
import {
  compareDeploy,
  findLastDeploy,
  findVersions,
  type LastDeploy,
  lastTwo,
  type Versions,
} from './versions.ts';
import { formatAge } from '../format/numbers.ts';

const day = 86_400_000;
/** Number of recent deploys with a comparison of the times before and after. */
const deploysOffered = 3;

export interface PresetProps {
  readonly query: string;
  readonly profileType: string;
  /** The range, and its selected part. */
  readonly span: Span;
  readonly selectedSpan: Span;
  /** Sets the query and other parts of the URL. */
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/** List of comparisons; each entry changes the query string. */
export function Presets(asked: PresetProps) {
  const props = ofSelectedTime(asked);
  const { query, profileType, span, selectedSpan, onQuery } = props;
  const { api } = useApp();
  const [choosesLabel, setChoosesLabel] = useState(false);
  const compared = sideQuery(query, 'now');
  // The range of a page that refreshes moves while the menu is open.
  const [opened] = useState(span);
  const question = { query: compared, profileType, span: opened };
  const versions = useResource(JSON.stringify(['versions', compared, opened]), (asking) =>
    findVersions(api, question, asking),
  );
  const lastDeploy = useResource(JSON.stringify(['last deploy', compared, opened]), (asking) =>
    findLastDeploy(api, question, asking),
  );
  const last = lastDeploy.value;
  if (choosesLabel) return <TwoValues {...props} />;
  const distance = distanceToNext(selectedSpan);
  const earlier = (millis: number) => () => onQuery(compareWithEarlier(query, millis));
  const entries: readonly (readonly [text: string, run: () => void])[] = [
    ...(selectedSpan.from > span.from || selectedSpan.to < span.to
      ? [['The rest of the range', () => compareRest(props)] as const]
      : []),
    ...(versions.value === undefined ? [] : versionEntries(props, versions.value)),
    ...(last === undefined || last.since > span.from ? [] : [lastDeployEntry(props, last)]),
    ['The time before', earlier(distance)],
    ...(selectedSpan.to + distance / 2 < now()
      ? [['The time after', () => onQuery(compareWithLater(query, distance))] as const]
      : []),
    ['The same time yesterday', earlier(day)],
    ['The same time last week', earlier(7 * day)],
    ['Two values of a label …', () => setChoosesLabel(true)],
    ...(isDiff(asked.query)
      ? [['Swap A and B', () => asked.onQuery(swapSides(asked.query))] as const]
      : []),
  ];
  return (
    <>
      <VersionsState versions={versions} lastDeploy={lastDeploy} />
      <ul className="menu-list" aria-label="Compare with">
        {entries.map(([text, run]) => (
          <li key={text}>
            <button type="button" className="menu-item" onClick={run}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface VersionsStateProps {
  readonly versions: Resource<Versions | undefined>;
  readonly lastDeploy: Resource<LastDeploy | undefined>;
}

/** Says that versions are still being looked for, or why they are unknown. */
function VersionsState({ versions, lastDeploy }: VersionsStateProps) {
  const error = versions.error ?? lastDeploy.error;
  const text = isBusy(versions, lastDeploy)
    ? 'Looking for versions …'
    : error && `Versions are unknown: ${error.message}`;
  return (
    text !== undefined && (
      <p className="menu-note hint" role="status">
        {text}
      </p>
    )
  );
}

function isBusy(...resources: readonly Resource<unknown>[]): boolean {
  return resources.some(({ pending }) => pending !== undefined);
}

/**
 * Offers to compare the selected time with the rest of the range; the other entries compare the
 * selected time, too.
 */
function ofSelectedTime(props: PresetProps): PresetProps {
  const { query, selection } = withTimeSelected(props.query);
  if (selection === undefined) return props;
  const onQuery: PresetProps['onQuery'] = (next, patch) =>
    props.onQuery(next, { selection, ...patch });
  return { ...props, query, selectedSpan: selection, onQuery };
}

/**
 * Compares with the rest of the range. The range becomes fixed, so that the rest does not change.
 */
function compareRest({ query, span, selectedSpan, onQuery }: PresetProps): void {
  const { from, to } = span;
  onQuery(compareWithRest(query, selectedSpan), { ...fixedRange(from, to), selection: undefined });
}

/** Returns entries for the last two versions, and for the times before and after recent deploys. */
function versionEntries(
  { query, span, onQuery }: PresetProps,
  versions: Versions,
): readonly (readonly [text: string, run: () => void])[] {
  const { label } = versions;
  const [before, now] = lastTwo(versions);
  const deploys = versions.deploys.slice(-deploysOffered).reverse();
  return [
    [`${label}: ${before} and ${now}`, () => onQuery(compareValues(query, label, before, now))],
    ...deploys.map(
      (deploy) =>
        [
          `Before and after ${label} ${deploy.value} came`,
          () => {
            const { query: compared, selection } = beforeAndAfter(query, deploy.since, span);
            onQuery(compared, { selection });
          },
        ] as const,
    ),
  ];
}

/** Returns the entry for a deploy before the range: "version: 2.14.1 and 2.15.0, 3 h ago". */
function lastDeployEntry(
  { query, selectedSpan, onQuery }: PresetProps,
  deploy: LastDeploy,
): readonly [text: string, run: () => void] {
  const { label, before, value, since } = deploy;
  const age = formatAge(now() - since);
  return [
    `${label}: ${before} and ${value}, ${age} ago`,
    () => onQuery(compareDeploy(query, deploy, selectedSpan)),
  ];
}

/** Asks for a label, and then for one of its values per side. */
function TwoValues(props: PresetProps) {
  const [name, setName] = useState<string>();
  return name === undefined ? (
    <LabelNames profileType={props.profileType} exclude={[]} onChoose={setName} />
  ) : (
    <ValuePair {...props} name={name} />
  );
}

/** Asks for two values of the label in the query's range. If there are only two, they are used. */
function ValuePair({ query, span, name, onQuery }: PresetProps & { readonly name: string }) {
  const { api } = useApp();
  const [before, setBefore] = useState<string>();
  const open = withoutLabels(sideQuery(query, 'now'), [name]);
  const { value: values } = useResource(JSON.stringify(['values', open, span, name]), (asking) =>
    askValues(api, { query: open, span }, name, asking),
  );
  const compare = (a: string, b: string) => onQuery(compareValues(query, name, a, b));
  const compareIfTwo = useEffectEvent(() => {
    if (values?.length === 2) compare(values[0], values[1]);
  });
  useEffect(() => compareIfTwo(), [values]);
  return before === undefined ? (
    <Choices title={`A: ${name} =`} items={values} onChoose={setBefore} />
  ) : (
    <Choices
      // A new key clears the filter of the first value.
      key="now"
      title={`A: ${name}=${before}, B: ${name} =`}
      items={values?.filter((value) => value !== before)}
      onChoose={(value) => compare(before, value)}
    />
  );
}

/** Returns the values of a label in a range, sorted. */
async function askValues(
  api: Api,
  { query, span }: { readonly query: string; readonly span: Span },
  name: string,
  asking: Asking,
): Promise<string[]> {
  const stepMillis = span.to - span.from + 1;
  const { series } = await api.queryRange({ query, span, stepMillis, sumBy: [name] }, asking);
  return series
    .flatMap(({ labelset }) => labelset?.labels ?? [])
    .flatMap((label) => (label.name === name && label.value !== '' ? [label.value] : []))
    .sort();
}
