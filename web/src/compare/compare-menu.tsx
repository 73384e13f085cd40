// Button that starts a comparison; its panel is loaded after the page.
import { useLoaded } from '../page/hooks.ts';
import { Popover } from '../parts/popover.tsx';
import type { PresetProps } from './presets.tsx';

/** Opens the list of comparisons. */
export function CompareMenu(props: PresetProps) {
  const panel = useLoaded(() => import('./presets.tsx'));
  return (
    <Popover
      className="compare-menu"
      align="end"
      title="Compare with another time or label"
      label="Compare"
    >
      {(close) =>
        panel && (
          <panel.Presets
            {...props}
            onQuery={(query, patch) => {
              close();
              props.onQuery(query, patch);
            }}
          />
        )
      }
    </Popover>
  );
}
