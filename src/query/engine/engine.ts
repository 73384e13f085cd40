// The query engine: answers every query of the API from the store.
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { errorCode } from '../../base/errors.ts';
import { noMetrics, type Counter, type Histogram, type Metrics } from '../../base/metrics.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { Querier, TimeRange } from '../../storage/interface.ts';
import type { QueryContext } from '../running/context.ts';
import { answerFunctions } from '../functions/functions-answer.ts';
import type {
  EncodedReport,
  FunctionsAnswer,
  FunctionsQuestion,
  LabelCounts,
  LabelQuestion,
  LabelSets,
  LabelValueCounts,
  LargestFunctions,
  LargestQuestion,
  NearestData,
  NearestQuestion,
  QueryCaller,
  QueryEngine,
  RangeAnswer,
  RangeQuestion,
  Report,
  ReportEncoding,
  ReportQuestion,
  SamplesAnswer,
  SamplesQuestion,
  UsersAnswer,
  UsersQuestion,
} from '../interface.ts';
import { missingSentences } from '../notes/missing.ts';
import { BucketStates } from '../functions/known-buckets.ts';
import { answerUsers } from '../range/users-answer.ts';
import { answerLargest, findLargestFunctions } from '../functions/largest-functions.ts';
import { listLabelSets } from '../labels/label-sets.ts';
import {
  countLabels,
  countLabelValues,
  listLabelNames,
  listLabelValues,
} from '../labels/label-counts.ts';
import { findNearestData } from '../labels/nearest-data.ts';
import { planReport } from '../plan/plan.ts';
import { answerRange } from '../range/range-answer.ts';
import { answerSamples } from '../range/samples-answer.ts';
import { ReportAnswerer } from '../report/report-answer.ts';
import type { ReportMaking } from '../report/report-thread.ts';
import { endingWith } from '../running/ending-querier.ts';
import { noRunLimits, RunningQueries, type QueryName } from '../running/running-queries.ts';
import { checkRange, resolveLabelQuestion, wholeHistory } from '../plan/select.ts';

export interface QueryEngineParts {
  readonly querier: Querier;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Thread that makes encoded reports. Without it, the engine cannot make encoded reports. */
  readonly reportThread?: ReportMaking;
  /** Lists and limits running queries; if absent, the engine does neither. */
  readonly queries?: RunningQueries;
  /** Maximum size of the cache of merges in bytes; 0 if absent. */
  readonly mergeCacheBytesMax?: number;
  /**
   * True if merges keep numbers of samples. If false, these numbers are converted to time, as in
   * Parca.
   */
  readonly keepsCounts?: boolean;
}

/** Creates the engine. */
export function createQueryEngine(parts: QueryEngineParts): QueryEngine {
  return new Engine(parts);
}

/** Buckets of query times, in seconds. */
const secondsBuckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

class Engine implements QueryEngine {
  readonly #querier: Querier;
  readonly #bucketStates: BucketStates;
  readonly #reports: ReportAnswerer;
  readonly #thread: ReportMaking | undefined;
  readonly #clock: Clock;
  readonly #queries: RunningQueries;
  readonly #seconds: Histogram;
  readonly #failures: Counter;

  constructor(parts: QueryEngineParts) {
    const { querier, metrics, clock, queries } = parts;
    this.#querier = querier;
    this.#bucketStates = new BucketStates(querier, String(clock.nowNanos()));
    const { mergeCacheBytesMax = 0, keepsCounts = false, reportThread } = parts;
    const expect = (dictionary: Dictionary): void => reportThread?.expect?.(dictionary);
    const options = { onDictionary: expect, keepsCounts };
    this.#reports = new ReportAnswerer(querier, mergeCacheBytesMax, options);
    this.#thread = reportThread;
    this.#clock = clock;
    this.#queries = queries ?? new RunningQueries(clock, noMetrics, noRunLimits);
    this.#seconds = metrics.histogram(
      'parca_query_duration_seconds',
      'Time to answer a query, by kind.',
      secondsBuckets,
      ['kind'],
    );
    this.#failures = metrics.counter(
      'parca_query_failures_total',
      'Queries that were not answered, by kind and error code.',
      ['kind', 'code'],
    );
  }

  profileTypes(range: TimeRange | undefined, caller: QueryCaller): Promise<ProfileType[]> {
    return this.#measure({ kind: 'profile_types', text: '' }, caller, async ({ signal }) => {
      if (range !== undefined) checkRange(range);
      return this.#querier.profileTypes(range ?? wholeHistory, [], signal);
    });
  }

  missingIn(range: TimeRange | undefined): readonly string[] {
    return missingSentences(this.#querier.missingIn?.(range ?? wholeHistory) ?? []);
  }

  labelNames(question: LabelQuestion, caller: QueryCaller): Promise<string[]> {
    return this.#measure(labelQuery('labels', question), caller, async ({ signal }) => {
      const querier = endingWith(this.#querier, signal);
      const queries = await resolveLabelQuestion(question, querier);
      return listLabelNames(queries, querier, signal);
    });
  }

  labelValues(name: string, question: LabelQuestion, caller: QueryCaller): Promise<string[]> {
    return this.#measure(labelQuery('label_values', question), caller, async ({ signal }) => {
      const querier = endingWith(this.#querier, signal);
      const queries = await resolveLabelQuestion(question, querier);
      return listLabelValues(name, queries, querier, signal);
    });
  }

  labelSets(question: LabelQuestion, caller: QueryCaller): Promise<LabelSets> {
    return this.#measure(labelQuery('series', question), caller, (context) =>
      listLabelSets(question, endingWith(this.#querier, context.signal), context),
    );
  }

  countLabels(question: LabelQuestion, caller: QueryCaller): Promise<LabelCounts> {
    return this.#measure(labelQuery('label_counts', question), caller, (context) =>
      countLabels(question, endingWith(this.#querier, context.signal), context),
    );
  }

  countLabelValues(
    name: string,
    question: LabelQuestion,
    caller: QueryCaller,
  ): Promise<LabelValueCounts> {
    return this.#measure(labelQuery('label_value_counts', question), caller, (context) =>
      countLabelValues(name, question, endingWith(this.#querier, context.signal), context),
    );
  }

  queryFunctions(question: FunctionsQuestion, caller: QueryCaller): Promise<FunctionsAnswer> {
    return this.#measure({ kind: 'functions', text: question.query }, caller, (context) =>
      answerFunctions(
        question,
        endingWith(context.recorder ?? this.#querier, context.signal),
        this.#reports,
        () => findLargestFunctions(question, this.#reports, this.#thread, context),
        this.#bucketStates,
        context,
      ),
    );
  }

  largestFunctions(question: LargestQuestion, caller: QueryCaller): Promise<LargestFunctions> {
    return this.#measure({ kind: 'largest_functions', text: question.query }, caller, (context) =>
      answerLargest(question, this.#reports, this.#thread, context),
    );
  }

  users(question: UsersQuestion, caller: QueryCaller): Promise<UsersAnswer> {
    return this.#measure({ kind: 'users', text: question.query }, caller, (context) =>
      answerUsers(question, endingWith(context.recorder ?? this.#querier, context.signal), context),
    );
  }

  querySamples(question: SamplesQuestion, caller: QueryCaller): Promise<SamplesAnswer> {
    return this.#measure({ kind: 'samples', text: question.query }, caller, (context) =>
      answerSamples(
        question,
        endingWith(context.recorder ?? this.#querier, context.signal),
        context,
      ),
    );
  }

  nearestData(question: NearestQuestion, caller: QueryCaller): Promise<NearestData> {
    return this.#measure({ kind: 'nearest', text: question.query }, caller, (context) =>
      findNearestData(question, endingWith(this.#querier, context.signal), context),
    );
  }

  hasProfileData(): Promise<boolean> {
    return this.#querier.hasData();
  }

  queryRange(question: RangeQuestion, caller: QueryCaller): Promise<RangeAnswer> {
    return this.#measure({ kind: 'range', text: question.query }, caller, (context) =>
      answerRange(question, endingWith(context.recorder ?? this.#querier, context.signal), context),
    );
  }

  report(question: ReportQuestion, caller: QueryCaller): Promise<Report> {
    const name = { kind: question.report, text: formatSelection(question.select) };
    return this.#measure(name, caller, (context) =>
      this.#reports.answer(planReport(question), context),
    );
  }

  encodedReport(
    question: ReportQuestion,
    encoding: ReportEncoding,
    caller: QueryCaller,
  ): Promise<EncodedReport> {
    const thread = this.#thread;
    assert(thread !== undefined, 'there is an encoder');
    const name = { kind: question.report, text: formatSelection(question.select) };
    return this.#measure(name, caller, async (context) => {
      const plan = planReport(question);
      const merges = await this.#reports.merge(plan, context);
      return thread.make(plan.build, merges, encoding, context);
    });
  }

  async #measure<T>(
    name: QueryName,
    caller: QueryCaller,
    answer: (context: QueryContext) => Promise<T>,
  ): Promise<T> {
    const start = this.#clock.monotonicMillis();
    try {
      return await this.#queries.run(name, caller, answer);
    } catch (error) {
      this.#failures.add(1, { kind: name.kind, code: errorCode(error) });
      throw error;
    } finally {
      this.#seconds.observe((this.#clock.monotonicMillis() - start) / 1000, { kind: name.kind });
    }
  }
}

function labelQuery(kind: string, { match, profileType }: LabelQuestion): QueryName {
  return { kind, text: [profileType, ...match].filter((text) => text !== '').join(' ') };
}

function formatSelection(select: ReportQuestion['select']): string {
  if (select.mode !== 'diff') return select.query;
  const { base, compared } = select;
  if (base === undefined) return compared.query;
  return base.query === compared.query ? base.query : `${base.query} - ${compared.query}`;
}
