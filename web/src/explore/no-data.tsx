// A query that selects nothing: what exists instead, one click away.
import { useApp, usePlace } from '../app-context.ts';
import { probablyMeant, sortByLikeness } from '../format/nearest-text.ts';
import { formatNanos } from '../format/numbers.ts';
import { friendlyName } from '../format/profile-type.ts';
import { useResource } from '../parts/use-resource.ts';
import { describeRange, fixedRange, toInputText } from '../url/time-range.ts';
import { useMatchers } from './label-chips.tsx';
import { findNearestData } from './nearest-data.ts';
import type { Explore } from './use-explore.ts';

const valuesShown = 6;
/** The range that is offered around the nearest profile is at least this wide. */
const widthMillisMin = 60_000;

interface NoDataProps {
  readonly explore: Explore;
  readonly onQuery: (query: string) => void;
}

/** Offers the nearest time with profiles, and what the first label really is. */
export function NoData({ explore, onQuery }: NoDataProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { profileType, graphSpan } = explore;
  return (
    <div className="panel-message actions">
      <p>
        This query selects no {friendlyName(profileType)} profiles in{' '}
        {describeRange(fixedRange(graphSpan.from, graphSpan.to), state.utc)}.
      </p>
      <NearestTime explore={explore} />
      <LabelHelp explore={explore} onQuery={onQuery} />
      {state.selection !== undefined && (
        <div className="buttons">
          <button
            type="button"
            className="button"
            onClick={() => url.change({ selection: undefined }, 'step')}
          >
            The whole range
          </button>
        </div>
      )}
    </div>
  );
}

/** When the query would have selected something, one click away. */
function NearestTime({ explore: { query, graphSpan } }: { readonly explore: Explore }) {
  const { api, url } = useApp();
  const { utc } = usePlace().state;
  const { from, to } = graphSpan;
  // A range that moves with the clock is looked up once, not at every refresh.
  const nearest = useResource(`nearest ${query} ${Math.round(from / widthMillisMin)}`, (signal) =>
    findNearestData(api, query, graphSpan, signal),
  ).value;
  if (nearest === undefined || (nearest >= from && nearest <= to)) return null;
  const [text, start] = [nearest, from].map((millis) => toInputText(millis, utc).replace('T', ' '));
  const time = text.slice(0, 10) === start.slice(0, 10) ? text.slice(11) : text;
  const away = nearest < from ? from - nearest : nearest - to;
  const goThere = () => {
    const half = Math.max(widthMillisMin, to - from) / 2;
    const range = fixedRange(Math.round(nearest - half), Math.round(nearest + half));
    url.change({ from: range.from, to: range.to, selection: undefined }, 'step');
  };
  return (
    <p>
      The nearest profiles are at <b>{time}</b>, {formatNanos(away * 1e6)}{' '}
      {nearest < from ? 'earlier' : 'later'}.{' '}
      <button type="button" className="button" onClick={goThere}>
        Go to {time}
      </button>
    </p>
  );
}

/** For the first condition that wants a value: whether name and value exist, and which do. */
function LabelHelp({ explore: { query, profileType }, onQuery }: NoDataProps) {
  const { api } = useApp();
  const matchers = useMatchers();
  const condition = matchers?.matchersOf(query).find(({ operator }) => operator === '=');
  const name = condition?.name;
  const names = useResource(name === undefined ? undefined : `names ${profileType}`, (signal) =>
    api.labelNames(profileType, signal),
  ).value;
  const isKnown = name !== undefined && names?.includes(name) === true;
  const values = useResource(isKnown ? `${profileType} ${name}` : undefined, (signal) =>
    api.labelValues(name ?? '', profileType, signal),
  ).value;
  if (matchers === undefined || condition === undefined || names === undefined) return null;
  if (!isKnown) {
    const others = sortByLikeness(condition.name, names).slice(0, valuesShown);
    const rename = (other: string) => {
      const without = matchers.removeMatcher(query, condition);
      onQuery(matchers.addMatcher(without, other, '=', condition.value));
    };
    return (
      <Choices
        wrong={`a label ${condition.name}`}
        meant={probablyMeant(condition.name, names)}
        texts={others}
        textOf={(other) => other}
        onChoose={rename}
      />
    );
  }
  if (values === undefined) return null;
  const others = values.filter((value) => value !== condition.value);
  const isWrong = !values.includes(condition.value);
  return (
    <Choices
      wrong={isWrong ? `${condition.name}=${condition.value}` : undefined}
      meant={isWrong ? probablyMeant(condition.value, others) : undefined}
      texts={sortByLikeness(condition.value, others).slice(0, valuesShown)}
      textOf={(value) => `${condition.name}=${value}`}
      onChoose={(value) => onQuery(matchers.addMatcher(query, condition.name, '=', value))}
    />
  );
}

interface ChoicesProps {
  /** What no profile has; undefined when some have it at other times. */
  readonly wrong: string | undefined;
  readonly meant: string | undefined;
  readonly texts: readonly string[];
  readonly textOf: (text: string) => string;
  readonly onChoose: (text: string) => void;
}

function Choices({ wrong, meant, texts, textOf, onChoose }: ChoicesProps) {
  return (
    <>
      {wrong !== undefined && (
        <p>
          No profile of this type has <code>{wrong}</code>.
          {meant !== undefined && (
            <>
              {' '}
              Did you mean <code>{textOf(meant)}</code>?
            </>
          )}
        </p>
      )}
      <div className="buttons">
        {texts.map((text) => (
          <button
            type="button"
            className={`button mono ${text === meant ? 'primary' : ''}`}
            key={text}
            onClick={() => onChoose(text)}
          >
            {textOf(text)}
          </button>
        ))}
      </div>
    </>
  );
}
