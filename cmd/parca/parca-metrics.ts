// Exports the server's metrics under Parca's names, too, for existing dashboards and alerts.
import type { OtherNames } from '../other-names.ts';

/** Parca's names for our metrics; its dashboard uses some names that Parca no longer has. */
export const serverNames: OtherNames = {
  parca_ingest_profiles_total: [{ name: 'parca_tsdb_head_profiles_appended_total' }],
  parca_storage_cuts_total: [{ name: 'parca_tsdb_head_truncated_chunks_total' }],
  parca_storage_head_first_timestamp_seconds: [{ name: 'parca_tsdb_head_min_time' }],
  parca_storage_head_last_timestamp_seconds: [{ name: 'parca_tsdb_head_max_time' }],
  parca_debuginfod_requests_total: [{ name: 'parca_debuginfo_client_requests_total' }],
};
