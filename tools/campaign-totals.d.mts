// The types of campaign-totals.mjs for TypeScript.
export interface CampaignRow {
  readonly name: string;
  readonly pieces: number;
  readonly results: readonly (Readonly<Record<string, number>> | null)[];
}
export function mergeTotals(
  text: string,
  totals: { readonly commit: string; readonly date: string; readonly rows: readonly CampaignRow[] },
): string;
