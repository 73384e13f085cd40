// Share panel: a permanent link, files of the visible data, Markdown.
import { type ReactNode, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { useApp } from '../page/app-context.ts';
import { copyText } from '../page/copy-text.ts';
import { useFacts } from '../page/facts.ts';
import { useSaid } from '../page/use-said.ts';
import { type ShareAction, useShareActions } from './share-actions.ts';
import '../styles/pages.css';

/** Length above which some programs truncate links. */
const linkLengthMax = 2_000;

/** The panel. */
export function SharePanel({ explore }: { readonly explore: Explore }) {
  const { api } = useApp();
  const { isSharing } = useFacts();
  const { said, act } = useSaid();
  const [copyLink, setCopyLink] = useState('');
  const { query, selectedSpan } = explore;
  const actions = useShareActions(explore);
  const { link, isFile } = actions;

  const storeCopy = () =>
    act(async () => {
      const stored = await api.share(query, selectedSpan, AbortSignal.timeout(60_000));
      setCopyLink(pageOfCopy(stored));
      return 'A copy is stored';
    });
  const copyCopyLink = () =>
    act(async () => {
      await copyText(copyLink);
      return 'Copied link to the copy';
    });
  const isLong = link.length > linkLengthMax;
  return (
    <div className="share-link">
      {isFile ? (
        <p>Files stay in this browser: give away a file or a page instead of a link.</p>
      ) : (
        <Linked label="Link to this view" link={link} onCopy={() => void act(actions.copyLink.run)}>
          {isLong && `It has ${link.length} characters, which some programs cut.`}
        </Linked>
      )}
      {isSharing && !isFile && copyLink === '' && (
        <button type="button" className="button" onClick={() => void storeCopy()}>
          {isLong ? 'Make a short link to a copy' : 'Store a copy that stays'}
        </button>
      )}
      {copyLink !== '' && (
        <Linked label="Link to the copy" link={copyLink} onCopy={() => void copyCopyLink()}>
          Everybody who may read this server can open it, also when the profiles are gone.
        </Linked>
      )}
      <ActionButton action={actions.markdown} onAct={act} />
      <div className="share-formats" role="group" aria-label="Save what is in view">
        {actions.files.map((action) => (
          <ActionButton key={action.name} action={action} onAct={act} />
        ))}
      </div>
      <p className="hint" role="status">
        {said}
      </p>
    </div>
  );
}

interface ActionButtonProps {
  readonly action: ShareAction;
  readonly onAct: (work: () => Promise<string>) => Promise<void>;
}

function ActionButton({ action, onAct }: ActionButtonProps) {
  return (
    <button
      type="button"
      className="button"
      title={action.hint}
      onClick={() => void onAct(action.run)}
    >
      {action.name}
    </button>
  );
}

/** Returns the page for a shared profile, given the URL of its content. */
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
        <input
          className="input"
          readOnly
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      {children !== undefined && children !== false && <p className="hint">{children}</p>}
      <button type="button" className="button" onClick={onCopy}>
        Copy {label.toLowerCase()}
      </button>
    </>
  );
}
