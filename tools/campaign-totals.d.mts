// The types of campaign-totals.mjs for TypeScript.
/** By number of the piece, from 0; null for one that found something. */
export type PieceResults = Readonly<Record<number, Readonly<Record<string, number>> | null>>;
export interface CampaignRow {
  readonly name: string;
  readonly version: string;
  readonly pieces: number;
  readonly results: PieceResults;
}
export function mergeTotals(text: string, date: string, rows: readonly CampaignRow[]): string;
export function readTotals(text: string, row: Pick<CampaignRow, 'name' | 'version'>): PieceResults;
