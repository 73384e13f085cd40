// Arranges the zoom trail: how many of its frames are named, and how long the names may be.

/** Most frames that are named; those between them are counted. */
const namedMax = 4;
/** Characters of a name: no shorter if another frame could be left out, and no longer. */
const nameWished = 16;
const nameMin = 6;
const nameMax = 40;

/** Room of the other parts, in characters of a name. */
const rooms = { all: 5, reset: 10, gap: 4, step: 4 };

export interface TrailSteps {
  /** Number of the last frames that are named after the first one, or instead of it. */
  readonly last: number;
  readonly hasFirst: boolean;
  readonly hasReset: boolean;
  /** Most characters of each name. */
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
    // The button "All" does the same as "Reset".
    if (named === 1) {
      const rest = Math.max(nameMin, Math.min(nameMax, free));
      return { last, hasFirst, hasReset: false, nameRoom: rest };
    }
  }
  return { last: 0, hasFirst: false, hasReset: true, nameRoom: nameMin };
}
