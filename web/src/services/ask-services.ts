// Sends the requests for the list of services.
import { serviceLabels, versionLabels } from '../../../src/model/service-labels.ts';
import { profileTypeOptions } from '../format/profile-type.ts';
import type { Api, Span } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import { sparkPoints } from './service-points.ts';
import { type ServiceAnswers, typesToAsk } from './service-rows.ts';

/**
 * gRPC codes for a request that is too large, or for damaged data; the results of other requests
 * are still shown.
 */
const partialCodes: ReadonlySet<number> = new Set([8, 11, 15]);
interface AskedServices {
  readonly answers: ServiceAnswers;
  /** Sentences about missing data, with reasons. */
  readonly warnings: readonly string[];
}

/** Requests the services in a time span. Errors: RpcError. */
export async function askServices(api: Api, span: Span, asking: Asking): Promise<AskedServices> {
  const [found, targets] = await Promise.all([
    api.profileTypes(asking.signal),
    api.targets('active', asking.signal),
  ]);
  const { cpu, memory, others } = typesToAsk(profileTypeOptions(found));
  const warnings: string[] = [];
  const length = span.to - span.from + 1;
  const stepMillis = Math.ceil(length / sparkPoints);
  const ask = async (query: string, asked: Span, step: number, label?: string) => {
    const sumBy = label === undefined ? serviceLabels : [...serviceLabels, label];
    const isByFirstLabel = label === undefined;
    const question = { query, span: asked, stepMillis: step, sumBy, isByFirstLabel };
    try {
      const answer = await api.queryRange(question, asking);
      warnings.push(...answer.warnings);
      return answer.series;
    } catch (error) {
      if (!(error instanceof RpcError) || !partialCodes.has(error.code)) throw error;
      warnings.push(`${query}: ${error.message}`);
      return [];
    }
  };
  const before = { from: span.from - length, to: span.from - 1 };
  // Requests several buckets, because a single bucket would not contain the time of the last
  // profile.
  const askSteps = async (type: string) => ({
    type,
    series: await ask(type, span, stepMillis),
    before: [],
  });
  const askCores = async (type: string) => ({
    type,
    series: await ask(type, span, stepMillis),
    before: await ask(type, before, length),
  });
  const askVersions = async (type: string) => {
    const names = await api.labelNames(type, asking.signal);
    const label = versionLabels.find((name) => names.includes(name));
    if (label === undefined) return {};
    return { versions: { label, series: await ask(type, span, stepMillis, label) } };
  };
  const answers = {
    from: span.from,
    stepMillis,
    targets,
    cpu: await Promise.all(
      cpu.map(async (type) => ({ ...(await askCores(type)), ...(await askVersions(type)) })),
    ),
    memory: await Promise.all(memory.map(askSteps)),
    others: await Promise.all(others.map(askSteps)),
  };
  return { answers, warnings };
}
