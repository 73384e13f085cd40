// Renumbers rows of a table densely, in the order in which they are first touched.
import { grown } from '../../model/column.ts';

/** Row 0 is "none" and stays row 0. */
export class DenseRows {
  /** Row of the source by dense row. */
  rows = new Uint32Array(64);
  /** Dense rows in use, row 0 included. */
  length = 1;
  #dense = new Uint32Array(64);

  /** The dense row of a source row, 0 when it was not touched. */
  get(row: number): number {
    return row < this.#dense.length ? this.#dense[row] : 0;
  }

  /** Gives an untouched row the next number. */
  add(row: number): number {
    const added = this.length;
    this.rows = grown(this.rows, added + 1);
    this.#dense = grown(this.#dense, row + 1);
    this.rows[added] = row;
    this.#dense[row] = added;
    this.length = added + 1;
    return added;
  }

  /** The dense row of a source row, made when it is new. */
  touch(row: number): number {
    if (row === 0) return 0;
    const known = this.get(row);
    return known === 0 ? this.add(row) : known;
  }
}
