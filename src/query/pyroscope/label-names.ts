// Derives the labels that Pyroscope's clients expect from the labels of series.
import { labelValue, type LabelSet } from '../../model/labels.ts';
import { createMatcher, type LabelMatcher } from '../../model/matcher.ts';
import { typeLabels } from './type-names.ts';

/** Labels that may name the service, the preferred label first. */
const serviceSources = ['service_name', 'job', 'comm'] as const;
/** Service name of series that have none of these labels, as in Pyroscope. */
export const unknownService = 'unknown_service';
/** Names under which clients know the label with the service name. */
const serviceNames: ReadonlySet<string> = new Set(['service_name', '__service_name__']);

/** Returns true for a label with the name of the service. */
export function isServiceName(name: string): boolean {
  return serviceNames.has(name);
}

/** Name for `__name__` in conditions: the query language does not treat `__name__` as a label. */
const nameLabel = '__profile_name__';

/** Returns the name of a label in Pyroscope's notation. */
export function pyroscopeLabel(name: string): string {
  return name === nameLabel ? '__name__' : name;
}

/** Name that conditions use for the span id of a sample. */
const spanLabel = '__span_id__';
/** Sample labels that have the span id: from OpenTelemetry and from Pyroscope's SDKs. */
const spanSources = ['span_id', 'profile_id'] as const;

/** Conditions, separated by what they are about. */
export interface SplitMatchers {
  readonly ofTypes: readonly LabelMatcher[];
  readonly ofServices: readonly LabelMatcher[];
  readonly ofSpans: readonly LabelMatcher[];
  readonly others: readonly LabelMatcher[];
}

/** Splits conditions. Errors: AppError 'invalid-argument' for an expression that is not RE2. */
export function splitMatchers(matchers: readonly LabelMatcher[]): SplitMatchers {
  const ofTypes: LabelMatcher[] = [];
  const ofServices: LabelMatcher[] = [];
  const ofSpans: LabelMatcher[] = [];
  const others: LabelMatcher[] = [];
  for (const matcher of matchers) {
    // Compiles the expression, so that an invalid one is refused even if there are no profiles.
    matcher.matches('');
    if (typeLabels.has(pyroscopeLabel(matcher.name))) ofTypes.push(matcher);
    else if (isServiceName(matcher.name)) ofServices.push(matcher);
    else if (matcher.name === spanLabel) ofSpans.push(matcher);
    else others.push(matcher);
  }
  return { ofTypes, ofServices, ofSpans, others };
}

/** A set of series whose service name comes from the same label. */
export interface ServiceSource {
  readonly matchers: readonly LabelMatcher[];
  /** Label with the service name, if any; undefined if series are not separated by service. */
  readonly serviceLabels: readonly string[] | undefined;
}

/**
 * Returns the sources of the series that satisfy the conditions; no series is in two sources. There
 * are several sources, one for each label with a service name, if `isByService` is true or a
 * condition concerns the service.
 */
export function listSources(split: SplitMatchers, isByService: boolean): ServiceSource[] {
  const { ofServices } = split;
  const wholes = spanAlternatives(split);
  if (!isByService && ofServices.length === 0) {
    return wholes.map((matchers) => ({ matchers, serviceLabels: undefined }));
  }
  const sources: ServiceSource[] = [];
  const absent: LabelMatcher[] = [];
  for (const label of serviceSources) {
    const own = ofServices.map(({ operator, value }) => createMatcher(label, operator, value));
    const isPresent = own.some(({ matches }) => !matches(''));
    if (!isPresent) own.push(createMatcher(label, '!=', ''));
    const conditions = [...absent, ...own];
    for (const whole of wholes) {
      sources.push({ matchers: [...whole, ...conditions], serviceLabels: [label] });
    }
    absent.push(createMatcher(label, '=', ''));
  }
  const isUnknown = ofServices.every(({ matches }) => matches(unknownService));
  for (const whole of isUnknown ? wholes : []) {
    sources.push({ matchers: [...whole, ...absent], serviceLabels: [] });
  }
  return sources;
}

/** Returns the conditions for each label that may contain a span id. */
function spanAlternatives({ ofSpans, others }: SplitMatchers): (readonly LabelMatcher[])[] {
  if (ofSpans.length === 0) return [others];
  const absent: LabelMatcher[] = [];
  return spanSources.map((label) => {
    const own = ofSpans.map(({ operator, value }) => createMatcher(label, operator, value));
    const matchers = [...others, ...absent, ...own];
    absent.push(createMatcher(label, '=', ''));
    return matchers;
  });
}

/**
 * Returns a list of labels such that the first one with a value names the service of a sample.
 * Undefined if the series are too different: groups by command name would then also be split by
 * service and by job.
 */
export function listServiceLabels(series: readonly LabelSet[]): readonly string[] | undefined {
  const [service, job, comm] = serviceSources;
  const without = series.filter((labels) => labelValue(labels, service) === '');
  if (without.length === 0) return [service];
  const others = without.filter((labels) => labelValue(labels, job) === '');
  if (others.length === 0) return [service, job];
  return others.length === series.length ? [service, job, comm] : undefined;
}

/** Returns the name of the service of a series. */
export function serviceName(labels: LabelSet): string {
  for (const name of serviceSources) {
    const value = labelValue(labels, name);
    if (value !== '') return value;
  }
  return unknownService;
}
