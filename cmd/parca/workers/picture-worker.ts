// Thread that draws pictures with the code of the page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { lowerThreadPriority } from '../../../src/base/node/thread-priority.ts';
import { answerQuestions } from '../../../src/base/threads/kept-thread.ts';
import { drawPicture, type PictureQuestion } from '../../../web/picture/draw-picture.ts';
import { Glyphs } from '../../../web/picture/glyphs.ts';
import { TrueTypeFont } from '../../../web/picture/true-type.ts';

const require = createRequire(import.meta.url);

const glyphs = (path: string): Glyphs => new Glyphs(new TrueTypeFont(readFileSync(path)));

lowerThreadPriority('awaited');
const fonts = {
  normal: glyphs(
    require.resolve('@expo-google-fonts/fira-mono/400Regular/FiraMono_400Regular.ttf'),
  ),
  bold: glyphs(require.resolve('@expo-google-fonts/fira-mono/700Bold/FiraMono_700Bold.ttf')),
};
answerQuestions(async (question) => drawPicture(question as PictureQuestion, fonts));
