// Converts speedscope's JSON to pprof, one pprof profile for each profile in the file. Source:
// https://www.speedscope.app/file-format-schema.json
import { inputLimits } from '../../base/input-limits.ts';
import type { ValueType } from '../../model/profile-type.ts';
import {
  type CountMeaning,
  type ImportContext,
  type ImportedProfile,
  plainCounts,
  refuseMeaning,
} from '../reading/imported-profile.ts';
import { JsonValue } from '../reading/json.ts';
import { StackValues } from '../reading/stack-values.ts';
import { wholeNumber } from '../reading/whole-number.ts';
import { PprofWriter } from '../pprof/writer.ts';

const what = 'cannot read speedscope file';
const nanosPerUnit: ReadonlyMap<string, number> = new Map([
  ['nanoseconds', 1],
  ['microseconds', 1e3],
  ['milliseconds', 1e6],
  ['seconds', 1e9],
]);

/**
 * Converts a parsed file to one pprof profile for each profile in it, with the label
 * `profile_name`. Times become nanoseconds.
 *
 * Errors: AppError 'invalid-argument' naming the path in the file.
 */
export function decodeSpeedscope(json: unknown, context: ImportContext): ImportedProfile[] {
  const file = new JsonValue(json, what, '');
  const frames = file.get('shared').get('frames').list();
  return file
    .get('profiles')
    .list()
    .map((profile) => decodeProfile(profile, frames, context));
}

function decodeProfile(
  profile: JsonValue,
  frames: readonly JsonValue[],
  context: ImportContext,
): ImportedProfile {
  const unit = profile.get('unit').textOr('none');
  const isTime = nanosPerUnit.has(unit);
  const isCounted = !isTime && unit !== 'bytes';
  if (!isCounted) refuseMeaning(context, `the unit ${unit} says`);
  const said = context.counts === plainCounts ? undefined : context.counts;
  // Times have units, but the file does not say whether the program was running or waiting.
  const ofTime = said?.sampleType.unit === 'nanoseconds' ? timesOf(said) : undefined;
  const given = isCounted ? said : isTime ? ofTime : undefined;
  const factor = nanosPerUnit.get(unit);
  const writer = new PprofWriter();
  const ids = new FrameLocations(writer, frames);
  const stacks = new StackValues();
  const scale = (value: number): bigint =>
    wholeNumber(value * (factor ?? 1), what) * (given?.factor ?? 1n);
  const type = profile.get('type').text();
  if (type === 'sampled') readSampled(profile, ids, stacks, scale);
  else if (type === 'evented') readEvented(profile, ids, stacks, scale);
  else throw profile.get('type').fail(`is ${JSON.stringify(type)}, not sampled or evented`);
  stacks.writeTo(writer);
  const length = profile.get('endValue').numberOr(0) - profile.get('startValue').numberOr(0);
  const { timeNanos, durationNanos } = context;
  const pprof = writer.finish({
    sampleTypes: [given?.sampleType ?? toValueType(unit)],
    periodType: given?.periodType,
    period: given?.period,
    timeNanos,
    durationNanos:
      durationNanos === 0n && factor !== undefined && length > 0 ? scale(length) : durationNanos,
  });
  const name = profile.get('name').textOr('');
  return {
    name: given?.name ?? (isTime ? 'process_cpu' : isCounted ? 'speedscope' : 'memory'),
    labels: name === '' ? [] : [{ name: 'profile_name', value: name }],
    pprof,
  };
}

/** Returns the meaning of the times in a file if the sender says that counts are periods. */
function timesOf({ name, sampleType, periodType }: CountMeaning): CountMeaning {
  return { name, sampleType, factor: 1n, ...(periodType !== undefined && { periodType }) };
}

function toValueType(unit: string): ValueType {
  if (nanosPerUnit.has(unit)) return { type: 'cpu', unit: 'nanoseconds' };
  return unit === 'bytes' ? { type: 'space', unit: 'bytes' } : { type: 'samples', unit: 'count' };
}

type Scale = (value: number) => bigint;

function readSampled(
  profile: JsonValue,
  ids: FrameLocations,
  stacks: StackValues,
  scale: Scale,
): void {
  const weights = profile.has('weights') ? profile.get('weights').list() : undefined;
  const samples = profile.get('samples').list();
  if (weights !== undefined && weights.length !== samples.length) {
    throw profile.get('weights').fail(`has ${weights.length} entries, not ${samples.length}`);
  }
  samples.forEach((sample, i) => {
    const path = sample.list();
    if (path.length > inputLimits.stackDepth) throw sample.failDeep('has more than');
    let node = 0;
    for (const frame of path) node = stacks.child(node, ids.intern(frame));
    stacks.add(node, scale(weights === undefined ? 1 : weights[i].number()));
  });
}

/** Adds the time between two events to the stack that was current between them. */
function readEvented(
  profile: JsonValue,
  ids: FrameLocations,
  stacks: StackValues,
  scale: Scale,
): void {
  let node = 0;
  let depth = 0;
  let last: number | undefined;
  for (const event of profile.get('events').list()) {
    const at = event.get('at').number();
    if (last !== undefined && at < last) throw event.get('at').fail('is before the last event');
    stacks.add(node, scale(at) - scale(last ?? at));
    last = at;
    const location = ids.intern(event.get('frame'));
    const type = event.get('type').text();
    if (type === 'O') {
      node = stacks.child(node, location);
      depth += 1;
      if (depth > inputLimits.stackDepth) throw event.failDeep('opens more than');
    } else if (type === 'C') {
      if (node === 0 || stacks.frame(node) !== location) {
        throw event.fail('closes a frame that is not the innermost open one');
      }
      node = stacks.parent(node);
      depth -= 1;
    } else throw event.get('type').fail(`is ${JSON.stringify(type)}, not O or C`);
  }
  if (node !== 0) throw profile.get('events').fail('leaves frames open');
}

/** Locations of the file's frames, by index. */
class FrameLocations {
  readonly #writer: PprofWriter;
  readonly #frames: readonly JsonValue[];
  readonly #ids: number[] = [];

  constructor(writer: PprofWriter, frames: readonly JsonValue[]) {
    this.#writer = writer;
    this.#frames = frames;
  }

  intern(index: JsonValue): number {
    const position = index.index(this.#frames.length);
    return (this.#ids[position] ??= this.#location(this.#frames[position]));
  }

  #location(frame: JsonValue): number {
    return this.#writer.frame({
      name: frame.get('name').text(),
      file: frame.get('file').textOr(''),
      line: positive(frame.get('line')),
      column: positive(frame.get('col')),
    });
  }
}

function positive(value: JsonValue): number {
  const number = value.numberOr(0);
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : 0;
}
