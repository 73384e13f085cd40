// Table of the status page, which scrolls if it is too wide.
import type { ReactNode } from 'react';

/** A table; a column of buttons has an empty head. */
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
