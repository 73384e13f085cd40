// Finds the package of a function from its name: the unit that a library release changes.
import { baseName } from '../model/file-path.ts';

/**
 * Returns an import path of Go, a crate or namespace, or a Java package; the binary if the name has
 * none, as in C. Returns "" for the program itself, or if the package is unknown.
 */
export function packageOf(name: string, binary: string): string {
  const found = packageInName(name);
  if (found === undefined) return isLibrary(binary) ? baseName(binary) : '';
  return found === 'main' ? '' : found;
}

/** Returns undefined for a name without separators. */
function packageInName(name: string): string | undefined {
  if (name.includes('::')) return name.replace(/^[<&*(\s]+/, '').split(/::|[\s<>]/)[0];
  const bracket = name.search(/[[(]/);
  const path = bracket < 0 ? name : name.slice(0, bracket);
  const slash = path.lastIndexOf('/');
  const dot = path.indexOf('.', slash + 1);
  if (dot < 0) return undefined;
  const segments = path.split('.');
  const isOfGo = slash >= 0 || segments.length <= 2 || path.endsWith('.');
  // A class and its method, for example com.example.shop.Cart.add.
  return isOfGo ? path.slice(0, dot) : segments.slice(0, -2).join('.');
}

function isLibrary(binary: string): boolean {
  return /\.(?:so|dylib|dll)(?:\.|$)/.test(binary);
}
