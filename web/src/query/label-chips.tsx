// The conditions of the query as chips, a menu that adds one, and the labels to sum by.
import { useCallback, useEffect, useState } from 'react';
import type { MatcherText } from '../language/matchers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useMatchers } from '../page/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';

interface LabelChipsProps {
  readonly query: string;
  readonly profileType: string;
  /** True if the query is a comparison, whose labels the bar of its sides shows. */
  readonly isCompared: boolean;
  readonly onQuery: (query: string) => void;
}

/** The chips; every change of a chip changes the query string. */
export function LabelChips({ query, profileType, isCompared, onQuery }: LabelChipsProps) {
  const matchers = useMatchers();
  const conditions = isCompared ? [] : (matchers?.listMatchers(query) ?? []);
  return (
    <div className="chips" role="group" aria-label="Labels">
      {conditions.map((condition) => (
        <ConditionChip
          key={`${condition.from} ${condition.name}`}
          condition={condition}
          onRemove={() => matchers && onQuery(matchers.removeMatcher(query, condition))}
        />
      ))}
      <Popover
        title={isCompared ? 'Add a label of both sides' : 'Add a label'}
        className="chip-add"
        label={
          <>
            <Icon name="plus" />
            {isCompared ? 'label of both' : 'label'}
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
      {!isCompared && <SumBy profileType={profileType} />}
    </div>
  );
}

interface ConditionChipProps {
  readonly condition: MatcherText;
  /** Side of a comparison to which it belongs. */
  readonly side?: string;
  readonly onRemove: () => void;
}

/** A condition with a button that removes it. */
export function ConditionChip({ condition, side, onRemove }: ConditionChipProps) {
  const { name, operator, value } = condition;
  return (
    <span className="chip">
      <span className="chip-text" title={value}>
        {name}
        <b>{operator}</b>
        {value === '' ? '""' : value}
      </span>
      <button
        type="button"
        aria-label={`Remove ${name}${operator}${value}${side === undefined ? '' : ` ${side}`}`}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

/** Chooses the labels whose values each have a line in the graph over time. */
function SumBy({ profileType }: { readonly profileType: string }) {
  const { url } = useApp();
  const { sumBy } = usePlace().state;
  return (
    <>
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
    </>
  );
}

interface AddLabelProps {
  readonly profileType: string;
  readonly onAdd: (name: string, operator: string, value: string) => void;
}

/** Offers a label, then its values. */
export function AddLabel({ profileType, onAdd }: AddLabelProps) {
  const [name, setName] = useState<string>();
  if (name === undefined) {
    return <LabelNames profileType={profileType} exclude={[]} onChoose={setName} />;
  }
  const add = (value: string) => onAdd(name, '=', value);
  return (
    <LabelValues
      title={`${name} =`}
      name={name}
      profileType={profileType}
      onChoose={add}
      onOther={add}
    />
  );
}

interface LabelValuesProps {
  readonly title: string;
  readonly name: string;
  readonly profileType: string;
  readonly onChoose: (value: string) => void;
  /** Called with a value that is not in the list. */
  readonly onOther?: (value: string) => void;
}

/** Offers the values of a label in a profile type. */
function LabelValues({ title, name, profileType, onChoose, onOther }: LabelValuesProps) {
  const { api } = useApp();
  const load = useCallback(
    (signal: AbortSignal) => api.labelValues(name, profileType, signal),
    [api, name, profileType],
  );
  const values = useList(load);
  return <Choices title={title} items={values} onChoose={onChoose} onOther={onOther} />;
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
  const load = useCallback(
    (signal: AbortSignal) => api.labelNames(profileType, signal),
    [api, profileType],
  );
  const names = useList(load);
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
  /** Items; undefined while they are loading. */
  readonly items: readonly string[] | undefined;
  readonly onChoose: (item: string) => void;
  /** Called with a typed item that is not in the list. */
  readonly onOther?: ((item: string) => void) | undefined;
}

const choicesShown = 100;

/** A list with a filter; Enter takes the first. */
export function Choices({ title, items, onChoose, onOther }: ChoicesProps) {
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

/** Returns what `load` resolves to; undefined until then, and while a new `load` runs. */
function useList(
  load: (signal: AbortSignal) => Promise<readonly string[]>,
): readonly string[] | undefined {
  const [list, setList] = useState<readonly string[]>();
  useEffect(() => {
    const controller = new AbortController();
    const run = async () => {
      try {
        setList(await load(controller.signal));
      } catch {
        if (!controller.signal.aborted) setList([]);
      }
    };
    void run();
    return () => {
      controller.abort();
      setList(undefined);
    };
  }, [load]);
  return list;
}
