// The methods of QuerierService for types and labels.
import { querier, types } from '../../../../proto/gen/pyroscope.js';
import { AppError } from '../../../base/errors.ts';
import { querySliceMillis } from '../../../base/limits.ts';
import { Pacer, stoppablePacer } from '../../../base/pacer.ts';
import { type LabelSet, labelSetKey } from '../../../model/labels.ts';
import type { ProfileType } from '../../../model/profile-type.ts';
import { inSlices } from '../../transport/call/encode-slices.ts';
import { decodeRequest } from '../../transport/call/message.ts';
import type { CallContext, UnaryMethod } from '../../transport/call/method.ts';
import type { QuerierParts } from './ask.ts';
import { invalid, labelRange } from './request.ts';
import { parsePyroscopeSelector } from './selector.ts';

const messages = querier.v1;

/** Returns the methods ProfileTypes, LabelNames, LabelValues and Series. */
export function labelMethods(parts: QuerierParts): UnaryMethod[] {
  const handlers = {
    ProfileTypes: profileTypes,
    LabelNames: labelNames,
    LabelValues: labelValues,
    Series: series,
  };
  return Object.entries(handlers).map(([name, handle]) => ({
    path: `/querier.v1.QuerierService/${name}`,
    kind: 'unary',
    handle: (bytes, context) => handle(parts, bytes, context),
  }));
}

async function profileTypes(
  { engine, clock }: QuerierParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { start, end } = decodeRequest(messages.ProfileTypesRequest, bytes);
  const range = labelRange(start, end, clock.nowMillis());
  const found = await engine.profileTypes(range, context);
  const missing = found.length === 0 ? engine.missingIn(range) : [];
  // Clients would take an empty list to mean that the server has no profiles.
  if (missing.length > 0) {
    throw new AppError('unavailable', `cannot list profile types: ${missing.join('; ')}`);
  }
  return messages.ProfileTypesResponse.encode({ profileTypes: found.map(wireType) }).finish();
}

function wireType({ name, sample, period }: ProfileType): types.v1.ProfileType.$Properties {
  return {
    ID: [name, sample.type, sample.unit, period.type, period.unit].join(':'),
    name,
    sampleType: sample.type,
    sampleUnit: sample.unit,
    periodType: period.type,
    periodUnit: period.unit,
  };
}

/** Returns the selectors of a label request in our query language. */
function parseMatchers(matchers: readonly string[]): string[] {
  return matchers.map((text) => `{${parsePyroscopeSelector(text).conditions.join(', ')}}`);
}

async function labelNames(
  { engine, clock }: QuerierParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { matchers, start, end } = decodeRequest(types.v1.LabelNamesRequest, bytes);
  const range = labelRange(start, end, clock.nowMillis());
  const question = { match: parseMatchers(matchers), profileType: '', range };
  const names = await engine.labelNames(question, context);
  return inSlices(names, clock, context, (some) =>
    types.v1.LabelNamesResponse.encode({ names: some }).finish(),
  );
}

async function labelValues(
  { engine, clock }: QuerierParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const { name, matchers, start, end } = decodeRequest(types.v1.LabelValuesRequest, bytes);
  if (name === '') throw invalid('name: cannot be blank');
  const range = labelRange(start, end, clock.nowMillis());
  const question = { match: parseMatchers(matchers), profileType: '', range };
  const names = await engine.labelValues(name, question, context);
  return inSlices(names, clock, context, (some) =>
    types.v1.LabelValuesResponse.encode({ names: some }).finish(),
  );
}

async function series(
  { engine, clock }: QuerierParts,
  bytes: Uint8Array,
  context: CallContext,
): Promise<Uint8Array> {
  const request = decodeRequest(messages.SeriesRequest, bytes);
  const { matchers, labelNames: names, start, end } = request;
  const range = labelRange(start, end, clock.nowMillis());
  const question = { match: parseMatchers(matchers), profileType: '', range };
  const { labelSets } = await engine.labelSets(question, context);
  const asked = new Set(names);
  const distinct = new Map<string, LabelSet>();
  const pacer = stoppablePacer(new Pacer(clock, querySliceMillis), context.signal);
  for (const labels of labelSets) {
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
    const shown = asked.size === 0 ? labels : labels.filter(({ name }) => asked.has(name));
    if (shown.length > 0) distinct.set(labelSetKey(shown), shown);
  }
  return inSlices([...distinct.values()], clock, context, (some) => {
    const labelsSet = some.map((labels) => ({ labels: wireLabels(labels) }));
    return messages.SeriesResponse.encode({ labelsSet }).finish();
  });
}

/** Converts labels for a message. */
export function wireLabels(labels: LabelSet): types.v1.LabelPair.$Properties[] {
  return labels.map(({ name, value }) => ({ name, value }));
}
