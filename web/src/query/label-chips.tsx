// The conditions of the query as chips, a menu that adds one, and the labels to sum by.
import { Fragment, useEffect, useState } from 'react';
import { useApp, usePlace } from '../page/app-context.ts';
import { useMatchers } from '../page/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';

interface LabelChipsProps {
  readonly query: string;
  readonly profileType: string;
  readonly onQuery: (query: string) => void;
}

/** Names of the sides of a diff. */
const sideTexts = { before: 'before', now: 'now', both: 'both sides' } as const;

/** Every change of a chip is a change of the query text. */
export function LabelChips({ query, profileType, onQuery }: LabelChipsProps) {
  const { url } = useApp();
  const { sumBy } = usePlace().state;
  const matchers = useMatchers();
  const groups = matchers?.matcherGroups(query) ?? [];
  return (
    <div className="chips" role="group" aria-label="Labels">
      {groups.map(({ side, conditions }) => (
        <Fragment key={side ?? 'all'}>
          {side !== undefined && <span className="chips-title">{sideTexts[side]}</span>}
          {conditions.map((places) => {
            const [{ name, operator, value, from }] = places;
            const of = side === 'before' || side === 'now' ? ` ${sideTexts[side]}` : '';
            return (
              <span className="chip" key={`${from} ${name}`}>
                <span className="chip-text">
                  {name}
                  <b>{operator}</b>
                  {value === '' ? '""' : value}
                </span>
                <button
                  type="button"
                  aria-label={`Remove ${name}${operator}${value}${of}`}
                  onClick={() => matchers && onQuery(matchers.removeMatcher(query, places))}
                >
                  <Icon name="close" />
                </button>
              </span>
            );
          })}
          {conditions.length === 0 && side !== undefined && <span className="hint">all</span>}
        </Fragment>
      ))}
      <Popover
        title="Add a label"
        className="chip-add"
        label={
          <>
            <Icon name="plus" />
            label
          </>
        }
      >
        {(close) => (
          <AddLabel
            profileType={profileType}
            onAdd={(name, operator, value) => {
              if (matchers) onQuery(matchers.addMatcher(query, name, operator, value));
              close();
            }}
          />
        )}
      </Popover>
      <span className="chips-gap" />
      <span className="chips-title">sum by</span>
      {sumBy.map((name) => (
        <span className="chip" key={name}>
          <span className="chip-text">{name}</span>
          <button
            type="button"
            aria-label={`Do not sum by ${name}`}
            onClick={() => url.change({ sumBy: sumBy.filter((other) => other !== name) }, 'step')}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <Popover
        title="Sum by another label"
        className="chip-add"
        label={
          <>
            <Icon name="plus" />
            <span className="visually-hidden">sum by</span>
          </>
        }
      >
        {(close) => (
          <LabelNames
            profileType={profileType}
            exclude={sumBy}
            onChoose={(name) => {
              url.change({ sumBy: [...sumBy, name] }, 'step');
              close();
            }}
          />
        )}
      </Popover>
    </div>
  );
}

interface AddLabelProps {
  readonly profileType: string;
  readonly onAdd: (name: string, operator: string, value: string) => void;
}

function AddLabel({ profileType, onAdd }: AddLabelProps) {
  const { api } = useApp();
  const [name, setName] = useState<string>();
  const values = useList(name, (signal) => api.labelValues(name ?? '', profileType, signal));
  if (name === undefined) {
    return <LabelNames profileType={profileType} exclude={[]} onChoose={setName} />;
  }
  return (
    <Choices
      title={`${name} =`}
      items={values}
      onChoose={(value) => onAdd(name, '=', value)}
      onOther={(value) => onAdd(name, '=', value)}
    />
  );
}

interface LabelNamesProps {
  readonly profileType: string;
  /** Names to offer before the labels. */
  readonly first?: readonly string[];
  readonly exclude: readonly string[];
  readonly onChoose: (name: string, isFirst: boolean) => void;
}

/** Offers the label names of a profile type. */
export function LabelNames({ profileType, first = [], exclude, onChoose }: LabelNamesProps) {
  const { api } = useApp();
  const names = useList(profileType, (signal) => api.labelNames(profileType, signal));
  const all = names === undefined ? undefined : [...first, ...names];
  const offered = all?.filter((name) => !exclude.includes(name));
  return (
    <Choices
      title="Label"
      items={offered}
      onChoose={(name) => onChoose(name, first.includes(name))}
    />
  );
}

interface ChoicesProps {
  readonly title: string;
  /** undefined while loading. */
  readonly items: readonly string[] | undefined;
  readonly onChoose: (item: string) => void;
  /** Takes a text that is not in the list. */
  readonly onOther?: (item: string) => void;
}

const choicesShown = 100;

/** A list with a filter; Enter takes the first. */
function Choices({ title, items, onChoose, onOther }: ChoicesProps) {
  const [typed, setTyped] = useState('');
  const lower = typed.toLowerCase();
  const found = items?.filter((item) => item.toLowerCase().includes(lower)) ?? [];
  const enter = () => {
    if (found.length > 0) onChoose(found[0]);
    else if (typed !== '') onOther?.(typed);
  };
  return (
    <div className="choices">
      <input
        className="input"
        aria-label={title}
        placeholder={title}
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') enter();
        }}
      />
      <ul className="menu-list" aria-label={title}>
        {found.slice(0, choicesShown).map((item) => (
          <li key={item}>
            <button type="button" className="menu-item mono" onClick={() => onChoose(item)}>
              {item === '' ? '""' : item}
            </button>
          </li>
        ))}
      </ul>
      {items === undefined && <p className="hint">Loading…</p>}
      {items !== undefined && found.length === 0 && <p className="hint">Nothing found.</p>}
    </div>
  );
}

function useList(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<readonly string[]>,
): readonly string[] | undefined {
  const [list, setList] = useState<readonly string[]>();
  useEffect(() => {
    if (key === undefined) return undefined;
    const controller = new AbortController();
    const ask = async () => {
      try {
        setList(await load(controller.signal));
      } catch {
        if (!controller.signal.aborted) setList([]);
      }
    };
    void ask();
    return () => controller.abort();
  }, [key]);
  return list;
}
