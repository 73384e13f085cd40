// Splits the labels of an upload into the name of its profile and the label set of its series.
// Refuses the same labels as Parca.
import { AppError } from '../base/errors.ts';
import { inputLimits, overInputLimit } from '../base/input-limits.ts';
import {
  createLabelSet,
  isLabelName,
  profileNameLabel,
  type Label,
  type LabelSet,
} from '../model/labels.ts';

/** The profile name and the series labels of an upload. */
export interface UploadSeries {
  /** Value of `__name__`. */
  readonly name: string;
  /** All other labels. */
  readonly labels: LabelSet;
}

/**
 * Reads the labels of an upload, and adds external labels whose names the upload does not have.
 *
 * Errors: AppError 'invalid-argument' "missing __name__ label", "invalid label name: X", "duplicate
 * label name: X"; 'resource-exhausted' for too many or too long labels.
 */
export function readSeries(labels: readonly Label[], external: LabelSet): UploadSeries {
  for (const label of labels) requireLabel(label);
  const all = createLabelSet(labels);
  const name = all.find((label) => label.name === profileNameLabel)?.value;
  if (name === undefined) {
    throw new AppError('invalid-argument', `missing ${profileNameLabel} label`);
  }
  if (name.includes(':')) {
    // A colon separates the parts of a profile type, so queries could not select this name.
    throw new AppError(
      'invalid-argument',
      `invalid ${profileNameLabel} label: ${JSON.stringify(name)} has a colon`,
    );
  }
  const own = all.filter((label) => label.name !== profileNameLabel);
  const added = external.filter((label) => !own.some((known) => known.name === label.name));
  if (own.length + added.length > inputLimits.labelsPerSeries) {
    throw overInputLimit(
      'labelsPerSeries',
      `cannot store series: it has ${own.length + added.length} labels, ` +
        `the limit is ${inputLimits.labelsPerSeries}`,
    );
  }
  return { name, labels: added.length === 0 ? own : createLabelSet([...own, ...added]) };
}

function requireLabel({ name, value }: Label): void {
  requireBytes('label name', name, 'labelNameBytes');
  if (!isLabelName(name)) throw new AppError('invalid-argument', `invalid label name: ${name}`);
  requireBytes(`value of label ${name}`, value, 'labelValueBytes');
}

function requireBytes(
  what: string,
  text: string,
  limit: 'labelNameBytes' | 'labelValueBytes',
): void {
  const bytesMax = inputLimits[limit];
  // A UTF-16 unit takes at most three bytes, so the bytes of short strings need not be counted.
  if (text.length * 3 <= bytesMax) return;
  const bytes = Buffer.byteLength(text);
  if (bytes <= bytesMax) return;
  throw overInputLimit(
    limit,
    `cannot store series: ${what} has ${bytes} bytes, the limit is ${bytesMax}`,
  );
}
