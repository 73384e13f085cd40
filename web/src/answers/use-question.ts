// The question of the explore page, from the URL and the profile types that the server has.
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

/** Narrower buckets would contain some targets of a fleet and miss others. */
const stepMillisMin = 10_000;

/** The query, the range and the options that the page shows an answer for. */
export interface Question {
  readonly types: readonly ProfileTypeOption[];
  /** True if the server has answered and has no profiles at all. */
  readonly isEmpty: boolean;
  readonly serverError: Resource<unknown>['error'];
  readonly query: string;
  readonly profileType: string;
  /** String form of the type in the query, whose labels are offered. */
  readonly labelType: string;
  readonly measure: Measure;
  /** True if the stacks are inverted: callers below the functions they call. */
  readonly isInverted: boolean;
  readonly span: Span;
  /** The selected part of the range, or else the whole range. */
  readonly selectedSpan: Span;
  readonly stepMillis: number;
  /** True if the query has no type, and there is no type of CPU time to start with. */
  readonly isWithoutCpu: boolean;
}

/**
 * Makes the query from the URL and the profile types of the server. `resolved` has the full types
 * that the server found for short names, by their string forms.
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
 * Returns true if there are no profiles yet; results of scrapes count only if they were selected.
 */
function isEmpty(types: readonly ProfileTypeOption[], asked: string): boolean {
  return (
    types.length === 0 || (types.every(({ value }) => isOfScrapes(value)) && !isOfScrapes(asked))
  );
}

/**
 * Adds a type to a query that has only conditions or stages; `full` is the full name of the type.
 */
function withType(query: string, type: string, full: string): string {
  const isBare = /^\s*(?:$|[{<|])/.test(query) && !beginsWithQuotedType(query);
  return isBare ? withIncrease(type + query.trimStart(), full) : query;
}

/**
 * Returns the plainest type that a short one stands for, as the server's answer has chosen it.
 * Without an answer, returns the string itself.
 */
function fullType(text: string, types: readonly ProfileTypeOption[]): string {
  if (text === '' || types.some(({ value }) => value === text)) return text;
  const known = types.map(({ value }) => parseProfileType(value));
  const [first] = meantTypes(text.split(':'), known).types;
  return first === undefined ? text : formatProfileType(first);
}
