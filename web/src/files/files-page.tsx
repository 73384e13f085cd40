// Files page: the open files, and the explore page for them.
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { OpenedFile } from '../../file-engine/messages.ts';
import { ExplorePage } from '../explore/explore-page.tsx';
import { formatBytes } from '../format/numbers.ts';
import { AppContext, useApp, usePlace } from '../page/app-context.ts';
import { useStore } from '../page/store.ts';
import { Icon } from '../parts/icon.tsx';
import { createApi } from '../rpc/api.ts';
import { localBase } from '../rpc/local.ts';
import { askProgress, ProgressPoll } from '../rpc/progress.ts';
import { firstView } from './file-view.ts';
import { readOfflineData } from '../share/offline-data.ts';
import { OfflineFactsBar } from './offline-facts.tsx';
import { openSharedCopy } from './shared-copy.ts';
import { addFiles, closeFile, fileEntries, type FileEntry } from './open-files.ts';
import '../styles/pages.css';
import '../styles/notice-page.css';

const progressMillis = 500;

/** Files page. Files stay on this computer: a worker of the page answers queries about them. */
export function FilesPage() {
  const parts = useApp();
  const entries = useStore(fileEntries);
  const open = entries.flatMap(({ file }) => (file === undefined ? [] : [file]));
  const local = useMemo(
    () => ({
      ...parts,
      base: localBase,
      api: createApi(localBase),
      progress: new ProgressPoll(
        (tags, signal) => askProgress(localBase, tags, signal),
        () => new Promise((resolve) => void setTimeout(resolve, progressMillis)),
      ),
    }),
    [parts],
  );
  const show = (files: readonly OpenedFile[]) => {
    parts.url.goTo(parts.url.formatHref('file', firstView(files)));
  };
  const choose = async (files: readonly File[]) => {
    const opened = await addFiles(files, parts.trees);
    if (opened.length > 0) show(opened);
  };
  const facts = useMemo(() => readOfflineData()?.facts, []);
  const { share } = usePlace().state;
  const openShared = useEffectEvent(async () => {
    if (share === '' || open.length > 0) return;
    const copy = await openSharedCopy(share, parts);
    if (copy === undefined) return;
    parts.url.goTo(parts.url.formatHref('file', { ...firstView([copy]), share }), 'adjust');
  });
  useEffect(() => void openShared(), [share, parts]);
  return (
    <div className="files">
      {facts !== undefined && <OfflineFactsBar facts={facts} />}
      <div className="files-head">
        <h1 className={open.length > 0 ? 'visually-hidden' : undefined}>Profiles from files</h1>
        {entries.map((entry) => (
          <Entry key={entry.name} entry={entry} onShow={show} />
        ))}
        {open.length >= 2 && <CompareButton files={open} onShow={show} />}
        <ChooseButton onChoose={(files) => void choose(files)} />
        <span className="hint">Files are read in this browser and sent nowhere.</span>
      </div>
      {open.length === 0 ? (
        <NoFile />
      ) : (
        <AppContext value={local}>
          <ExplorePage key={open.map(({ name }) => name).join('\n')} />
        </AppContext>
      )}
    </div>
  );
}

function NoFile() {
  return (
    <div className="notice-page">
      <h2>Drop a profile here</h2>
      <p>
        Read are pprof, collapsed stacks, speedscope, the Firefox Profiler, Chrome and Node CPU
        profiles, and <code>perf script</code>; plain or gzipped. Two files are compared.
      </p>
      <p>A reload closes the files: drop them again to see them through the same link.</p>
    </div>
  );
}

interface EntryProps {
  readonly entry: FileEntry;
  readonly onShow: (files: readonly OpenedFile[]) => void;
}

function Entry({ entry, onShow }: EntryProps) {
  const { name, file, error } = entry;
  return (
    <span className="file-chip" role={error === undefined ? undefined : 'alert'}>
      {file === undefined ? (
        <b>{name}</b>
      ) : (
        <button type="button" className="button quiet" onClick={() => onShow([file])}>
          {name}
        </button>
      )}
      {file !== undefined && (
        <span className="hint">
          {file.format}, {formatBytes(file.byteCount)}
        </span>
      )}
      {file !== undefined && file.note !== '' && <span className="field-error">{file.note}</span>}
      {error !== undefined && <span className="field-error">{error}</span>}
      {file === undefined && error === undefined && <span className="hint">reading…</span>}
      <button
        type="button"
        className="button quiet"
        aria-label={`Close ${name}`}
        onClick={() => void closeFile(entry)}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

/** Compares the last two files. */
function CompareButton({
  files,
  onShow,
}: {
  readonly files: readonly OpenedFile[];
  readonly onShow: EntryProps['onShow'];
}) {
  const pair = files.slice(-2);
  const [before, after] = pair;
  return (
    <button
      type="button"
      className="button"
      title={`${before.name} → ${after.name}`}
      onClick={() => onShow(pair)}
    >
      Compare the last two
    </button>
  );
}

function ChooseButton({ onChoose }: { readonly onChoose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="button" onClick={() => input.current?.click()}>
        Open files
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to open"
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
