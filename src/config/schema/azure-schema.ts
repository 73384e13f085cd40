// The schema of an Azure bucket: a container of a storage account.
import type { AzureBucket, AzureBucketLogin } from '../bucket-config.ts';
import { bucketHttp } from './bucket-http-schema.ts';
import {
  boolean,
  duration,
  integer,
  named,
  optional,
  type Reader,
  record,
  refine,
  required,
  secret,
  text,
  type RecordOf,
} from './read.ts';
import { s3EndpointMistake } from '../s3-names.ts';
import { bucketAttemptsMax } from './s3-schema.ts';

/** Form of a container's name; see https://learn.microsoft.com/rest/api/storageservices/naming. */
const containerForm = /^(?:\$root|\$logs|[a-z0-9](?:-?[a-z0-9]){2,62})$/;
const accountForm = /^[a-z0-9]{3,24}$/;

function ofForm(what: string, form: RegExp): Reader<string> {
  return named(what, (name) => (form.test(name) ? undefined : 'Azure does not allow it'));
}

const attempts = integer(0, bucketAttemptsMax);

const reader = record({ max_retry_requests: optional(attempts, 0) });
const pipeline = record({
  max_tries: optional(attempts, 0),
  try_timeout: optional(duration, 0),
  // These delays are not used, because delays between attempts grow in the same way for every
  // bucket.
  retry_delay: optional(duration, 0),
  max_retry_delay: optional(duration, 0),
});

const msiResource: Reader<string> = refine(text, (value, place) => {
  place.warn('msi_resource has no effect, as in Thanos: the client knows it');
  return value;
});

const fields = {
  storage_account: required(ofForm('storage account', accountForm)),
  storage_account_key: optional(secret, ''),
  storage_connection_string: optional(secret, ''),
  storage_create_container: optional(boolean, true),
  container: required(ofForm('container', containerForm)),
  endpoint: optional(named('endpoint', s3EndpointMistake), 'blob.core.windows.net'),
  az_tenant_id: optional(text, ''),
  client_id: optional(text, ''),
  client_secret: optional(secret, ''),
  user_assigned_id: optional(text, ''),
  max_retries: optional(attempts, 0),
  reader_config: optional(reader, undefined),
  pipeline_config: optional(pipeline, undefined),
  http_config: bucketHttp,
  msi_resource: optional(msiResource, ''),
};

/**
 * Returns the contradiction between the keys of a login, by the rules of Thanos; undefined if there
 * is none.
 */
function loginMistake(given: Partial<RecordOf<typeof fields>>): string | undefined {
  const isSet = (value: string | undefined): boolean => (value ?? '') !== '';
  const userAssigned = isSet(given.user_assigned_id);
  const others = ['storage_account_key', 'storage_connection_string', 'client_id'] as const;
  const other = userAssigned ? others.find((key) => isSet(given[key])) : undefined;
  if (other !== undefined) return `expected only one of user_assigned_id and ${other}`;
  const parts = [given.az_tenant_id, given.client_id, given.client_secret].map(isSet);
  if (parts.some(Boolean) && !parts.every(Boolean)) {
    return 'expected all of az_tenant_id, client_id and client_secret, or none of them';
  }
  if (isSet(given.storage_account_key) && isSet(given.storage_connection_string)) {
    return 'expected only one of storage_account_key and storage_connection_string';
  }
  return undefined;
}

export const azure: Reader<AzureBucket> = refine(
  record(fields, [], (given, place) => {
    const mistake = loginMistake(given);
    if (mistake !== undefined) place.report(mistake);
  }),
  (given) => ({
    type: 'AZURE',
    account: given.storage_account,
    container: given.container,
    endpoint: given.endpoint,
    login: loginBy(given),
    createsContainer: given.storage_create_container,
    attemptsMax: given.pipeline_config?.max_tries || given.max_retries,
    attemptMillisMax: given.pipeline_config?.try_timeout ?? 0,
    http: given.http_config,
  }),
);

function loginBy(given: RecordOf<typeof fields>): AzureBucketLogin {
  const { storage_connection_string: connection, storage_account_key: key } = given;
  if (connection !== '') return { kind: 'connection-string', text: connection };
  if (key !== '') return { kind: 'key', key };
  const { az_tenant_id: tenantId, client_id: clientId, client_secret: clientSecret } = given;
  if (clientSecret !== '') return { kind: 'secret', tenantId, clientId, secret: clientSecret };
  if (given.user_assigned_id !== '') {
    return { kind: 'user-assigned', clientId: given.user_assigned_id };
  }
  return { kind: 'default' };
}
