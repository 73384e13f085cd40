// A table of the status page, which scrolls on its own where it is too wide.
import type { ReactNode } from 'react';

/** A table; an empty head is that of a column of buttons. */
export function Table({
  heads,
  label = `Table of ${heads[0]}`,
  children,
}: {
  readonly label?: string;
  readonly heads: readonly string[];
  readonly children: ReactNode;
}) {
  return (
    <div className="table-room" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head) =>
              head === '' ? (
                <td key="action" />
              ) : (
                <th key={head} scope="col">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
