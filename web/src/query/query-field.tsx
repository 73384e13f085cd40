// Query field: a plain input until it is used, then the editor with completion and checks.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '../page/app-context.ts';
import type { QueryEditor } from './query-editor.ts';

interface QueryFieldProps {
  readonly text: string;
  readonly profileTypes: readonly string[];
  readonly onRun: (text: string) => void;
  /** Called after each edit, for the Run button. */
  readonly onEdit: (text: string) => void;
}

/** The field; the editor is a separate chunk that is loaded on the first focus. */
export function QueryField(props: QueryFieldProps) {
  const { api } = useApp();
  const [wanted, setWanted] = useState(false);
  const [ready, setReady] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const editor = useRef<QueryEditor | undefined>(undefined);
  /** Cursor position in the plain input; undefined if the focus has moved away. */
  const focusAt = useRef<number | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (!wanted) return undefined;
    let closed = false;
    const start = async () => {
      const { openQueryEditor } = await import('./query-editor.ts');
      if (closed || host.current === null) return;
      const field = input.current;
      focusAt.current = document.activeElement === field ? (field?.selectionStart ?? 0) : undefined;
      editor.current = openQueryEditor(host.current, {
        text: field?.value ?? latest.current.text,
        source: {
          profileTypes: () => latest.current.profileTypes,
          labelNames: (type, signal) => api.labelNames(type, signal),
          labelValues: (name, type, signal) => api.labelValues(name, type, signal),
        },
        onRun: (text) => latest.current.onRun(text),
        onEdit: (text) => latest.current.onEdit(text),
      });
      setReady(true);
    };
    void start();
    return () => {
      closed = true;
      editor.current?.close();
      editor.current = undefined;
      setReady(false);
    };
  }, [wanted, api]);

  useLayoutEffect(() => {
    if (ready && focusAt.current !== undefined) editor.current?.focus(focusAt.current);
  }, [ready]);
  useEffect(() => editor.current?.setText(props.text), [props.text]);

  return (
    <div className="query-field" data-ready={ready}>
      {!ready && (
        <input
          // A new query from outside (type menu, chip, Back) replaces the typed query.
          key={props.text}
          ref={input}
          className="query-input"
          aria-label="Query"
          spellCheck={false}
          autoComplete="off"
          placeholder='profile type{label="value"}'
          defaultValue={props.text}
          onFocus={() => setWanted(true)}
          onChange={(event) => props.onEdit(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') props.onRun(event.currentTarget.value);
          }}
        />
      )}
      <div ref={host} className="query-editor" hidden={!ready} />
    </div>
  );
}
