// The types of campaign-totals.mjs for TypeScript.
export interface CampaignRow {
  readonly name: string;
  readonly commit: string;
  readonly pieces: number;
  readonly results: readonly (Readonly<Record<string, number>> | null)[];
}
export function mergeTotals(text: string, date: string, rows: readonly CampaignRow[]): string;
