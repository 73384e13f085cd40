// Provides actions on the visible data: copying a link or Markdown, and saving files, pictures and
// the offline page.
import { selectionSentence } from '../answers/selection-sentence.ts';
import { useChangesOptions } from '../answers/use-changes.ts';
import type { Explore } from '../answers/use-explore.ts';
import { shownScene } from '../canvas/shown-scene.ts';
import { formatHeadline } from '../icicle/headline.ts';
import { isDiff } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { copyText } from '../page/copy-text.ts';
import { useSideWords } from '../page/hooks.ts';
import { askChanges, sentenceText } from '../rpc/changes.ts';
import { localBase } from '../rpc/local.ts';
import { describeRange, fixedRange } from '../url/time-range.ts';
import { exportBytes, exportFormats, saveFile } from './export-files.ts';
import { nameOfView } from './file-names.ts';
import { formatMarkdown } from './markdown.ts';
import { saveOfflinePage } from './offline-page.ts';
import { drawPng, drawSvg } from './picture.ts';

/**
 * An action; `run` returns the message to show afterwards. Errors: those of the server and the
 * browser.
 */
export interface ShareAction {
  readonly name: string;
  readonly hint?: string;
  readonly run: () => Promise<string>;
}

/** Returns the link to the visible data, and the actions. */
export function useShareActions(explore: Explore) {
  const { base, api, url } = useApp();
  const { state, route } = usePlace();
  const { query, selectedSpan } = explore;
  const frozen = {
    ...state,
    query,
    selection: undefined,
    refresh: 0,
    ...fixedRange(selectedSpan.from, selectedSpan.to),
  };
  const link = new URL(url.formatHref(route, frozen), location.href).href;
  const range = describeRange(fixedRange(selectedSpan.from, selectedSpan.to), true);
  const sides = useSideWords(query);
  const name = nameOfView(query, selectedSpan, isDiff(query) ? sides : undefined);
  const askSentence = useSentence(explore);
  const makeMarkdown = useMarkdown(explore, { range, link, askSentence });
  const isFile = base === localBase;
  const picture = (kind: 'png' | 'svg'): ShareAction => ({
    name: kind.toUpperCase(),
    run: async () => {
      const scene = shownScene();
      if (scene === undefined) throw new Error('there is no picture yet');
      saveFile(`${name}.${kind}`, kind === 'png' ? await drawPng(scene) : drawSvg(scene));
      return `Saved ${kind.toUpperCase()}`;
    },
  });
  const markdown: ShareAction = {
    name: 'Copy as Markdown',
    run: async () => {
      await copyText(await makeMarkdown());
      return 'Copied as Markdown';
    },
  };
  const copyLink: ShareAction = {
    name: 'Copy link to this view',
    run: async () => {
      if (isFile) return 'Files stay in this browser: save a page to give away instead';
      await copyText(link);
      return 'Copied link';
    },
  };
  const offline: ShareAction = {
    name: 'Offline page',
    hint: 'One file with the page and the data, which opens without a server',
    run: async () => {
      const sentence = await askSentence();
      const saved = new Date()
        .toISOString()
        .replace(/:\d+\.\d+Z$/, ' UTC')
        .replace('T', ' ');
      const facts = { query, range: `${range} UTC`, saved, link: isFile ? '' : link, sentence };
      await saveOfflinePage({ base, api, explore, state: frozen, sides, facts, name });
      return `Saved ${name}.html`;
    },
  };
  const exports = exportFormats.map(([format, label, ending]): ShareAction => ({
    name: label,
    run: async () => {
      const bytes = await exportBytes(base, query, selectedSpan, format);
      saveFile(`${name}.${ending}`, new Blob([bytes]));
      return `Saved ${name}.${ending}`;
    },
  }));
  const files = [...exports, picture('png'), picture('svg'), offline];
  return { link, isFile, copyLink, markdown, files };
}

interface MarkdownParts {
  readonly range: string;
  readonly link: string;
  readonly askSentence: () => Promise<string>;
}

/** Returns a function that requests the sentence about a comparison or a selection. */
function useSentence(explore: Explore): () => Promise<string> {
  const { base, trees } = useApp();
  const { query, selectedSpan } = explore;
  const sides = useSideWords(query);
  const options = useChangesOptions(explore);
  return async () => {
    const asking = new AbortController();
    if (!isDiff(query)) {
      const table = await trees.functions({ base, query, span: selectedSpan }, asking);
      return selectionSentence(table, explore)
        .map(({ text }) => text)
        .join('');
    }
    const changes = await askChanges(base, query, selectedSpan, options, asking);
    return sentenceText(changes.sentence ?? [], sides);
  };
}

/** Returns a function that formats the visible data as Markdown. */
function useMarkdown(
  explore: Explore,
  { range, link, askSentence }: MarkdownParts,
): () => Promise<string> {
  const { base, trees } = useApp();
  const { query, selectedSpan, measure } = explore;
  const sides = useSideWords(query);
  return async () => {
    const { signal } = new AbortController();
    const table = await trees.functions({ base, query, span: selectedSpan }, { signal });
    const sentence = await askSentence();
    const headline = formatHeadline(explore);
    return formatMarkdown(table, { query, range, headline, sentence, measure, sides, link });
  };
}
