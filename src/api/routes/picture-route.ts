// GET /api/v1/picture: the flame graph of a comparison, as the page draws it, as a PNG.
import { AppError } from '../../base/errors.ts';
import type { DrawPicture } from '../../query/interface.ts';
import { readSides, sideNames } from './changes.ts';
import type { InsightPath } from './insight-calls.ts';
import { readChoice, readParameters, readQueryText } from '../transport/http/parameters.ts';

/** Stands in for a drawer on a server without one. */
export const noPictures: DrawPicture = () => {
  throw new AppError('unimplemented', 'cannot draw a picture: this server draws none');
};

/** Returns the path. */
export function pictureCall(draw: () => DrawPicture): InsightPath {
  return {
    path: '/api/v1/picture',
    name: 'Picture',
    type: 'image/png',
    answer: ({ url, nowMillis, caller }) => {
      const given = readParameters(url, [...sideNames, 'normalize', 'title']);
      const { compared, base } = readSides(given, nowMillis);
      const baseScale = readChoice(given, 'normalize', ['time', 'total', 'load']);
      const title = given.get('title') ?? readQueryText(given);
      return draw()(
        { select: { mode: 'diff', compared, base, baseScale }, title, foot: '' },
        caller,
      );
    },
  };
}
