// Takes what nobody must read out of a config file: secrets, and comments.
import { type Document, isScalar, type Node, type Scalar, visit } from 'yaml';

const mask = '<secret>';

/** Keys of secrets, for values that no schema has read: those of maps that others override. */
const secretKeys = /(?:password|secret|secret_key|access_key|token|credentials)$/i;

/** Masks `secrets`, and values that look like some; removes comments, which may quote them. */
export function maskSecrets(document: Document, secrets: ReadonlySet<Node>): void {
  document.commentBefore = null;
  document.comment = null;
  visit(document, {
    Collection: (_, node) => removeComments(node),
    Pair(_, { key, value }) {
      const isSecret = isScalar(key) && secretKeys.test(String(key.value));
      if (isSecret && isScalar(value) && value.value !== null) setText(value, mask);
    },
    Alias: (_, node) => removeComments(node),
    Scalar(_, node) {
      removeComments(node);
      if (secrets.has(node) && node.value !== null) setText(node, mask);
    },
  });
}

function removeComments(node: Node): void {
  node.comment = null;
  node.commentBefore = null;
}

function setText(node: Scalar, text: string): void {
  node.value = text;
  node.type = 'PLAIN';
}
