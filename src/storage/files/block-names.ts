// The names of a block's files, in a storage directory and in a bucket.

/** The folder of the blocks, in a storage directory and in a bucket. */
export const blocksFolder = 'blocks';
const blockSuffix = '.block';
const deletedSuffix = '.deleted';

/** The folder of the blocks of a storage directory. */
export function blocksPathOf(storagePath: string): string {
  return `${storagePath}/${blocksFolder}`;
}

export function blockName(id: string): string {
  return id + blockSuffix;
}

/** The side file that says what is deleted of a block. */
export function deletedName(id: string): string {
  return id + deletedSuffix;
}

/** Path of the side file, which lies beside the block. */
export function deletedPathOf(blockPath: string): string {
  return deletedName(withoutSuffix(blockPath, blockSuffix) ?? blockPath);
}

/** The id of the block whose file has this name; undefined for other files. */
export function blockIdOf(name: string): string | undefined {
  return withoutSuffix(name, blockSuffix);
}

/** The id of the block whose side file has this name; undefined for other files. */
export function deletedIdOf(name: string): string | undefined {
  return withoutSuffix(name, deletedSuffix);
}

function withoutSuffix(name: string, suffix: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}
