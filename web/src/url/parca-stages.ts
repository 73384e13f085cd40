// Converts filters, sandwich, inversion and grouping in Parca's links to stages of the query
// language.

const fields: ReadonlyMap<string, string> = new Map([
  ['fn', 'function'],
  ['b', 'binary'],
  ['sn', 'system'],
  ['f', 'file'],
  ['a', 'address'],
  ['ln', 'line'],
]);
const comparisons: ReadonlyMap<string, string> = new Map([
  ['=', 'equals'],
  ['~', 'contains'],
  ['^', 'starts with'],
]);
const frameGroups: ReadonlyMap<string, string> = new Map([
  ['function_file_name', 'file'],
  ['mapping_file', 'binary'],
  ['location_address', 'address'],
]);
const frameWords: ReadonlySet<string> = new Set(['function', 'file', 'binary', 'address']);

/** Returns the stages, each with its `|`, in the order in which Parca applies them. */
export function stagesOfParca(read: (key: string) => string): string {
  const filters = read('profile_filters').split(',').map(readFilter);
  const ofStacks = filters.filter((text) => text?.includes('stack ') === true);
  const ofFrames = filters.filter((text) => text?.startsWith('frame ') === true);
  const name = read('sandwich_function_name');
  const stages = [
    ...ofStacks,
    read('invert_call_stack') === 'true' ? 'invert' : undefined,
    name === '' ? undefined : `sandwich ${JSON.stringify(name)}`,
    ...ofFrames,
    readGroups(read('group_by')),
  ];
  return stages.map((text) => (text === undefined ? '' : ` | ${text}`)).join('');
}

/** Parses `s:fn:~:value`: subject, field, comparison, value; undefined if unknown. */
function readFilter(text: string): string | undefined {
  const found = /^(s|f):(fn|b|sn|f|a|ln):(!?[=~^]):(.*)$/.exec(text);
  if (found === null) return undefined;
  const [, tested, key, sign, encoded] = found;
  const field = fields.get(key) ?? '';
  const value = decoded(encoded);
  const isNumber = field === 'address' || field === 'line';
  if (isNumber && (!/^(0x[\da-f]+|\d+)$/i.test(value) || !sign.endsWith('='))) return undefined;
  const condition = isNumber
    ? `${field} ${value}`
    : `${field} ${comparisons.get(sign.replace('!', ''))} ${JSON.stringify(value)}`;
  const isNot = sign.startsWith('!');
  if (tested === 's') return `${isNot ? 'not ' : ''}stack ${condition}`;
  return `frame ${isNot ? 'drop' : 'keep'} ${condition}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readGroups(text: string): string | undefined {
  const words = text.split(',').flatMap((group) => {
    if (!group.startsWith('labels.')) return frameGroups.get(group) ?? [];
    const label = group.slice('labels.'.length);
    return /^[a-zA-Z_]\w*$/.test(label) && !frameWords.has(label) ? label : JSON.stringify(label);
  });
  return words.length === 0 ? undefined : `by (${words.join(', ')})`;
}
