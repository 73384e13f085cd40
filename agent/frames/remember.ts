// Names that take long to make, remembered.

/** Names that are held; the functions that a host runs in are some thousands. */
const namesMax = 16_384;

/** Returns a function with the same results, which makes each of them once; it forgets now and then. */
export function remember(makeName: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const made = known.get(name) ?? makeName(name);
    if (known.size >= namesMax && !known.has(name)) known.clear();
    known.set(name, made);
    return made;
  };
}
