// Computes the digest of everything that proto/gen depends on, and of proto/gen itself.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');

/** File of proto/gen in which the generator writes the digest. */
export const digestFile = 'digest.txt';

/** Returns the paths of all .proto files below `folder`, sorted. */
export function protoFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.proto'))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
}

/** Returns the digest of the .proto files, the generator, its packages and the files of `outputFolder`. */
export function computeProtoDigest(outputFolder) {
  const hash = createHash('sha256');
  const add = (name, content) => hash.update(`${name} ${content.length}\n`).update(content);
  const addFiles = (folder, names) => {
    for (const name of names) add(name, readFileSync(join(folder, name)));
  };
  addFiles(join(project, 'proto'), protoFiles(join(project, 'proto')));
  const generator = readdirSync(import.meta.dirname).filter((name) => name.startsWith('proto'));
  addFiles(import.meta.dirname, generator.sort());
  for (const name of ['protobufjs', 'protobufjs-cli']) {
    const text = readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8');
    add(name, JSON.parse(text).version);
  }
  const outputs = readdirSync(outputFolder).filter((name) => name !== digestFile);
  addFiles(outputFolder, outputs.sort());
  return `${hash.digest('hex')}\n`;
}
