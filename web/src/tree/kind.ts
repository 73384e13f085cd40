// Finds the kind of a function: the user's own code, a library, the kernel and so on.
import { baseName, withSlashes } from '../../../src/model/file-path.ts';

/** Name of the user's own kind. */
export const ownCode = 'own code';
const libraries = 'libraries';
const runtime = 'runtime';
const kernel = 'kernel';
const collection = 'garbage collection';
const interpreter = 'interpreter';

/** A function, by its names in an answer. */
interface Named {
  readonly name: string;
  readonly file: string;
  readonly binary: string;
}

/** A kind, undefined for "unknown", and its test. */
type Rule = readonly [kind: string | undefined, fits: (named: Named) => boolean];

const goLibraries = new Set(
  'archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp slices sort strconv strings sync testing text time unicode unique vendor'.split(
    ' ',
  ),
);

/** Hosts of public Go modules, with the number of segments of a module's path. */
const goHosts: ReadonlyMap<string, number> = new Map([
  ...['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'].map(
    (host) => [host, 3] as const,
  ),
  ...'cloud.google.com go.etcd.io go.mongodb.org go.opentelemetry.io go.uber.org golang.org google.golang.org gopkg.in honnef.co k8s.io modernc.org sigs.k8s.io'
    .split(' ')
    .map((host) => [host, 2] as const),
]);

/** Crates and packages that many programs use, for frames without a file. */
const crates =
  /^[<&]*(ahash|axum|bytes|crossbeam\w*|futures\w*|h2|hashbrown|hyper\w*|indexmap|mio|parking_lot\w*|rayon\w*|regex\w*|reqwest|ring|rustls|serde\w*|tokio\w*|tonic|tower\w*|tracing\w*)::/;
const javaPackages =
  /^(ch\.qos|com\.(fasterxml|google|zaxxer)|io\.(grpc|micrometer|netty|vertx)|kotlinx?|okhttp3|org\.(apache|eclipse|hibernate|postgresql|slf4j|springframework)|reactor|scala)\./;

/** The first rule that fits decides. */
const rules: readonly Rule[] = [
  [undefined, ({ name }) => /^$|^\(unknown\)$|(^|\+|\s)0x[\da-f]+$|^\(?idle\)?$/i.test(name)],
  [kernel, ({ binary }) => /^\[(kernel|guest\.kernel)|(^|\/)vmlinux/.test(binary)],
  [
    collection,
    ({ name }) =>
      /^\(?garbage collect/i.test(name) ||
      /^runtime\.(gc|bg(sweep|scavenge)|scan(object|block|stack|frame)|mark(root|Bits|)\b|greyobject|sweepone|wbBuf|findObject|\(\*(gcWork|gcBits|sweepLocked|gcControllerState)\))/.test(
        name,
      ),
  ],
  [runtime, ({ name }) => /^(runtime|internal|syscall)[./]/.test(name)],
  [
    runtime,
    ({ name, file }) => file.startsWith('node:') || /^\(?(program|node\.js)\)?$/i.test(name),
  ],
  // Callers of main and of a thread's function, which are in the program or have no binary.
  [
    runtime,
    ({ name, file }) =>
      file === '' &&
      /^(_start|__libc_start_\w+|(__)?clone3?|start_thread|_?pthread_\w+)$/.test(name),
  ],
  [runtime, ({ file }) => /^<frozen |(^|\/)rustc\//.test(file)],
  [runtime, ({ name }) => /^[<&]*(std|core|alloc)::|^(java|jdk|sun|javax)\./.test(name)],
  [
    interpreter,
    ({ file, binary }) =>
      /(^|\/)(lib)?(python|ruby|perl|php)[\d.]*(\.so[\d.]*)?$/.test(binary) &&
      !/\.(py|rb|pl|php)$/.test(file),
  ],
  [
    runtime,
    ({ binary }) =>
      /(^|\/)(ld-linux|ld-musl|lib(c|m|pthread|gcc_s|stdc\+\+|jvm|node|v8))\b[^/]*\.so/.test(
        binary,
      ),
  ],
  [
    libraries,
    ({ file }) =>
      /(^|\/)(node_modules|site-packages|dist-packages|vendor|third_party|external|pkg\/mod|\.cargo|registry\/src|gems|lib\/(python|ruby)[\d./]+)\/|@v\d/.test(
        file,
      ),
  ],
  [
    libraries,
    (named) =>
      !named.file.includes('/') &&
      (isPublicModule(named) || crates.test(named.name) || javaPackages.test(named.name)),
  ],
  [libraries, ({ name, file }) => isGo(name, file) && goLibraries.has(firstOfGoPath(name))],
  [libraries, ({ binary }) => /(^|\/)lib[^/]*\.so/.test(binary)],
];

/**
 * Returns the kind; undefined if it is unknown. What no rule matches is the user's own. A function
 * has the same kind in every answer.
 */
export function kindOf(name: string, file: string, binary: string): string | undefined {
  const named = { name, file: withSlashes(file), binary: withSlashes(binary) };
  const rule = rules.find(([, fits]) => fits(named));
  return rule === undefined ? ownCode : rule[0];
}

/** Returns true if a Go name is of a module that anybody can fetch, other than the main one. */
function isPublicModule({ name, binary }: Named): boolean {
  const path = name.split('/');
  const segments = goHosts.get(path[0]);
  if (segments === undefined || path.length < segments) return false;
  // "pq.(*conn).query" is the last segment of "github.com/lib/pq.(*conn).query".
  const [repository] = path[segments - 1].split('.');
  return repository !== baseName(binary);
}

/** First segment of the path of a Go function's package: "net" of "net/http.(*conn).serve". */
function firstOfGoPath(name: string): string {
  const segment = /^[^/[(]*/.exec(name)?.[0] ?? '';
  // The first word of a domain, or of a name with a dash, says nothing.
  return name[segment.length] === '/' ? segment : segment.split('.')[0];
}

function isGo(name: string, file: string): boolean {
  return file === '' ? /^[a-z]\w*(\/[\w.]+)*\.[(\w]/.test(name) : file.endsWith('.go');
}
