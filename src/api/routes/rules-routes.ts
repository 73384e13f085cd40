// HTTP paths of rules and alerts, in the form of Prometheus' API.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { formatGoExponent } from '../../base/text/go-number.ts';
import { labelsToObject } from '../../model/labels.ts';
import type {
  Alert,
  RuleGroupStatus,
  RulesStatus,
  RuleStatus,
  TemplateLabel,
} from '../../rules/interface.ts';
import { formatGoTime } from '../transport/json/time.ts';
import { sendError } from '../transport/http/serve-call.ts';

/** Adds the paths. `rules` throws AppError 'unavailable' while the server starts. */
export function addRulesRoutes(app: FastifyInstance, rules: () => RulesStatus): void {
  const answer = (path: string, data: (url: URLSearchParams) => object): void => {
    app.get(path, async (request, reply) => {
      try {
        const { searchParams } = new URL(request.url, 'http://localhost');
        return await sendData(reply, data(searchParams));
      } catch (error) {
        return sendError(reply, error);
      }
    });
  };
  answer('/api/v1/rules', (given) => ({ groups: listGroups(rules().groups(), given) }));
  answer('/api/v1/alerts', () => ({
    alerts: [
      ...rules()
        .groups()
        .flatMap(({ rules: all }) => all.flatMap(({ alerts }) => alerts)),
      ...rules().otherAlerts(),
    ]
      .filter(isActive)
      .map(alertToJson),
  }));
  answer('/api/v1/alertmanagers', () => {
    const { active, dropped } = rules().alertmanagers();
    const toJson = (urls: readonly string[]): object[] => urls.map((url) => ({ url }));
    return { activeAlertmanagers: toJson(active), droppedAlertmanagers: toJson(dropped) };
  });
}

/** Refuses to list rules: throws AppError 'unimplemented'. */
export function noRules(): never {
  throw new AppError('unimplemented', 'cannot list rules: this server evaluates none');
}

function sendData(reply: FastifyReply, data: object): FastifyReply {
  return reply.header('cache-control', 'no-store').send({ status: 'success', data });
}

function listGroups(groups: readonly RuleGroupStatus[], given: URLSearchParams): object[] {
  const type = given.get('type') ?? '';
  if (type !== '' && type !== 'alert' && type !== 'record') {
    const why = `type must be alert or record, got ${JSON.stringify(type)}`;
    throw new AppError('invalid-argument', `cannot list rules: ${why}`);
  }
  const has = (name: string, value: string): boolean => {
    const wanted = given.getAll(`${name}[]`);
    return wanted.length === 0 || wanted.includes(value);
  };
  const hidesAlerts = /^(?:1|t|true)$/i.test(given.get('exclude_alerts') ?? '');
  const isListed = ({ config }: RuleStatus): boolean =>
    (type === '' || type === config.kind) && has('rule_name', config.name);
  const listed = groups.filter(
    ({ config, rules }) =>
      has('rule_group', config.name) && has('file', config.file) && rules.some(isListed),
  );
  return listed.map((group) => ({
    name: group.config.name,
    file: group.config.file,
    interval: group.config.intervalMillis / 1000,
    limit: group.config.limit,
    evaluationTime: group.evaluationSeconds,
    lastEvaluation: formatGoTime(group.lastEvaluationMillis),
    rules: group.rules.filter(isListed).map((rule) => ruleToJson(rule, hidesAlerts)),
  }));
}

function ruleToJson(rule: RuleStatus, hidesAlerts: boolean): object {
  const { config } = rule;
  const common = {
    name: config.name,
    query: config.text,
    firstQuery: config.firstQuery,
    labels: templatesToJson(config.labels),
    health: rule.health,
    lastError: rule.lastError === '' ? undefined : rule.lastError,
    evaluationTime: rule.evaluationSeconds,
    lastEvaluation: formatGoTime(rule.lastEvaluationMillis),
  };
  if (config.kind === 'record') return { ...common, type: 'recording' };
  const active = rule.alerts.filter(isActive);
  const isFiring = active.some(({ state }) => state === 'firing');
  return {
    ...common,
    type: 'alerting',
    state: isFiring ? 'firing' : active.length > 0 ? 'pending' : 'inactive',
    duration: config.forMillis / 1000,
    keepFiringFor: config.keepFiringMillis / 1000,
    annotations: templatesToJson(config.annotations),
    alerts: hidesAlerts ? undefined : active.map(alertToJson),
  };
}

function isActive({ state }: Alert): boolean {
  return state !== 'inactive';
}

function alertToJson(alert: Alert): object {
  const { keptSinceMillis } = alert;
  return {
    labels: labelsToObject(alert.labels),
    annotations: labelsToObject(alert.annotations),
    state: alert.state,
    activeAt: formatGoTime(alert.activeMillis),
    keepFiringSince: keptSinceMillis === undefined ? undefined : formatGoTime(keptSinceMillis),
    value: formatGoExponent(alert.value),
  };
}

function templatesToJson(labels: readonly TemplateLabel[]): Readonly<Record<string, string>> {
  return Object.fromEntries(labels.map(({ name, template }) => [name, template.text]));
}
