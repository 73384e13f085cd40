// The comparisons to choose from: versions, other times, and any two values of a label.
import { useState } from 'react';
import {
  comparedOf,
  compareValues,
  compareWithEarlier,
  swapSides,
} from '../language/comparison.ts';
import { isDiff } from '../language/query-text.ts';
import { useApp } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { LabelNames, LabelValues } from '../query/label-chips.tsx';
import type { Span } from '../rpc/api.ts';
import type { UrlState } from '../url/url-state.ts';
import { findVersions, type Versions } from './versions.ts';

const day = 86_400_000;

export interface PresetProps {
  readonly query: string;
  readonly profileType: string;
  /** The range, and the part of it that is shown. */
  readonly span: Span;
  readonly selectedSpan: Span;
  /** Takes the query, and what else changes with it. */
  readonly onQuery: (query: string, patch?: Partial<UrlState>) => void;
}

/** Every entry changes the query text. */
export function Presets(props: PresetProps) {
  const { query, profileType, span, selectedSpan, onQuery } = props;
  const { api } = useApp();
  const [choosesLabel, setChoosesLabel] = useState(false);
  const compared = comparedOf(query);
  const versions = useResource(JSON.stringify(['versions', compared, span]), (asking) =>
    findVersions(api, { query: compared, profileType, span }, asking),
  );
  if (choosesLabel) return <TwoValues {...props} />;
  const earlier = (millis: number) => () => onQuery(compareWithEarlier(query, millis));
  const entries: readonly (readonly [text: string, run: () => void])[] = [
    ...(versions.value === undefined ? [] : versionEntries(props, versions.value)),
    ['The time before', earlier(selectedSpan.to - selectedSpan.from)],
    ['The same time yesterday', earlier(day)],
    ['The same time last week', earlier(7 * day)],
    ['Two values of a label …', () => setChoosesLabel(true)],
    ...(isDiff(query) ? [['Swap A and B', () => onQuery(swapSides(query))] as const] : []),
  ];
  return (
    <ul className="menu-list" aria-label="Compare with">
      {entries.map(([text, run]) => (
        <li key={text}>
          <button type="button" className="menu-item" onClick={run}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The last two versions, and the time before and after the last one came. */
function versionEntries(
  { query, span, onQuery }: PresetProps,
  { label, list }: Versions,
): readonly (readonly [text: string, run: () => void])[] {
  const [before, now] = list.slice(-2);
  const isWithin = now.since > span.from && now.since < span.to;
  const after = { from: now.since, to: span.to };
  return [
    [
      `${label}: ${before.value} and ${now.value}`,
      () => onQuery(compareValues(query, label, before.value, now.value)),
    ],
    ...(isWithin
      ? [
          [
            `Before and after ${label} ${now.value} came`,
            () => {
              const length = after.to - after.from;
              onQuery(compareWithEarlier(query, length), { selection: after });
            },
          ] as const,
        ]
      : []),
  ];
}

/** Asks for a label, then for one value of each side. */
function TwoValues({ query, profileType, onQuery }: PresetProps) {
  const [name, setName] = useState<string>();
  const [before, setBefore] = useState<string>();
  if (name === undefined) {
    return <LabelNames profileType={profileType} exclude={[]} onChoose={setName} />;
  }
  const values = { name, profileType };
  return before === undefined ? (
    <LabelValues title={`A: ${name} =`} {...values} onChoose={setBefore} />
  ) : (
    <LabelValues
      // The filter of the value before is empty again.
      key="now"
      title={`A: ${name}=${before}, B: ${name} =`}
      {...values}
      onChoose={(value) => onQuery(compareValues(query, name, before, value))}
    />
  );
}
