// HTTP paths about targets: Prometheus' list with additional facts, and a test of relabeling.
import { parseJsonBytes } from '../../base/text/json.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { relabelTestBytesMax } from '../limits.ts';
import { isLabelName, labelsToObject } from '../../model/labels.ts';
import type { ReadRules, RelabelSteps, RelabelTest, ScrapeStatus } from '../../scrape/interface.ts';
import type { TransportContext } from '../transport/call/call.ts';
import { TargetTurns } from '../transport/call/target-turns.ts';
import { serveCall, withBody } from '../transport/http/serve-call.ts';
import { listTargets } from './target-list.ts';

/** Adds the paths. `scrape` throws AppError 'unavailable' while the server starts. */
export function addTargetRoutes(
  app: FastifyInstance,
  transport: TransportContext,
  scrape: () => ScrapeStatus,
  readRules: ReadRules,
): void {
  const turns = new TargetTurns(transport.runner.clock, 'list targets');
  const testTurns = new TargetTurns(transport.runner.clock, 'test relabeling');
  app.get('/api/v1/targets', (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Targets/List', endsWithCaller: true },
      request,
      reply,
      async (caller) => turns.stream(caller, () => listTargets(scrape(), request.url)),
      (list) =>
        reply
          .header('cache-control', 'no-store')
          .type('application/json; charset=utf-8')
          .send(list),
    ),
  );
  app.post('/api/v1/targets/relabel_steps', (request, reply) =>
    serveCall(
      transport,
      { path: '/parca.http.v1.Targets/RelabelSteps', endsWithCaller: true },
      request,
      reply,
      (caller) =>
        withBody(transport, request, async (body) => {
          const { yaml, ...given } = readTest(body);
          const rules = yaml === undefined ? undefined : await readRules(yaml, caller);
          const test = { ...given, rules };
          return stepsToJson(await testTurns.run(caller, () => scrape().testRelabeling(test)));
        }),
      (data) => reply.header('cache-control', 'no-store').send({ status: 'success', data }),
    ),
  );
}

/** A relabeling test whose rules are still YAML; undefined = the rules of the job. */
interface GivenTest extends Omit<RelabelTest, 'rules'> {
  readonly yaml: string | undefined;
}

/** Reads a test of relabeling. Errors: AppError 'invalid-argument', 'resource-exhausted'. */
function readTest(body: Uint8Array): GivenTest {
  if (body.length > relabelTestBytesMax) {
    const why = `it has ${body.length} bytes, the limit is ${relabelTestBytesMax}`;
    throw new AppError('resource-exhausted', `cannot test relabeling: ${why}`);
  }
  const given = parseJson(body);
  const readParameter = (name: string): string | undefined => {
    const value: unknown = given[name];
    if (value === undefined || typeof value === 'string') return value;
    throw invalid(`${name} must be a text`);
  };
  const { labels = {} } = given;
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) {
    throw invalid('labels must be an object of texts');
  }
  return {
    job: readParameter('scrapePool') ?? '',
    yaml: readParameter('relabelConfigs'),
    labels: Object.entries(labels).map(([name, value]: [string, unknown]) => {
      if (!isLabelName(name)) throw invalid(`${JSON.stringify(name)} is not a label name`);
      if (typeof value !== 'string') throw invalid(`label ${name} must be a text`);
      return { name, value };
    }),
  };
}

function parseJson(body: Uint8Array): Readonly<Record<string, unknown>> {
  const value = parseJsonBytes(body, 'cannot test relabeling: the body is not JSON');
  if (typeof value !== 'object' || value === null) throw invalid('the body is not an object');
  return { ...value };
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError('invalid-argument', `cannot test relabeling: ${why}`, { cause });
}

function stepsToJson(answer: RelabelSteps): object {
  const { job, rulesText, discoveredLabels, steps, target, mistake } = answer;
  return {
    scrapePool: job,
    relabelConfigs: rulesText,
    discoveredLabels: labelsToObject(discoveredLabels),
    steps: steps.map(({ rule, labels, isDropped }) => ({
      rule: ruleToJson(rule),
      output: labelsToObject(labels),
      keep: !isDropped,
    })),
    labels: target && labelsToObject(target.labels),
    scrapeUrl: target?.url,
    mistake: mistake === '' ? undefined : mistake,
  };
}

function ruleToJson(rule: RelabelSteps['steps'][number]['rule']): object {
  const { action, sourceLabels, separator, regex, modulus, targetLabel, replacement } = rule;
  return {
    action,
    source_labels: sourceLabels,
    separator,
    regex,
    modulus: Number(modulus),
    target_label: targetLabel,
    replacement,
  };
}
