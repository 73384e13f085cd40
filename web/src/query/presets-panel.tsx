// Panel of presets: functions to drop, to fold or to show only, and own code.
import { type FormEvent, useId, useState } from 'react';
import { type Preset, presetGroups } from '../language/presets.ts';
import { hasStages, setOwn, togglePreset } from '../language/stages.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { keepOwnPrefixes } from '../page/keep-own-code.ts';
import { useOwnPrefixes } from '../page/own-code.ts';
import '../styles/presets.css';
import type { StageEdits } from './use-stage-edits.ts';

interface PresetsPanelProps {
  readonly query: string;
  readonly edits: StageEdits;
}

/** The presets as switches. Each change adds an entry to the browser history. */
export function PresetsPanel({ query, edits }: PresetsPanelProps) {
  const { url } = useApp();
  const { mine, dimmed } = usePlace().state;
  const own = useOwnPrefixes(query);
  const isDimming = mine || dimmed.length > 0;
  const toggle = ({ stages }: Preset) => edits.apply((text) => togglePreset(text, stages, own));
  return (
    <div className="presets">
      {presetGroups.map(({ title, presets }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {presets.map((preset) => (
            <PresetRow
              key={preset.name}
              name={preset.name}
              hint={preset.hint}
              isOn={hasStages(query, preset.stages)}
              onChange={() => toggle(preset)}
            />
          ))}
        </fieldset>
      ))}
      <fieldset>
        <legend>Dim</legend>
        <PresetRow
          name="All but my code"
          hint="nothing moves, and no value changes"
          isOn={mine}
          onChange={() => url.change({ mine: !mine }, 'step')}
        />
        {isDimming && (
          <button
            type="button"
            className="button quiet small"
            onClick={() => url.change({ mine: false, dimmed: [] }, 'step')}
          >
            Dim nothing
          </button>
        )}
      </fieldset>
      <OwnCode query={query} own={own} edits={edits} />
    </div>
  );
}

interface PresetRowProps {
  readonly name: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onChange: () => void;
}

function PresetRow({ name, hint, isOn, onChange }: PresetRowProps) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={onChange} /> {name}{' '}
      <span className="hint">{hint}</span>
    </label>
  );
}

/**
 * Form for the prefixes of own code, which are stored for the service on the server, or in this
 * browser if the server does not store them.
 */
function OwnCode({ query, own, edits }: PresetsPanelProps & { readonly own: readonly string[] }) {
  const { base } = useApp();
  const [text, setText] = useState(own.join('\n'));
  const [said, setSaid] = useState('');
  const id = useId();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const prefixes = text.split('\n').map((line) => line.trim());
    const given = [...new Set(prefixes.filter((prefix) => prefix !== ''))];
    try {
      const isShared = await keepOwnPrefixes(base, query, given);
      setSaid(isShared ? 'Saved on the server' : 'Saved in this browser');
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error));
      return;
    }
    edits.apply((edited) => setOwn(edited, given));
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <label htmlFor={id}>
        My code begins with{' '}
        <span className="hint">one path or package a line; empty: by rules</span>
      </label>
      <textarea
        id={id}
        className="input"
        rows={2}
        spellCheck={false}
        placeholder={'github.com/acme/\n/srv/shop/'}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button type="submit" className="button small">
        Save for this service
      </button>{' '}
      <span className="hint" role="status">
        {said}
      </span>
    </form>
  );
}
