// Tests relabeling: applies the rules of a job, or edited rules, to the labels of a target.
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../page/app-context.ts';
import { type Resource, useResource } from '../page/use-resource.ts';
import { ModalDialog } from '../parts/modal-dialog.tsx';
import {
  type Labels,
  type RelabelAnswer,
  type RelabelStep,
  testRelabeling,
} from '../rpc/targets.ts';
import { compareLabels, printLabels, readLabels } from './label-steps.ts';
import '../styles/help.css';

/** Milliseconds from the last key press to a test, because each test is a request. */
const settleMillis = 300;

/** Initial labels, and the job with the rules. */
export interface RelabelSubject {
  readonly job: string;
  readonly labels: Labels;
}

interface RelabelDialogProps {
  readonly subject: RelabelSubject;
  readonly onClose: () => void;
}

/** The dialog. */
export function RelabelDialog({ subject: { job, labels }, onClose }: RelabelDialogProps) {
  const { base } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const [labelText, setLabelText] = useState(() => printLabels(labels));
  const [rules, setRules] = useState<string>();
  const test = useSettled(JSON.stringify({ labelText, rules }));
  const answer = useResource(
    `relabel ${job} ${test}`,
    ({ signal }) => {
      const asked = JSON.parse(test) as { readonly labelText: string; readonly rules?: string };
      const given = readLabels(asked.labelText);
      const question = { scrapePool: job, labels: given, relabelConfigs: asked.rules };
      return testRelabeling(base, question, signal);
    },
    { topic: `relabel ${job}`, isQuiet: true },
  );
  return (
    <ModalDialog
      dialog={dialog}
      className="relabel"
      label="Test relabeling"
      title={`Test relabeling of ${job}`}
      onClose={onClose}
    >
      <p className="hint">Nothing is changed on the server: copy the rules to its file.</p>
      <div className="relabel-columns">
        <div className="relabel-input">
          <label>
            Labels of the target
            <textarea
              rows={8}
              spellCheck={false}
              value={labelText}
              onChange={(event) => setLabelText(event.target.value)}
            />
          </label>
          <label>
            <code>relabel_configs</code>
            <textarea
              rows={14}
              spellCheck={false}
              placeholder="- source_labels: [...]"
              value={rules ?? answer.value?.relabelConfigs ?? ''}
              onChange={(event) => setRules(event.target.value)}
            />
          </label>
        </div>
        <Outcome answer={answer} />
      </div>
    </ModalDialog>
  );
}

/** Returns the value after it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMillis);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function Outcome({ answer: { value, error } }: { readonly answer: Resource<RelabelAnswer> }) {
  if (error !== undefined) {
    return (
      <pre className="field-error" role="alert">
        {error.message}
      </pre>
    );
  }
  if (value === undefined) return null;
  const { steps, discoveredLabels, labels, scrapeUrl, mistake } = value;
  return (
    <div aria-live="polite">
      <ol className="relabel-steps">
        {steps.map((step, i) => (
          <Step key={i} step={step} before={i === 0 ? discoveredLabels : steps[i - 1].output} />
        ))}
      </ol>
      {steps.length === 0 && <p className="hint">There are no rules.</p>}
      {mistake !== undefined && <p className="field-error">It cannot be scraped: {mistake}</p>}
      {labels !== undefined && (
        <section aria-label="Outcome">
          <h3>Scraped at</h3>
          <p className="mono target-url">{scrapeUrl}</p>
          <h3>Labels of its series</h3>
          <pre className="mono">{printLabels(labels)}</pre>
        </section>
      )}
    </div>
  );
}

interface StepProps {
  readonly step: RelabelStep;
  readonly before: Labels;
}

function Step({ step: { rule, output, keep }, before }: StepProps) {
  const changes = compareLabels(before, output);
  return (
    <li>
      <code>{ruleText(rule)}</code>
      {!keep && <p className="field-error">drops the target</p>}
      {keep && changes.length === 0 && <p className="hint">changes nothing</p>}
      {keep &&
        changes.map((change) => (
          <p key={change.name} className="relabel-change">
            {change.name}: {change.before === '' ? 'none' : <del>{change.before}</del>} to{' '}
            {change.after === '' ? 'none' : <ins>{change.after}</ins>}
          </p>
        ))}
    </li>
  );
}

/** Returns a rule in a single line, without empty keys. */
function ruleText({
  action,
  source_labels: sources,
  target_label: target,
  regex,
}: RelabelStep['rule']): string {
  const from = Array.isArray(sources) && sources.length > 0 ? ` of ${sources.join(', ')}` : '';
  const to = target === '' ? '' : ` to ${String(target)}`;
  return `${String(action)}${from}${to}${regex === '(.*)' ? '' : ` if ${String(regex)}`}`;
}
