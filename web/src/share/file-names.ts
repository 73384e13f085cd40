// Makes names for saved files that describe their content: "checkout-process_cpu-20261127T0915".
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { serviceOfQuery } from '../language/own-code.ts';
import { profileTypeOfQuery } from '../language/query-text.ts';
import type { SideWords } from '../language/side-letters.ts';
import type { Span } from '../rpc/api.ts';

/** Maximum number of characters in a part of a name. */
const partMax = 40;

/** Returns the name without its extension; `sides` are the words of a comparison. */
export function nameOfView(query: string, { to }: Span, sides: SideWords | undefined): string {
  const [type] = profileTypeOfQuery(query).split(':');
  const time = new Date(to)
    .toISOString()
    .replace(/[-:]|\.\d+Z$/g, '')
    .slice(0, 13);
  const compared = sides === undefined ? [] : [sides.before, 'to', sides.now];
  const parts = [serviceOfQuery(query, serviceLabels), type, ...compared, time];
  return parts
    .map((part) => part.replace(/[^\p{L}\p{N}._]+/gu, '-').slice(0, partMax))
    .filter((part) => part !== '' && part !== '-')
    .join('-');
}
