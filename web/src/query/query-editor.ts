// Query editor: CodeMirror with the query language, a single line, completion and checks.
//
// It is in a shadow root, because CodeMirror then uses constructed style sheets, which a content
// security policy without unsafe-inline allows.
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, LRLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { errorMessage } from '../../../src/base/errors.ts';
import {
  completionAt,
  type CompletionPlace,
  completionText,
} from '../../../src/promql-like/complete.ts';
import { queryParser } from '../../../src/promql-like/language.ts';
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { QueryError, frameGroups } from '../../../src/promql-like/query.ts';
import { friendlyName } from '../../../src/model/friendly-type.ts';

/** Sources for completion. */
export interface CompletionData {
  profileTypes(): readonly string[];
  labelNames(profileType: string, signal: AbortSignal): Promise<readonly string[]>;
  labelValues(name: string, profileType: string, signal: AbortSignal): Promise<readonly string[]>;
}

interface QueryEditorOptions {
  readonly text: string;
  readonly source: CompletionData;
  readonly onRun: (text: string) => void;
  readonly onEdit: (text: string) => void;
}

export interface QueryEditor {
  /** Replaces the query if it differs. */
  setText(text: string): void;
  focus(cursor?: number): void;
  close(): void;
}

const completionMillisMax = 5_000;

/** Opens an editor in `host`. */
export function openQueryEditor(host: HTMLElement, options: QueryEditorOptions): QueryEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const state = EditorState.create({ doc: options.text, extensions: listExtensions(options) });
  const view = new EditorView({ state, parent: root, root });
  return {
    setText(text) {
      const current = view.state.doc.toString();
      if (current === text) return;
      view.dispatch({ changes: { from: 0, to: current.length, insert: text } });
    },
    focus(cursor) {
      view.focus();
      // The query may have become shorter since the cursor position was read.
      const anchor = Math.min(cursor ?? 0, view.state.doc.length);
      if (cursor !== undefined) view.dispatch({ selection: { anchor } });
    },
    close: () => view.destroy(),
  };
}

function listExtensions({ source, onRun, onEdit }: QueryEditorOptions) {
  const run = (view: EditorView) => {
    onRun(view.state.doc.toString());
    return true;
  };
  return [
    history(),
    LRLanguage.define({
      parser: queryParser,
      languageData: { closeBrackets: { brackets: ['{', '"'] } },
    }),
    syntaxHighlighting(highlighting),
    closeBrackets(),
    autocompletion({ override: [(context) => complete(context, source)], icons: false }),
    linter((view) => diagnose(view.state.doc.toString()), { delay: 300 }),
    Prec.highest(
      keymap.of([
        { key: 'Mod-Enter', run },
        { key: 'Tab', run: acceptOrWait },
      ]),
    ),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap]),
    keymap.of([{ key: 'Enter', run }]),
    keymap.of(defaultKeymap),
    // Single line: pasted line breaks become spaces.
    EditorState.transactionFilter.of((transaction) =>
      transaction.newDoc.lines > 1
        ? [transaction, { changes: lineBreaks(transaction.newDoc.toString()), sequential: true }]
        : transaction,
    ),
    EditorView.contentAttributes.of({ 'aria-label': 'Query', spellcheck: 'false' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onEdit(update.state.doc.toString());
      if (update.focusChanged && update.view.hasFocus) startCompletion(update.view);
    }),
    theme,
  ];
}

/**
 * Accepts a completion. The list ignores keys in its first 75 ms; even then, Tab must not leave the
 * field.
 */
function acceptOrWait(view: EditorView): boolean {
  return acceptCompletion(view) || completionStatus(view.state) === 'active';
}

function lineBreaks(text: string) {
  return [...text.matchAll(/\n/g)].map(({ index }) => ({
    from: index,
    to: index + 1,
    insert: ' ',
  }));
}

function diagnose(text: string): Diagnostic[] {
  const mistake = text.trim() === '' ? undefined : findMistake(text);
  if (mistake === undefined) return [];
  const { from, to, message } = mistake;
  return [{ from, to: Math.min(text.length, Math.max(to, from + 1)), severity: 'error', message }];
}

async function complete(
  context: CompletionContext,
  source: CompletionData,
): Promise<CompletionResult | null> {
  const place = completionAt(context.state.doc.toString(), context.pos);
  const options = await optionsFor(place, source);
  if (options.length === 0) return null;
  return {
    from: place.replace.from,
    to: place.replace.to,
    filter: false,
    options: rank(options, place.typed).map((label) => ({
      label,
      ...(place.subject.kind === 'profile-type' ? { detail: friendlyName(label) } : {}),
      apply: completionText(place, label),
    })),
  };
}

async function optionsFor(
  { subject, profile }: CompletionPlace,
  source: CompletionData,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(completionMillisMax);
  try {
    if (subject.kind === 'profile-type') return source.profileTypes();
    if (subject.kind === 'word') return subject.words;
    if (subject.kind === 'label-name') return await source.labelNames(profile, signal);
    if (subject.kind === 'group-name') {
      return [...(await source.labelNames(profile, signal)), ...frameGroups];
    }
    if (subject.kind === 'label-value') {
      return await source.labelValues(subject.label, profile, signal);
    }
  } catch {
    // If the request fails, there are no suggestions; the query itself will report the problem.
  }
  return [];
}

const optionsMax = 200;

/** Returns the options that contain the typed text; options that start with it come first. */
function rank(options: readonly string[], typed: string): string[] {
  const lower = typed.toLowerCase();
  const containing = options.filter((option) => option.toLowerCase().includes(lower));
  const starts = (option: string) => (option.toLowerCase().startsWith(lower) ? 0 : 1);
  return containing.sort((a, b) => starts(a) - starts(b)).slice(0, optionsMax);
}

const highlighting = HighlightStyle.define([
  {
    tag: [tags.typeName, tags.className, tags.definition(tags.variableName)],
    color: 'var(--accent)',
  },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: tags.comment, color: 'var(--text-3)' },
  { tag: tags.keyword, color: 'var(--text)', fontWeight: '600' },
  { tag: tags.operatorKeyword, color: 'var(--text-2)' },
  { tag: tags.number, color: 'var(--ok)' },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: 'var(--text)' },
]);

const theme = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '20px',
    overflowX: 'auto',
    scrollbarWidth: 'none',
  },
  '.cm-content': { padding: '5px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '4px',
    boxShadow: 'var(--shadow)',
    zIndex: '30',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: '12px',
    maxHeight: '18em',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--text-2)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', fontSize: '12px', padding: '4px 8px' },
});

/** An error and its position in the query (UTF-16 offsets). */
export interface Mistake {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** Finds the first error; undefined for a valid query. */
function findMistake(text: string): Mistake | undefined {
  try {
    parseQuery(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryError)) {
      return { message: errorMessage(error), from: 0, to: text.length };
    }
    return { message: error.reason, from: error.position.from, to: error.position.to };
  }
}
