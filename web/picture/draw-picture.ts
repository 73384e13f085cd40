// Draws an answer of the server as a PNG without a browser: lines of text, the page's graph, and a
// legend.
import { AppError } from '../../src/base/errors.ts';
import { assignHues, autoGrouping, lightPalette } from '../src/canvas/colours.ts';
import { FramePainter, rowHeightCss, type Scene } from '../src/canvas/frame-painter.ts';
import { wholeView } from '../src/canvas/view.ts';
import { formatRate, formatSamples, parseMeasure } from '../src/format/measure.ts';
import { queryResponse } from '../src/rpc/messages.gen.ts';
import { decode } from '../src/rpc/protobuf.ts';
import { answeredTree } from '../src/tree/answered-tree.ts';
import { answerSteps } from '../src/tree/answer-steps.ts';
import type { AnsweredTree } from '../src/tree/tree-messages.ts';
import { TreeTexts } from '../src/tree/tree-texts.ts';
import { depthCount } from '../src/tree/tree.ts';
import { legendHeightCss, paintLegend } from './legend.ts';
import { factLinesMax, pictureLevelsMax, titleLinesMax } from './limits.ts';
import { type Fonts, PixelContext } from './pixel-context.ts';
import { encodePng } from './png.ts';
import { wrapText } from './wrap-text.ts';

/** Answer to draw, with the texts around it. */
export interface PictureQuestion {
  /** A QueryResponse with a flame graph, which is drawn as a comparison if it has a base. */
  readonly answer: Uint8Array;
  /** Quantity that is made equal on both sides; see BaseScale of the server. */
  readonly scale: 'seconds' | 'load' | 'total';
  /** True if values are the increase of a counter. */
  readonly isIncrease: boolean;
  /** Sentence above the graph. */
  readonly title: string;
  /** Texts below the title: what is compared, and when. */
  readonly facts: readonly string[];
  /** Text below the graph. */
  readonly foot: string;
}

/** Width in CSS pixels; e-mails are read in windows that are not much wider. */
const widthCss = 1_000;
/** Device pixels for each CSS pixel. */
const ratio = 2;
const marginCss = 16;
const titleCss = 15;
const titleLineCss = 21;
const factCss = 12;
const factLineCss = 18;
const gapCss = 10;
const greyText = '#5A6270';

/** A line of text. */
interface TextLine {
  readonly text: string;
  readonly colour: string;
  readonly font: string;
  /** Size of letters, and height of a line, in CSS pixels. */
  readonly lineCss: number;
}

/** Draws a picture. Errors: AppError 'not-found' if the answer has no values to draw. */
export function drawPicture(question: PictureQuestion, fonts: Fonts): Uint8Array<ArrayBuffer> {
  const { answer, scale, isIncrease } = question;
  const response = decode(queryResponse, answer);
  const hasBase = (response.base?.total ?? 0n) > 0n;
  if (response.total <= 0n && !hasBase) {
    throw new AppError('not-found', 'cannot draw a picture: there are no profiles');
  }
  const options = { order: 'name', scale, isDiff: hasBase, own: undefined } as const;
  const tree = answeredTree(response, options);
  const measure = parseMeasure(tree.profileTypes[0] ?? '', isIncrease);
  const steps = answerSteps(tree, measure.delta && measure.sampled);
  const levels = Math.min(depthCount(tree), pictureLevelsMax);
  const hidden = depthCount(tree) - levels;
  const [now, before] = [
    formatRate(tree.total, measure, tree.coverage),
    tree.baseSide && formatRate(tree.baseSide.total, measure, tree.baseSide.coverage),
  ];
  const samples = formatSamples(tree.coverage, measure);
  const amounts = [before && `before ${before}`, now && `now ${now}`, samples];
  const head = [
    ...lines(question.title, { bold: true, colour: lightPalette.text, linesMax: titleLinesMax }),
    ...[...question.facts, amounts.filter((part) => part !== undefined).join(', ')].flatMap(
      (fact) => lines(fact, { bold: false, colour: greyText, linesMax: factLinesMax }),
    ),
  ];
  const below = hidden > 0 ? `${hidden} deeper levels are left out. ` : '';
  const foot = lines(`${below}${question.foot}`, { bold: false, colour: greyText, linesMax: 1 });
  return paint(toScene(tree, steps), { head, foot, levels, hasLegend: hasBase }, fonts);
}

interface Parts {
  readonly head: readonly TextLine[];
  readonly foot: readonly TextLine[];
  readonly levels: number;
  readonly hasLegend: boolean;
}

function paint(
  scene: Scene,
  { head, foot, levels, hasLegend }: Parts,
  fonts: Fonts,
): Uint8Array<ArrayBuffer> {
  const height = (texts: readonly TextLine[]): number =>
    texts.reduce((sum, { lineCss }) => sum + lineCss, 0);
  const graphTop = marginCss + height(head) + gapCss;
  const graphBottom = graphTop + levels * rowHeightCss + gapCss;
  const footTop = graphBottom + (hasLegend ? legendHeightCss : 0);
  const size = {
    width: widthCss * ratio,
    height: (footTop + height(foot) + marginCss) * ratio,
  };
  const context = new PixelContext(size, fonts);
  context.fillStyle = lightPalette.background;
  context.fillRect(0, 0, size.width, size.height);
  paintLines(context, head, marginCss);
  const graph = context.part({
    left: marginCss * ratio,
    top: graphTop * ratio,
    width: (widthCss - 2 * marginCss) * ratio,
    height: levels * rowHeightCss * ratio,
  });
  new FramePainter(graph, ratio, (stripes) => stripes).paint(scene, 0);
  if (hasLegend) paintLegend(context, { left: marginCss, top: graphBottom }, ratio);
  paintLines(context, foot, footTop);
  return encodePng(context.pixels, size, ratio);
}

function paintLines(context: PixelContext, texts: readonly TextLine[], topCss: number): void {
  let top = topCss;
  for (const { text, colour, font, lineCss } of texts) {
    context.font = font;
    context.fillStyle = colour;
    context.fillText(text, marginCss * ratio, (top + lineCss / 2) * ratio);
    top += lineCss;
  }
}

interface LineStyle {
  readonly bold: boolean;
  readonly colour: string;
  readonly linesMax: number;
}

function lines(text: string, { bold, colour, linesMax }: LineStyle): TextLine[] {
  const sizeCss = bold ? titleCss : factCss;
  // In both weights, the width of each character is 0.6 of the font's size.
  const room = Math.floor((widthCss - 2 * marginCss) / (sizeCss * 0.6));
  const font = `${bold ? 'bold' : 'normal'} ${sizeCss * ratio}px monospace`;
  const lineCss = bold ? titleLineCss : factLineCss;
  return wrapText(text, room, linesMax).map((line) => ({ text: line, colour, font, lineCss }));
}

function toScene(tree: AnsweredTree, steps: Int8Array | undefined): Scene {
  const grouping = tree.groups[autoGrouping(tree.groups)];
  const hues = assignHues(grouping, lightPalette.hues.length);
  return {
    tree,
    view: wholeView,
    palette: lightPalette,
    hueOfName: Int32Array.from(grouping.ofName, (group) => hues[group]),
    steps,
    hit: undefined,
    highlightedNames: undefined,
    zoomRow: 0,
    isFlipped: false,
    hiddenDepths: 0,
    nameAt: new TreeTexts(tree).name,
  };
}
