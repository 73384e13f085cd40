// Query bar: profile type, query, time range, refresh and Run.
import { type ReactNode, useEffect, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { type ProfileTypeOption, typeChoices } from '../format/profile-type.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { localBase } from '../rpc/local.ts';
import { QueryField } from './query-field.tsx';
import { TimePicker } from './time-picker.tsx';

const refreshChoices: readonly (readonly [value: string, label: string])[] = [
  ['0', 'Off'],
  ['5', '5 s'],
  ['10', '10 s'],
  ['30', '30 s'],
  ['60', '1 min'],
  ['300', '5 min'],
];

interface QueryBarProps {
  readonly explore: Explore;
  /** True if the query is visible on a phone; on larger screens, the query is always visible. */
  readonly isUnfolded: boolean;
  readonly onUnfold: () => void;
  /** Buttons at the end of the bar. */
  readonly children: ReactNode;
}

/** The bar, which edits the query; Run also moves a relative range to now. */
export function QueryBar({ explore, isUnfolded, onUnfold, children }: QueryBarProps) {
  const { base, url } = useApp();
  const { query, profileType, types, run } = explore;
  const [edited, setEdited] = useState(query);
  useEffect(() => setEdited(query), [query]);
  const runQuery = (text: string) => {
    url.change({ query: text.trim() }, 'step');
    run();
  };
  const chooseType = async (type: string) => {
    // Loaded here, so that an early choice is not lost.
    const matchers = await import('../language/matchers.ts');
    const isFile = base === localBase;
    // A file contains a single time, so increases cannot be computed.
    const replaced = isFile
      ? matchers.replaceProfileType(query, type)
      : matchers.chooseProfileType(query, type);
    url.change({ query: replaced, zoom: '', view: undefined }, 'step');
  };

  return (
    <form
      className="query-bar"
      aria-label="Query"
      onSubmit={(event) => {
        event.preventDefault();
        runQuery(edited);
      }}
    >
      <TypeSelect
        isEmpty={explore.isEmpty}
        types={types}
        current={profileType}
        onChoose={(type) => void chooseType(type)}
      />
      <QueryField
        text={query}
        profileTypes={types.map(({ value }) => value)}
        onRun={runQuery}
        onEdit={setEdited}
      />
      <div className="query-time">
        <TimePicker now={explore.span.to} />
        <RefreshSelect seconds={explore.refreshSeconds} />
        <button
          type="submit"
          className={`button ${edited === query ? '' : 'primary'}`}
          title="Run (Ctrl Enter)"
        >
          <Icon name="refresh" />
          Run
        </button>
        <button
          type="button"
          className="button narrow-only"
          aria-label="Query and labels"
          aria-expanded={isUnfolded}
          onClick={onUnfold}
        >
          <Icon name={isUnfolded ? 'up' : 'down'} />
        </button>
        {children}
      </div>
    </form>
  );
}

interface TypeSelectProps {
  readonly types: readonly ProfileTypeOption[];
  /** True if the server has no profiles; false while unknown. */
  readonly isEmpty: boolean;
  readonly current: string;
  readonly onChoose: (type: string) => void;
}

function TypeSelect({ types, isEmpty, current, onChoose }: TypeSelectProps) {
  const choices = typeChoices(types);
  const groups = [...new Set(choices.map(({ group }) => group))];
  const chosen = choices.find((choice) => choice.types.includes(current));
  return (
    <select
      className="select type-select"
      aria-label="Profile type"
      title={current}
      value={chosen?.value ?? ''}
      onChange={(event) => onChoose(event.target.value)}
    >
      {chosen === undefined && (
        <option value="">
          {types.length > 0 ? 'Other type' : isEmpty ? 'No profiles yet' : 'Loading types'}
        </option>
      )}
      {groups.map((group) => (
        <optgroup key={group} label={group}>
          {choices
            .filter((type) => type.group === group)
            .map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

function RefreshSelect({ seconds }: { readonly seconds: number }) {
  const { url } = useApp();
  const { refresh } = usePlace().state;
  const value = String(refresh === 'default' ? seconds : refresh);
  const known = refreshChoices.some(([choice]) => choice === value);
  return (
    <select
      className="select refresh-select"
      aria-label="Refresh automatically"
      title="Refresh automatically"
      value={value}
      onChange={(event) => url.change({ refresh: Number(event.target.value) }, 'adjust')}
    >
      {!known && <option value={value}>{value} s</option>}
      {refreshChoices.map(([choice, label]) => (
        <option key={choice} value={choice}>
          {choice === '0' ? 'Auto off' : `Auto ${label}`}
        </option>
      ))}
    </select>
  );
}
