// Explains an empty answer: the reason, and alternatives.
import { readSumNote } from '../../../src/model/sum-note.ts';
import type { Explore } from '../answers/use-explore.ts';
import { formatNanos } from '../format/numbers.ts';
import { friendlyName } from '../../../src/model/friendly-type.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded, useMatchers } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { askNearest, type NearestCondition, nearestTime } from '../rpc/nearest.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { describeRange, fixedRange, toInputText } from '../url/time-range.ts';

/** Smallest duration of the range around the nearest profile. */
const widthMillisMin = 60_000;

export interface NoDataProps {
  readonly explore: Explore;
  /** The answer, whose total is 0. */
  readonly tree: AnsweredTree;
  readonly onQuery: (query: string) => void;
}

/** Suggests the nearest time with profiles, existing labels, or the query without a stage. */
export function NoData({ explore, tree, onQuery }: NoDataProps) {
  const { base, url } = useApp();
  const { state } = usePlace();
  const { query, profileType, selectedSpan } = explore;
  // A relative range is looked up once a minute, not at every refresh.
  const minute = Math.round(selectedSpan.from / widthMillisMin);
  const answer = useResource(`nearest ${query} ${minute}`, (asking) =>
    askNearest(base, query, selectedSpan, asking),
  ).value;
  return (
    <div className="panel-message actions">
      <p>
        {findReason(
          tree,
          friendlyName(profileType),
          describeRange(fixedRange(selectedSpan.from, selectedSpan.to), state.utc),
        )}
      </p>
      {tree.profileCount > 0 && <StageHelp query={query} onQuery={onQuery} />}
      {answer !== undefined && !answer.hasData && (
        <>
          <NearestTime nearest={nearestTime(answer, selectedSpan)} span={selectedSpan} />
          <LabelHelp query={query} conditions={answer.conditions} onQuery={onQuery} />
        </>
      )}
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

/**
 * Returns the reason: there are no profiles, they cannot be read, or the stages drop all stacks.
 */
function findReason({ profileCount, warnings }: AnsweredTree, type: string, range: string): string {
  const isCut = warnings.some((warning) => readSumNote(warning) === undefined);
  if (profileCount === 0 && warnings.some((warning) => warning.startsWith('the increase of'))) {
    return `No ${type} profile in ${range} has another one to be compared with.`;
  }
  if (profileCount === 0) {
    return `This query selects no ${type} profiles in ${range}${isCut ? ' that can be read' : ''}.`;
  }
  const selected = `This query selects ${plural(profileCount, `${type} profile`)} in ${range}`;
  return `${selected}, ${isCut ? 'none of which can be read' : 'whose values add up to nothing'}.`;
}

/** Suggests the query without one of its stages, because a stage may drop all stacks. */
function StageHelp({ query, onQuery }: Pick<LabelHelpProps, 'query' | 'onQuery'>) {
  const module = useLoaded(() => import('../language/stages.ts'));
  const stages = module?.listStages(query) ?? [];
  if (stages.length === 0) return null;
  return (
    <div className="buttons">
      {stages.map(({ text, rest }, i) => (
        <button type="button" className="button" key={`${i} ${text}`} onClick={() => onQuery(rest)}>
          Without <span className="mono">{text}</span>
        </button>
      ))}
    </div>
  );
}

/** Suggests the nearest time with profiles. */
function NearestTime({
  nearest,
  span,
}: {
  readonly nearest: number | undefined;
  readonly span: Span;
}) {
  const { url } = useApp();
  const { utc } = usePlace().state;
  const { from, to } = span;
  if (nearest === undefined) return null;
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

interface LabelHelpProps {
  readonly query: string;
  readonly conditions: readonly NearestCondition[];
  readonly onQuery: (query: string) => void;
}

/** Suggests existing values for a matcher without matches, or else for the first matcher. */
function LabelHelp({ query, conditions, onQuery }: LabelHelpProps) {
  const matchers = useMatchers();
  const wanted = conditions.filter(({ operator }) => operator === '=');
  const condition = wanted.find(({ hasMatch }) => !hasMatch) ?? wanted[0];
  if (matchers === undefined || condition === undefined) return null;
  const { label, value, hasName, hasMatch, alternatives } = condition;
  const meant = condition.meant ?? undefined;
  if (!hasName) {
    const rename = (other: string) => {
      const old = matchers.listMatchers(query).find(({ name }) => name === label);
      const without = old === undefined ? query : matchers.removeMatcher(query, old);
      onQuery(matchers.addMatcher(without, other, '=', value));
    };
    return (
      <Choices
        wrong={`a label ${label}`}
        meant={meant}
        texts={alternatives}
        formatChoice={(other) => other}
        onChoose={rename}
      />
    );
  }
  return (
    <Choices
      wrong={hasMatch ? undefined : `${label}=${value}`}
      meant={meant}
      texts={alternatives}
      formatChoice={(other) => `${label}=${other}`}
      onChoose={(other) => onQuery(matchers.addMatcher(query, label, '=', other))}
    />
  );
}

interface ChoicesProps {
  /** Matcher without matches at any time; undefined if there is none. */
  readonly wrong: string | undefined;
  readonly meant: string | undefined;
  readonly texts: readonly string[];
  readonly formatChoice: (text: string) => string;
  readonly onChoose: (text: string) => void;
}

function Choices({ wrong, meant, texts, formatChoice: textOf, onChoose }: ChoicesProps) {
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
