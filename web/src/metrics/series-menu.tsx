// Menu of a series in the legend: show only this series, hide its line, exclude one of its labels.
import { ContextMenu, type MenuAction } from '../parts/context-menu.tsx';

/** Menu of a series, and its position in client coordinates. */
interface OpenedSeries {
  readonly title: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly x: number;
  readonly y: number;
}

export interface SeriesMenuProps {
  readonly opened: OpenedSeries;
  /** Titles of hidden lines. */
  readonly hidden: ReadonlySet<string>;
  readonly onHide: (titles: ReadonlySet<string>) => void;
  readonly onAddMatcher: (labels: ReadonlyMap<string, string>, operator: '=' | '!=') => void;
  readonly onClose: () => void;
}

/** The menu. Hiding a line changes only the graph; the other entries change the query. */
export function SeriesMenu({ opened, hidden, onHide, onAddMatcher, onClose }: SeriesMenuProps) {
  const { title, labels, x, y } = opened;
  const isHidden = hidden.has(title);
  const flipped = new Set(
    isHidden ? [...hidden].filter((one) => one !== title) : [...hidden, title],
  );
  const look: MenuAction[] = [
    { key: 'h', label: isHidden ? 'Show its line' : 'Hide its line', run: () => onHide(flipped) },
  ];
  if (hidden.size > 0) {
    look.push({ key: 'a', label: 'Show all lines', run: () => onHide(new Set()) });
  }
  const query: MenuAction[] = [
    { key: 'o', label: 'Show only it', run: () => onAddMatcher(labels, '=') },
    ...[...labels].map(([name, value], i) => ({
      key: i === 0 ? 'x' : String(i + 1),
      label: `Exclude ${name}=${value}`,
      run: () => onAddMatcher(new Map([[name, value]]), '!='),
    })),
  ];
  return (
    <ContextMenu
      title={title}
      heading={title}
      groups={[look, query]}
      x={x}
      y={y}
      onClose={onClose}
    />
  );
}
