// The settings of one entry of `kubernetes_sd_configs`.
import { dirname, resolve } from 'node:path';
import {
  checkHttpClient,
  httpFields,
  httpUrl,
  readHttpClient,
} from '../../config/schema/http-schema.ts';
import {
  boolean,
  list,
  nonEmptyText,
  readWord,
  optional,
  record,
  refine,
  required,
  text,
} from '../../config/schema/read.ts';
import type { SettingsOf } from '../kind/define.ts';

const role = readWord(['node', 'pod', 'service', 'endpoints', 'endpointslice', 'ingress']);
export type KubernetesRole = Exclude<ReturnType<typeof role>, symbol>;

/** Reads a selector: conditions, and the role to whose objects they apply. */
const selector = record({
  role: required(role),
  label: optional(text, ''),
  field: optional(text, ''),
});

const attachNothing = { node: false, namespace: false };

const inNoNamespace = { own_namespace: false, names: [] as readonly string[] };

export const kubernetesSchema = refine(
  record(
    {
      role: required(role),
      api_server: optional(httpUrl, ''),
      kubeconfig_file: optional(nonEmptyText, ''),
      namespaces: optional(
        record({
          own_namespace: optional(boolean, false),
          names: optional(list(nonEmptyText), []),
        }),
        inNoNamespace,
      ),
      selectors: optional(list(selector), []),
      attach_metadata: optional(
        record({ node: optional(boolean, false), namespace: optional(boolean, false) }, [
          'deployment',
          'job',
          'cronjob',
        ]),
        attachNothing,
      ),
      ...httpFields,
    },
    [],
    (given, place) => {
      checkHttpClient(place);
      const isExplicit = given.api_server !== '';
      if (isExplicit && given.kubeconfig_file !== '') {
        place.report('expected only one of api_server and kubeconfig_file');
      }
      const httpKeys = Object.keys(httpFields);
      const custom = place.entries()?.find(({ key }) => httpKeys.includes(key));
      if (custom !== undefined && !isExplicit) {
        place.at(custom.key).report(`${custom.key} needs api_server`);
      }
    },
  ),
  (given, place) => ({
    role: given.role,
    /**
     * Address of the API server; "" = the API server of `kubeconfig`, or that of the cluster in
     * which this process runs.
     */
    apiServer: given.api_server,
    /** Path of a kubeconfig: "" or an absolute path. */
    kubeconfig:
      given.kubeconfig_file === ''
        ? ''
        : resolve(dirname(place.source.file), given.kubeconfig_file),
    http: readHttpClient(given),
    /**
     * Namespaces that are searched; an empty list means all of them, unless `ownNamespace` is true.
     */
    namespaces: given.namespaces.names,
    ownNamespace: given.namespaces.own_namespace,
    selectors: given.selectors,
    /** Objects whose labels and annotations are attached to targets. */
    attach: given.attach_metadata,
  }),
);

/** Settings of discovery in a Kubernetes cluster. */
export type KubernetesSettings = SettingsOf<typeof kubernetesSchema>;
