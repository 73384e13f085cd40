// The panel of Share: a link that shows the same at any time, files of the visible data, Markdown.
import { type ReactNode, useState } from 'react';
import { selectionSentence } from '../answers/selection-sentence.ts';
import { useChangesOptions } from '../answers/use-changes.ts';
import type { Explore } from '../answers/use-explore.ts';
import { shownScene } from '../canvas/shown-scene.ts';
import { formatHeadline } from '../icicle/headline.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useFacts } from '../page/facts.ts';
import { useSideWords } from '../page/hooks.ts';
import { isDiff } from '../language/query-text.ts';
import { askChanges, sentenceText } from '../rpc/changes.ts';
import { localBase } from '../rpc/local.ts';
import { describeRange, fixedRange } from '../url/time-range.ts';
import { exportBytes, exportFormats, saveFile } from './export-files.ts';
import { formatMarkdown } from './markdown.ts';
import { nameOfView } from './file-names.ts';
import { saveOfflinePage } from './offline-page.ts';
import { drawPng, drawSvg } from './picture.ts';
import '../styles/pages.css';

/** Length above which some programs cut a link. */
const linkLengthMax = 2_000;

/** The panel. */
export function SharePanel({ explore }: { readonly explore: Explore }) {
  const { base, api, url } = useApp();
  const { state, route } = usePlace();
  const { isSharing } = useFacts();
  const [said, setSaid] = useState('');
  const [copyLink, setCopyLink] = useState('');
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

  /** Runs an action, and shows its result, or why it failed. */
  const act = async (what: string, work: () => Promise<unknown>) => {
    setSaid('');
    try {
      await work();
      setSaid(what);
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
    }
  };
  const copy = (text: string, what: string) =>
    act(`Copied ${what}`, () => navigator.clipboard.writeText(text));
  const storeCopy = () =>
    act('A copy is stored', async () => {
      const stored = await api.share(query, selectedSpan, AbortSignal.timeout(60_000));
      setCopyLink(pageOfCopy(stored));
    });
  const sides = useSideWords(query);
  const name = nameOfView(query, selectedSpan, isDiff(query) ? sides : undefined);
  const askSentence = useSentence(explore);
  const makeMarkdown = useMarkdown(explore, { range, link, askSentence });
  const copyMarkdown = () =>
    act('Copied as Markdown', async () => navigator.clipboard.writeText(await makeMarkdown()));
  const savePicture = (kind: 'png' | 'svg') =>
    act(`Saved ${kind.toUpperCase()}`, async () => {
      const scene = shownScene();
      if (scene === undefined) throw new Error('there is no picture yet');
      saveFile(`${name}.${kind}`, kind === 'png' ? await drawPng(scene) : drawSvg(scene));
    });
  const isFile = base === localBase;
  const saveOffline = async () => {
    const sentence = await askSentence();
    const saved = new Date()
      .toISOString()
      .replace(/:\d+\.\d+Z$/, ' UTC')
      .replace('T', ' ');
    const facts = { query, range: `${range} UTC`, saved, link: isFile ? '' : link, sentence };
    await saveOfflinePage({ base, api, explore, state: frozen, sides, facts, name });
  };
  const isLong = link.length > linkLengthMax;
  return (
    <div className="share-link">
      {isFile ? (
        <p>Files stay in this browser: give away a file or a page instead of a link.</p>
      ) : (
        <Linked label="Link to this view" link={link} onCopy={() => void copy(link, 'link')}>
          {isLong && `It has ${link.length} characters, which some programs cut.`}
        </Linked>
      )}
      {isSharing && !isFile && copyLink === '' && (
        <button type="button" className="button" onClick={() => void storeCopy()}>
          {isLong ? 'Make a short link to a copy' : 'Store a copy that stays'}
        </button>
      )}
      {copyLink !== '' && (
        <Linked
          label="Link to the copy"
          link={copyLink}
          onCopy={() => void copy(copyLink, 'link to the copy')}
        >
          Everybody who may read this server can open it, also when the profiles are gone.
        </Linked>
      )}
      <button type="button" className="button" onClick={() => void copyMarkdown()}>
        Copy as Markdown
      </button>
      <div className="share-formats" role="group" aria-label="Save what is in view">
        {exportFormats.map(([format, label, ending]) => (
          <button
            type="button"
            className="button"
            key={format}
            onClick={() =>
              void act(`Saved ${name}.${ending}`, async () => {
                const bytes = await exportBytes(base, query, selectedSpan, format);
                saveFile(`${name}.${ending}`, new Blob([bytes]));
              })
            }
          >
            {label}
          </button>
        ))}
        <button type="button" className="button" onClick={() => void savePicture('png')}>
          PNG
        </button>
        <button type="button" className="button" onClick={() => void savePicture('svg')}>
          SVG
        </button>
        <button
          type="button"
          className="button"
          title="One file with the page and the data, which opens without a server"
          onClick={() => void act(`Saved ${name}.html`, saveOffline)}
        >
          Offline page
        </button>
      </div>
      <p className="hint" role="status">
        {said}
      </p>
    </div>
  );
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

/** Returns a function that makes Markdown of what is shown. */
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

/** Returns the page that shows a stored copy, from the address of its content. */
function pageOfCopy(link: string): string {
  return link.replace(/\/api\/v1\/shares\/(\w+)\/.*$/, '/file?share=$1');
}

interface LinkedProps {
  readonly label: string;
  readonly link: string;
  readonly onCopy: () => void;
  readonly children?: ReactNode;
}

function Linked({ label, link, onCopy, children }: LinkedProps) {
  return (
    <>
      <label className="share-field">
        <span>{label}</span>
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      {children !== undefined && children !== false && <p className="hint">{children}</p>}
      <button type="button" className="button" onClick={onCopy}>
        Copy {label.toLowerCase()}
      </button>
    </>
  );
}
