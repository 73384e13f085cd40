// Query of the explore page, from the URL and the server's profile types.
import { useMemo } from 'react';
import { formatProfileType, parseProfileType } from '../../../src/model/profile-type.ts';
import { meantTypes } from '../../../src/promql-like/meant-types.ts';
import { type Measure, parseMeasure } from '../format/measure.ts';
import {
  bestProfileType,
  isOfScrapes,
  type ProfileTypeOption,
  profileTypeOptions,
  typeChoices,
} from '../format/profile-type.ts';
import {
  asksIncrease,
  beginsWithQuotedType,
  invertedQuery,
  profileTypeOfQuery,
  withIncrease,
} from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { type Resource, useResource } from '../page/use-resource.ts';
import type { Span } from '../rpc/api.ts';
import { chooseStep, resolveRange } from '../url/time-range.ts';

const graphPoints = 150;

/** Minimum width of a bucket; narrower buckets would contain only some targets of a fleet. */
const stepMillisMin = 10_000;

/** Query, range and options of the page. */
export interface Question {
  readonly types: readonly ProfileTypeOption[];
  /** True if the server has no profiles. */
  readonly isEmpty: boolean;
  readonly serverError: Resource<unknown>['error'];
  readonly query: string;
  readonly profileType: string;
  /** Profile type of the query as a string, for suggesting labels. */
  readonly labelType: string;
  readonly measure: Measure;
  /** True if stacks are inverted, with callers below callees. */
  readonly isInverted: boolean;
  readonly span: Span;
  /** Selected part of the range, or else the complete range. */
  readonly selectedSpan: Span;
  readonly stepMillis: number;
  /** True if the query has no type, and there is no type of CPU time to use instead. */
  readonly isWithoutCpu: boolean;
}

/**
 * Builds the query from the URL and the server's profile types. `resolved` contains the full types
 * that the server found for short names.
 */
export function useQuestion(now: number, resolved: ReadonlyMap<string, string>): Question {
  const { api } = useApp();
  const { state } = usePlace();
  const answer = useResource(`types ${now}`, ({ signal }) => api.profileTypes(signal), {
    topic: 'types',
    isQuiet: true,
  });
  const types = useMemo(() => profileTypeOptions(answer.value ?? []), [answer.value]);
  const best = bestProfileType(types.map(({ value }) => value));
  const choices = useMemo(() => typeChoices(types), [types]);
  const choice = choices.find((one) => best !== undefined && one.types.includes(best));
  const query = withType(state.query, choice?.value ?? '', best ?? '');
  const isIncrease = asksIncrease(query);
  const said = profileTypeOfQuery(query);
  const profileType = resolved.get(said) ?? fullType(said, types);
  const span = useMemo(
    () => resolveRange({ from: state.from, to: state.to }, now),
    [state.from, state.to, now],
  );
  const measure = useMemo(() => parseMeasure(profileType, isIncrease), [profileType, isIncrease]);
  return {
    types,
    isWithoutCpu: query !== state.query && best !== undefined && measure.kind !== 'cpu',
    isEmpty: answer.value !== undefined && isEmpty(types, profileType),
    serverError: answer.error,
    query,
    profileType,
    labelType: said,
    measure,
    isInverted: invertedQuery(query).isInverted,
    span,
    selectedSpan: state.selection ?? span,
    stepMillis: Math.max(stepMillisMin, chooseStep(span, graphPoints)),
  };
}

/**
 * Returns true if there are no profiles yet. Results of scrapes do not count unless they were
 * selected.
 */
function isEmpty(types: readonly ProfileTypeOption[], asked: string): boolean {
  return (
    types.length === 0 || (types.every(({ value }) => isOfScrapes(value)) && !isOfScrapes(asked))
  );
}

/** Adds a type to a query that has only matchers or stages; `full` is the full name of the type. */
function withType(query: string, type: string, full: string): string {
  const isBare = /^\s*(?:$|[{<|])/.test(query) && !beginsWithQuotedType(query);
  return isBare ? withIncrease(type + query.trimStart(), full) : query;
}

/**
 * Returns the full type of a short name, as chosen by the server. If there is no answer yet,
 * returns the name itself.
 */
function fullType(text: string, types: readonly ProfileTypeOption[]): string {
  if (text === '' || types.some(({ value }) => value === text)) return text;
  const known = types.map(({ value }) => parseProfileType(value));
  const [first] = meantTypes(text.split(':'), known).types;
  return first === undefined ? text : formatProfileType(first);
}
