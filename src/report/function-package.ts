// The package that a function belongs to, by its name: what a release of a library changes.
import { baseName } from '../model/file-path.ts';

/**
 * Returns the package: an import path of Go, a crate or a namespace, a package of Java; the binary
 * for a name without any, as those of C. "" if it is the program itself, or not known.
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
  // A class and its method: com.example.shop.Cart.add.
  return isOfGo ? path.slice(0, dot) : segments.slice(0, -2).join('.');
}

function isLibrary(binary: string): boolean {
  return /\.(?:so|dylib|dll)(?:\.|$)/.test(binary);
}
