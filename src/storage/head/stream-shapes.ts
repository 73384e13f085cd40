// The distinct shapes of streams: what a stream's key says beside its labels.
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import { shapeText, type Shape } from '../series/shape.ts';
import { profileTypesOf } from '../series/stream-key.ts';

/** A key without labels, and what follows from it. */
export interface StreamShape extends Shape {
  /** One for each sample type, and as text. */
  readonly types: readonly ProfileType[];
  readonly typeTexts: readonly string[];
}

/** About what V8 needs for a shape of one sample type, and for each further one. */
const shapeBytes = 600;
const typeBytes = 500;

/** Shapes by number, from 0. There are as many as there are kinds of profiles: a few. */
export class StreamShapes {
  readonly #shapes: StreamShape[] = [];
  readonly #numbers = new Map<string, number>();
  /** Bytes of memory taken, about. */
  usedBytes = 0;

  /** The number of a key's shape, added when it is new. */
  intern(key: Shape): number {
    const text = shapeText(key);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#shapes.push(shapeOf(key)) - 1;
    this.#numbers.set(text, number);
    this.usedBytes += shapeBytes + typeBytes * key.sampleTypes.length;
    return number;
  }

  /** The number of a key's shape, -1 when it is not there. */
  find(key: Shape): number {
    return this.#numbers.get(shapeText(key)) ?? -1;
  }

  get(number: number): StreamShape {
    return this.#shapes[number];
  }
}

/** A copy: the caller's arrays may be reused. */
function shapeOf({ name, delta, periodType, sampleTypes }: Shape): StreamShape {
  const shape = {
    name,
    sampleTypes: sampleTypes.map(({ type, unit }) => ({ type, unit })),
    periodType: { type: periodType.type, unit: periodType.unit },
    delta,
  };
  const types = profileTypesOf(shape);
  return { ...shape, types, typeTexts: types.map(formatProfileType) };
}
