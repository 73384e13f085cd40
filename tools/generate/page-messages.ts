// Generates the page's protobuf tables, web/src/rpc/*.gen.ts, from proto/. Tables contain only the
// fields that the page uses, because each field adds bytes to the first load.
//
// Usage: node tools/generate/page-messages.ts
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import protobuf from 'protobufjs';

const project = resolve(import.meta.dirname, '../..');
const protoFolder = join(project, 'proto');

/** Folder of the generated files, relative to the root. */
const folder = 'web/src/rpc';

/** A table: its name in the page, the message in proto/, and the used fields. */
type Table = readonly [name: string, message: string, fields: string];
/** A constant: its name in the page, the enum in proto/, and the enum value. */
type Constant = readonly [name: string, enumeration: string, value: string];

interface PageFile {
  readonly purpose: string;
  /** Each table comes after the tables that it contains. */
  readonly tables: readonly Table[];
  readonly constants: readonly Constant[];
  /** Types of messages: name of the type, and of its table. */
  readonly types: readonly (readonly [type: string, table: string])[];
}

const query = 'parca.query.v1alpha1';
const profiles = 'parca.profilestore.v1alpha1';
const scrape = 'parca.scrape.v1alpha1';

const firstFile = 'messages.gen.ts';

/** Generated files; tables in the first file can be used in all files. */
const files: Readonly<Record<string, PageFile>> = {
  [firstFile]: {
    purpose: 'Messages of queries and targets, which the first load needs.',
    tables: [
      ['timestamp', 'google.protobuf.Timestamp', 'seconds nanos'],
      ['duration', 'google.protobuf.Duration', 'seconds nanos'],
      ['label', `${profiles}.Label`, 'name value'],
      ['labelSet', `${profiles}.LabelSet`, 'labels'],
      ['valueType', `${query}.ValueType`, 'type unit'],
      ['profileTypesRequest', `${query}.ProfileTypesRequest`, 'start end'],
      [
        'profileType',
        `${query}.ProfileType`,
        'name sampleType sampleUnit periodType periodUnit delta',
      ],
      ['profileTypesResponse', `${query}.ProfileTypesResponse`, 'types'],
      ['labelsRequest', `${query}.LabelsRequest`, 'match start end profileType'],
      ['labelsResponse', `${query}.LabelsResponse`, 'labelNames warnings'],
      ['valuesRequest', `${query}.ValuesRequest`, 'labelName match start end profileType'],
      ['valuesResponse', `${query}.ValuesResponse`, 'labelValues warnings'],
      [
        'queryRangeRequest',
        `${query}.QueryRangeRequest`,
        'query start end limit step sumBy averages byFirstLabel',
      ],
      [
        'metricsSample',
        `${query}.MetricsSample`,
        'timestamp value valuePerSecond duration count rate coveredNanos',
      ],
      [
        'metricsSeries',
        `${query}.MetricsSeries`,
        'labelset samples periodType sampleType total average coveredNanos snapshots',
      ],
      ['queryRangeResponse', `${query}.QueryRangeResponse`, 'series warnings profileTypes'],
      ['mergeProfile', `${query}.MergeProfile`, 'query start end'],
      ['nameSearch', `${query}.NameSearch`, 'text mode'],
      ['groupBy', `${query}.GroupBy`, 'fields'],
      [
        'queryRequest',
        `${query}.QueryRequest`,
        'mode merge reportType groupBy rootTrimThreshold search zoomPath topRecord',
      ],
      ['shareProfileRequest', `${query}.ShareProfileRequest`, 'queryRequest'],
      ['shareProfileResponse', `${query}.ShareProfileResponse`, 'link'],
      ['top', `${query}.Top`, 'unit record'],
      ['flamegraphArrow', `${query}.FlamegraphArrow`, 'record unit height trimmed'],
      ['answerFacts', `${query}.AnswerFacts`, 'total sampleCount coveredNanos period snapshots'],
      ['loadRatio', `${query}.LoadRatio`, 'ratio relativeError functionCount'],
      ['searchTotals', `${query}.SearchTotals`, 'cumulative flat names'],
      [
        'queryResponse',
        `${query}.QueryResponse`,
        `top total filtered flamegraphArrow profileCount sampleCount coveredNanos period snapshots
         warnings base search zoomedFrames profileTypes load`,
      ],
      ['targetsRequest', `${scrape}.TargetsRequest`, 'state'],
      [
        'target',
        `${scrape}.Target`,
        'discoveredLabels labels lastError lastScrape lastScrapeDuration url health',
      ],
      ['targets', `${scrape}.Targets`, 'targets'],
      ['targetsResponse', `${scrape}.TargetsResponse`, 'targets'],
    ],
    constants: [
      ['mergeMode', `${query}.QueryRequest.Mode`, 'MODE_MERGE'],
      ['topReport', `${query}.QueryRequest.ReportType`, 'REPORT_TYPE_TOP'],
      ['flameGraphArrowReport', `${query}.QueryRequest.ReportType`, 'REPORT_TYPE_FLAMEGRAPH_ARROW'],
      ['metadataReport', `${query}.QueryRequest.ReportType`, 'REPORT_TYPE_PROFILE_METADATA'],
      ['textSearch', `${query}.NameSearch.Mode`, 'MODE_TEXT_UNSPECIFIED'],
      ['regexSearch', `${query}.NameSearch.Mode`, 'MODE_REGEX'],
      ['caseSearch', `${query}.NameSearch.Mode`, 'MODE_CASE'],
      ['activeTargets', `${scrape}.TargetsRequest.State`, 'STATE_ACTIVE'],
      ['droppedTargets', `${scrape}.TargetsRequest.State`, 'STATE_DROPPED'],
    ],
    types: [
      ['Timestamp', 'timestamp'],
      ['LabelSet', 'labelSet'],
      ['ProfileTypeMessage', 'profileType'],
      ['MetricsSeries', 'metricsSeries'],
      ['TargetMessage', 'target'],
    ],
  },
  'lines.gen.ts': {
    purpose: 'Messages of a query for the lines of a file.',
    tables: [
      ['sourceReference', `${query}.SourceReference`, 'buildId filename sourceOnly'],
      ['linesRequest', `${query}.QueryRequest`, 'mode merge reportType sourceReference'],
      ['source', `${query}.Source`, 'record source unit whyEmpty'],
      [
        'linesResponse',
        `${query}.QueryResponse`,
        'total source sampleCount coveredNanos period snapshots warnings',
      ],
    ],
    constants: [['sourceReport', `${query}.QueryRequest.ReportType`, 'REPORT_TYPE_SOURCE']],
    types: [],
  },
  'agents.gen.ts': {
    purpose: 'Messages of the list of agents.',
    tables: [
      ['agent', `${profiles}.Agent`, 'id lastError lastPush lastPushDuration node address'],
      ['agentsRequest', `${profiles}.AgentsRequest`, ''],
      ['agentsResponse', `${profiles}.AgentsResponse`, 'agents'],
    ],
    constants: [],
    types: [['AgentMessage', 'agent']],
  },
};

const protos = [
  'parca/query/v1alpha1/query.proto',
  'parca/scrape/v1alpha1/scrape.proto',
  'parca/profilestore/v1alpha1/profilestore.proto',
];

/** Returns the content of each generated file, by its path relative to the root. */
export function pageMessages(): ReadonlyMap<string, string> {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(protoFolder, target);
  root.loadSync(protos);
  root.resolveAll();
  return new Map(
    Object.entries(files).map(([name, file]) => [join(folder, name), printFile(root, file)]),
  );
}

function printFile(root: protobuf.Root, file: PageFile): string {
  const { purpose, tables, constants, types } = file;
  const shared = file === files[firstFile] ? [] : files[firstFile].tables;
  const names = new Map([...shared, ...tables].map(([name, message]) => [`.${message}`, name]));
  const body = [
    ...tables.map((table) => printTable(root, table, names)),
    ...constants.map(([name, enumeration, value]) => {
      const number = root.lookupEnum(enumeration).values[value];
      if (number === undefined) throw new Error(`${enumeration} has no ${value}`);
      return `export const ${name} = ${number};`;
    }),
    ...types.map(
      ([type, table]) => `export type ${type} = Exclude<ValueOf<typeof ${table}>, undefined>;`,
    ),
  ].join('\n');
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}(?=[\\](),])`).test(body);
  const codecs = 'bool bytes double float int32 int64 mapCodec message repeated string uint32'
    .split(' ')
    .filter(isUsed);
  const fromOurs = [...codecs, ...(types.length > 0 ? ['type ValueOf'] : [])]
    .map((name) => ` ${name},`)
    .join('\n');
  const fromFirst = shared.map(([name]) => name).filter(isUsed);
  return [
    `// ${purpose}`,
    '//',
    '// Generated from proto/ by tools/generate/page-messages.ts. Do not edit.',
    `import {\n${fromOurs}\n} from './protobuf.ts';`,
    ...(fromFirst.length > 0 ? [`import { ${fromFirst.join(', ')} } from './${firstFile}';`] : []),
    '',
    body,
    '',
  ].join('\n');
}

function printTable(
  root: protobuf.Root,
  [name, message, fields]: Table,
  names: ReadonlyMap<string, string>,
): string {
  const type = root.lookupType(message);
  const rows = fields
    .split(/\s+/)
    .filter((field) => field !== '')
    .map((field) => {
      const found = type.fields[field];
      if (found === undefined) throw new Error(`${message} has no field ${field}`);
      return ` ${field}: [${found.id}, ${chooseCodec(found, names)}],`;
    });
  return `export const ${name} = message({${['', ...rows, ''].join('\n')}});`;
}

/** Returns the codec for a field's type: plain, repeated or in a map of strings. */
function chooseCodec(field: protobuf.Field, names: ReadonlyMap<string, string>): string {
  const { resolvedType } = field;
  const single =
    resolvedType instanceof protobuf.Enum
      ? 'int32'
      : resolvedType === null
        ? field.type
        : names.get(resolvedType.fullName);
  if (single === undefined) throw new Error(`${field.fullName}: its message has no table before`);
  if (field.map) return `mapCodec(${single})`;
  return field.repeated ? `repeated(${single})` : single;
}

if (import.meta.main) {
  for (const [path, text] of pageMessages()) writeFileSync(join(project, path), text);
}
