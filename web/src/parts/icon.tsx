// Icons, drawn as paths so that no font or file is loaded.

const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3.5 3.5',
  up: 'M3.5 10L8 5.5 12.5 10',
  down: 'M3.5 6L8 10.5 12.5 6',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z',
  plus: 'M8 3v10M3 8h10',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.5V8l2.5 1.5',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3.5M8 12v.2',
  star: 'M8 1.8l1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z',
  check: 'M3 8.5l3.5 3.5L13 4.5',
} as const;

export type IconName = keyof typeof paths;

/** Draws an icon; its meaning is in the text next to it, or in the label of its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
