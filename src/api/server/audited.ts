// Paths and methods whose calls are written to the audit log.
import { parca } from '../../../proto/gen/debuginfo.js';
import type { Method, UnaryMethod } from '../transport/call/method.ts';
import type { Audit, AuditAction } from '../auth/audit.ts';
import type { Caller } from '../auth/caller.ts';

/** Audited actions by HTTP method and path; the path is without the `--path-prefix`. */
export const auditedRoutes: ReadonlyMap<string, AuditAction> = new Map<string, AuditAction>([
  ['POST /api/v1/admin/delete', 'delete'],
  ['POST /api/v1/admin/snapshot', 'snapshot'],
  ['POST /-/reload', 'reload'],
  ['GET /api/v1/settings', 'settings'],
  ['GET /api/v1/status/config', 'settings'],
  ['GET /api/v1/status/config/diff', 'settings'],
  ['POST /api/v1/debuginfo', 'upload'],
  ['GET /buildid/:id/debuginfo', 'download'],
  ['GET /buildid/:id/executable', 'download'],
  ['GET /buildid/:id/section/*', 'download'],
  ['DELETE /api/v1/queries/:id', 'cancel query'],
  ['DELETE /api/v1/shares/:id', 'unshare'],
  ['DELETE /api/v1/marks/:id', 'unmark'],
  ['DELETE /api/v1/views/:id', 'remove view'],
  ['GET /debug/pprof/heap', 'profile server'],
  ['GET /debug/pprof/profile', 'profile server'],
]);

const messages = parca.debuginfo.v1alpha1;
const debuginfo = '/parca.debuginfo.v1alpha1.DebuginfoService';

interface AuditedMethod {
  readonly action: AuditAction;
  /**
   * Returns the object of the action, such as a build id, from an accepted request; "" if there is
   * none.
   */
  readonly readObject: (request: Uint8Array) => string;
}

/**
 * Audited actions of methods, by path. Pushes are not audited, because there are too many; they are
 * only counted.
 */
const auditedMethods: ReadonlyMap<string, AuditedMethod> = new Map<string, AuditedMethod>([
  [
    `${debuginfo}/InitiateUpload`,
    {
      action: 'upload',
      readObject: (request) => `begin ${messages.InitiateUploadRequest.decode(request).buildId}`,
    },
  ],
  [
    `${debuginfo}/MarkUploadFinished`,
    {
      action: 'upload',
      readObject: (request) =>
        `finish ${messages.MarkUploadFinishedRequest.decode(request).buildId}`,
    },
  ],
  [
    '/parca.query.v1alpha1.QueryService/ShareProfile',
    { action: 'share', readObject: () => 'a profile' },
  ],
]);

/**
 * Wraps a method so that its calls by `caller` are recorded, if the audit log covers the method.
 */
export function audited(method: Method, { name }: Caller, audit: Audit): Method {
  const of = auditedMethods.get(method.path);
  if (of === undefined || method.kind !== 'unary') return method;
  const handle: UnaryMethod['handle'] = async (request, context) => {
    const event = { action: of.action, who: name, from: context.peer };
    let what = method.path;
    try {
      const answer = await method.handle(request, context);
      what = `${method.path} ${of.readObject(request)}`;
      audit.outcome({ action: event.action, who: event.who, from: event.from, what });
      return answer;
    } catch (error) {
      audit.outcome({ action: event.action, who: event.who, from: event.from, what }, error);
      throw error;
    }
  };
  return { path: method.path, kind: 'unary', handle };
}
