// Arranges the zoom trail: which frames are named, and how long the names may be.

/** Maximum number of named frames; the frames between them are only counted. */
const namedMax = 4;
/**
 * Preferred number of characters of a name. Names become shorter only if no more frames can be left
 * out.
 */
const nameWished = 16;
const nameMin = 6;
const nameMax = 40;

/** Width of the other parts, in characters of a name. */
const rooms = { all: 5, reset: 10, gap: 4, step: 4 };

export interface TrailSteps {
  /** Number of frames at the end that are named, in addition to or instead of the first frame. */
  readonly last: number;
  readonly hasFirst: boolean;
  readonly hasReset: boolean;
  /** Largest number of characters of each name. */
  readonly nameRoom: number;
}

/** Arranges `length` frames in a line of `room` characters; the last frame is always named. */
export function arrangeTrail(length: number, room: number): TrailSteps {
  for (let named = Math.min(namedMax, length); named > 0; named -= 1) {
    const gap = named < length ? rooms.gap : 0;
    const free = room - rooms.all - gap - named * rooms.step;
    const nameRoom = Math.floor((free - rooms.reset) / named);
    const hasFirst = named > 1;
    const last = hasFirst ? named - 1 : named;
    if (nameRoom >= nameWished) {
      return { last, hasFirst, hasReset: true, nameRoom: Math.min(nameMax, nameRoom) };
    }
    // The button "All" would do the same as "Reset".
    if (named === 1) {
      const rest = Math.max(nameMin, Math.min(nameMax, free));
      return { last, hasFirst, hasReset: false, nameRoom: rest };
    }
  }
  return { last: 0, hasFirst: false, hasReset: true, nameRoom: nameMin };
}
