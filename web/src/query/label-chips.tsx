// Matchers of the query as chips, a menu for adding a matcher, and labels to sum by.
import { useCallback, useEffect, useState } from 'react';
import type { MatcherText } from '../language/matchers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useMatchers } from '../page/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';

interface LabelChipsProps {
  readonly query: string;
  readonly profileType: string;
  /** True if the query is a comparison, whose labels are shown in the compare bar. */
  readonly isCompared: boolean;
  readonly onQuery: (query: string) => void;
}

/** The chips; each change edits the query string. */
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
  /** Side of a comparison that the chip belongs to. */
  readonly side?: string;
  readonly onRemove: () => void;
}

/** A matcher with a button that removes it. */
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

/** Chooses the labels whose values have separate lines in the metrics graph. */
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

/** Asks for a label, then for a value. */
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

/** List of a label's values in a profile type. */
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
  /** Names before the labels. */
  readonly first?: readonly string[];
  readonly exclude: readonly string[];
  readonly onChoose: (name: string, isFirst: boolean) => void;
}

/** List of the label names in a profile type. */
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

/** List with a filter; Enter chooses the first item. */
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

/** Returns the result of `load`; undefined until it resolves. */
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
