// Reads the fields of a report's group_by.
import { AppError } from '../../base/errors.ts';
import type { FrameField } from '../../report/tree/frame-keys.ts';

export interface GroupBy {
  /** Labels; each distinct combination of their values gets a row under the root. */
  readonly labelNames: readonly string[];
  /** Facts that distinguish frames in addition to their function names. */
  readonly frameFields: ReadonlySet<FrameField>;
  /** True if profiles are laid out along time, as in a flame chart. */
  readonly byTime: boolean;
}

const labelPrefix = 'labels.';
const frameFields: ReadonlySet<string> = new Set<FrameField>([
  'function_file_name',
  'mapping_file',
  'location_address',
]);

/**
 * Reads the fields; the function name always counts.
 *
 * Errors: AppError 'invalid-argument' "invalid group by field: X".
 */
export function parseGroupBy(fields: readonly string[]): GroupBy {
  const labelNames = new Set<string>();
  const frames = new Set<FrameField>();
  for (const field of fields) {
    if (field.startsWith(labelPrefix) && field.length > labelPrefix.length) {
      labelNames.add(field.slice(labelPrefix.length));
    } else if (isFrameField(field)) {
      frames.add(field);
    } else if (field !== 'timestamp' && field !== 'function_name') {
      throw new AppError('invalid-argument', `invalid group by field: ${field}`);
    }
  }
  const byTime = fields.includes('timestamp');
  return { labelNames: [...labelNames], frameFields: frames, byTime };
}

function isFrameField(field: string): field is FrameField {
  return frameFields.has(field);
}
