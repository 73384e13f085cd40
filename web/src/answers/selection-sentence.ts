// Makes the sentence about a selection, which names its largest function if there are enough
// samples to tell.
import type { Coverage, Measure } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import type { SentencePart } from '../rpc/changes.ts';
import type { FunctionTable } from '../tree/function-table.ts';
import { StringReader } from '../tree/strings.ts';

/** Minimum number of samples that show where the values come from. */
const samplesMin = 30;
/** Quantile of the normal distribution for 95 % confidence. */
const quantile = 1.96;
/** Smallest share of garbage collection that the sentence mentions. */
const collectionMin = 0.05;

/**
 * Returns the sentence; undefined without values. Shares have 95 % intervals (Agresti and Caffo). A
 * function is called the largest only if the difference to the next function is significant.
 */
export function selectionSentence(
  table: FunctionTable,
  { measure, coverage }: { readonly measure: Measure; readonly coverage: Coverage },
): SentencePart[] {
  const { order, self, whole } = table;
  if (whole <= 0n || table.baseWhole !== undefined || table.count === 0) return [];
  const samples = Math.round(coverage.samples / Math.max(1, coverage.snapshots));
  if (samples < samplesMin) {
    return [text(`${plural(samples, 'sample')}: too few to say where it goes.`)];
  }
  const names = new StringReader(table.names);
  const [first, second] = [...order.self.subarray(0, 2)].map((row) => {
    return { name: names.get(row), share: Number(self[row]) / Number(whole) };
  });
  return [...largest(first, second, measure, samples), ...collected(table), text('.')];
}

interface Part {
  readonly name: string;
  readonly share: number;
}

function largest(
  first: Part,
  second: Part | undefined,
  measure: Measure,
  samples: number,
): SentencePart[] {
  const p = (first.share * samples + 1) / (samples + 2);
  const error = quantile * Math.sqrt((p * (1 - p)) / (samples + 2));
  const shown = `${formatPercent(first.share)} ± ${(error * 100).toFixed(1)}`;
  if (first.share - error > 0.5) {
    return [text(`Most of it, ${shown}, is `), named(first), text(` ${own(measure)}`)];
  }
  const difference = first.share - (second?.share ?? 0);
  const spread = first.share + (second?.share ?? 0) - difference ** 2;
  if (second !== undefined && difference <= quantile * Math.sqrt(Math.max(0, spread) / samples)) {
    return [
      text('No function stands out: '),
      named(first),
      text(` has ${formatPercent(first.share)} ${own(measure)}, `),
      named(second),
      text(` ${formatPercent(second.share)}`),
    ];
  }
  return [text(`The largest part, ${shown}, is `), named(first), text(` ${own(measure)}`)];
}

function own({ kind }: Measure): string {
  return kind === 'bytes' ? 'itself, without what it calls' : 'itself';
}

/** Returns the words about garbage collection if its share is large. */
function collected({ groupShares }: FunctionTable): SentencePart[] {
  const share = groupShares.kind.get('garbage collection') ?? 0;
  return share < collectionMin ? [] : [text(`; garbage collection takes ${formatPercent(share)}`)];
}

function text(words: string): SentencePart {
  return { kind: 'text', text: words };
}

function named({ name }: Part): SentencePart {
  return { kind: 'function', text: name };
}
