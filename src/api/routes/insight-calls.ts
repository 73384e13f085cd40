// Our own paths for answers about profiles, which any transport can serve.
import { answerChanges } from './changes.ts';
import { answerHeatmap } from './heatmap.ts';
import { answerUsers } from './users.ts';
import {
  answerFunctions,
  answerLabels,
  answerLabelValues,
  answerNearest,
  type InsightCall,
} from './insight-answers.ts';

/** A path, and the function that answers its calls. */
export interface InsightPath {
  readonly path: string;
  /** Name in counters. */
  readonly name: string;
  /** Content type; JSON if absent. */
  readonly type?: string;
  /** Returns an object, or the bytes that another thread made. */
  answer(call: InsightCall): Promise<object | Uint8Array>;
}

/** All paths, below the prefix. */
export const insightCalls: readonly InsightPath[] = [
  { path: '/api/v1/changes', name: 'Changes', answer: answerChanges },
  { path: '/api/v1/functions', name: 'Functions', answer: answerFunctions },
  { path: '/api/v1/heatmap', name: 'Heatmap', answer: answerHeatmap },
  { path: '/api/v1/labels', name: 'Labels', answer: answerLabels },
  { path: '/api/v1/labels/:name/values', name: 'LabelValues', answer: answerLabelValues },
  { path: '/api/v1/nearest', name: 'Nearest', answer: answerNearest },
  { path: '/api/v1/users', name: 'Users', answer: answerUsers },
];
