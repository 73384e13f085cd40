// Commands of the palette about the query, the graph and the lists of the explore page.
import type { Explore } from '../answers/use-explore.ts';
import { typeChoices } from '../format/profile-type.ts';
import { compareWithEarlier, distanceToNext } from '../language/comparison.ts';
import { stackGestures } from '../language/gestures.ts';
import { chooseProfileType } from '../language/matchers.ts';
import { presetGroups } from '../language/presets.ts';
import { isDiff } from '../language/query-text.ts';
import { togglePreset } from '../language/stages.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { type Command, useCommands } from '../page/commands.ts';
import { useOwnPrefixes } from '../page/own-code.ts';
import { saidMillis, useSaid } from '../page/use-said.ts';
import { ReportTexts } from '../parts/said.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { useLinkKey } from '../page/link-key.ts';
import { type ShareAction, useShareActions } from '../share/share-actions.ts';
import type { UrlState } from '../url/url-state.ts';

const day = 86_400_000;

interface ExploreCommandsProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  /** Begins or ends a comparison, as the key `v` does. */
  readonly onCompare: () => void;
}

/**
 * Offers the commands and the key that copies a link; shows what the last command did, or why it
 * failed.
 */
export function ExploreCommands({ explore, edits, onCompare }: ExploreCommandsProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { said, act } = useSaid(saidMillis);
  const share = useShareActions(explore);
  const own = useOwnPrefixes(explore.query);
  const sharing = (kind: string, action: ShareAction): Command => ({
    kind,
    title: action.name,
    run: () => void act(action.run),
  });
  useLinkKey(() => void act(share.copyLink.run));
  useCommands(() => [
    ...compareCommands(explore, onCompare, (query) => url.change({ query }, 'step')),
    ...typeCommands(explore, (query) => url.change({ query, zoom: '', view: undefined }, 'step')),
    ...viewCommands(state).map(([title, patch]): Command => ({
      kind: 'Show',
      title,
      run: () => url.change(patch, 'step'),
    })),
    ...presetGroups.flatMap((group) =>
      group.presets.map((preset): Command => ({
        kind: group.title,
        title: preset.name,
        run: () => edits.apply((text) => togglePreset(text, preset.stages, own)),
      })),
    ),
    ...[...stackGestures.map(edits.toEntry), edits.split].map(({ label, run }): Command => ({
      kind: 'Stacks',
      title: label,
      run,
    })),
    ...share.files.map((action) => sharing('Save', action)),
    sharing('Share', share.markdown),
    ...(share.isFile
      ? []
      : [{ ...sharing('Share', share.copyLink), title: `${share.copyLink.name} (S)` }]),
  ]);
  return <ReportTexts>{said}</ReportTexts>;
}

function compareCommands(
  { query, selectedSpan }: Explore,
  onCompare: () => void,
  onQuery: (query: string) => void,
): Command[] {
  const kind = 'Compare';
  if (isDiff(query)) return [{ kind, title: 'Stop comparing (v)', run: onCompare }];
  const earlier = (title: string, millis: number): Command => ({
    kind,
    title,
    run: () => onQuery(compareWithEarlier(query, millis)),
  });
  return [
    { kind, title: 'With the version before the last deploy (v)', run: onCompare },
    earlier('With the time before', distanceToNext(selectedSpan)),
    earlier('With the same time yesterday', day),
    earlier('With the same time last week', 7 * day),
  ];
}

function typeCommands({ query, types }: Explore, onQuery: (query: string) => void): Command[] {
  return typeChoices(types).map(({ value, label, group }) => ({
    kind: 'Profile type',
    title: label.startsWith(group) ? label : `${group}: ${label}`,
    run: () => onQuery(chooseProfileType(query, value)),
  }));
}

/** Returns the commands that change how the data is shown, with their changes of the URL. */
function viewCommands({
  tallMetrics,
  times,
}: UrlState): readonly (readonly [title: string, patch: Partial<UrlState>])[] {
  return [
    ['Icicle', { graph: 'icicle', view: undefined }],
    ['Flame graph', { graph: 'flame', view: undefined }],
    ['Call tree', { graph: 'tree', view: undefined }],
    ['Flame chart', { graph: 'chart', view: undefined }],
    ['Functions', { panel: 'table' }],
    ['Changed functions', { panel: 'changes' }],
    ['Labels that explain a change', { panel: 'labels' }],
    [
      tallMetrics ? 'Graph over time, folded' : 'Graph over time, with axes',
      { tallMetrics: !tallMetrics },
    ],
    times === ''
      ? ['Times of samples (T)', { times: 'heatmap' }]
      : ['Times of samples, closed (T)', { times: '' }],
    ['Everything: no zoom, no selected time', { zoom: '', view: undefined, selection: undefined }],
  ];
}
