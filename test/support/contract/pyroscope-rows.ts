// One valid and one invalid call for each method of Pyroscope's services.
import type { Client } from '@grpc/grpc-js';
import { adhocprofiles } from '../../../proto/gen/pyroscope.js';
import { unary } from '../grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../profiles/pprof-builder.ts';
import { from, type Refusal, type Row, undecodable } from './contract-rows.ts';

const times = { start: (from - 60) * 1_000, end: (from + 60) * 1_000 };
const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const selected = { ...times, profileTypeID: cpu, labelSelector: '{job="contract"}' };
const refused = (request: object, message: RegExp): Refusal => {
  return { request: { ...request }, code: 'invalidArgument', message };
};
const reversed = { start: 2_000, end: 1_000 };
const isReversed = /end must not be before start/;
const badType = { ...selected, profileTypeID: 'cpu' };
const isBadType = /invalid profile type "cpu"/;

const querierRows: Readonly<Record<string, Row>> = {
  ProfileTypes: {
    good: () => times,
    answer: new RegExp(`"ID":"${cpu}"`),
    bad: refused(reversed, isReversed),
  },
  LabelNames: {
    good: () => ({ ...times, matchers: ['{job="contract"}'] }),
    answer: /"__profile_type__".*"job".*"service_name"/,
    bad: refused({ ...times, matchers: ['{a='] }, /cannot parse selector/),
  },
  LabelValues: {
    good: () => ({ ...times, name: 'service_name' }),
    answer: /"contract"/,
    bad: refused(times, /name: cannot be blank/),
  },
  Series: {
    good: () => ({ ...times, labelNames: ['service_name'] }),
    answer: /"labelsSet":\[.*"contract"/,
    bad: refused(reversed, isReversed),
  },
  SelectSeries: {
    good: () => ({ ...selected, step: 15, groupBy: ['service_name'] }),
    answer: /"contract".*"points":\[/,
    bad: refused({ ...selected, step: 0 }, /step must be at least a millisecond/),
  },
  SelectMergeStacktraces: {
    good: () => selected,
    answer: /"flamegraph":\{"names":\["total",.*"main"/,
    bad: refused(badType, isBadType),
  },
  SelectMergeSpanProfile: {
    good: () => ({ ...selected, spanSelector: ['00000000000000ab'] }),
    answer: /"flamegraph":\{"names":\["total"\]/,
    bad: refused({ ...selected, spanSelector: ['x'] }, /invalid span id/),
  },
  SelectMergeProfile: {
    good: () => selected,
    answer: /"sampleType":\[.*"stringTable":\[/,
    bad: refused(badType, isBadType),
  },
  SelectHeatmap: {
    good: () => ({ ...selected, step: 60, queryType: 1 }),
    answer: /"slots":\[\{.*"counts":\[/,
    bad: refused({ ...selected, step: -1 }, /step must be at least a millisecond/),
  },
  Diff: {
    good: () => ({ left: selected, right: selected }),
    answer: /"leftTicks":/,
    bad: refused({ left: selected, right: badType }, /must have the same profile type/),
  },
  GetProfileStats: {
    good: () => ({}),
    answer: /"dataIngested":true/,
    bad: undecodable('GetProfileStatsRequest'),
  },
  AnalyzeQuery: {
    good: () => ({ ...times, query: `${cpu}{job="contract"}` }),
    answer: /"queryScopes":\[\{"componentType":"Store"/,
    bad: refused({ ...times, query: '' }, /selector: it is empty/),
  },
};

const setting = { name: 'contract', value: '1', modifiedAt: 5 };

const otherRows: Readonly<Record<string, Row>> = {
  '/settings.v1.SettingsService/Set': {
    good: () => ({ setting }),
    answer: /"name":"contract"/,
    bad: refused({}, /no setting values provided/),
  },
  '/settings.v1.SettingsService/Get': {
    good: () => ({}),
    answer: /"settings":\[\{"name":"contract"/,
    bad: undecodable('GetSettingsRequest'),
  },
  '/settings.v1.SettingsService/Delete': {
    good: () => ({ name: 'other' }),
    answer: /^\{\}$/,
    bad: refused({}, /no setting name provided/),
  },
  '/settings.v1.RecordingRulesService/ListRecordingRules': {
    good: () => ({}),
    answer: /^\{\}$/,
    bad: undecodable('ListRecordingRulesRequest'),
  },
  '/adhocprofiles.v1.AdHocProfileService/List': {
    good: () => ({}),
    answer: /"profiles":\[\{.*"name":"contract"/,
    bad: undecodable('AdHocProfilesListRequest'),
  },
  '/capabilities.v1.FeatureFlagsService/GetFeatureFlags': {
    good: () => ({}),
    answer: /^\{\}$/,
    bad: undecodable('GetFeatureFlagsRequest'),
  },
  '/version.v1.Version/Version': {
    good: () => ({}),
    answer: /"QuerierAPI":"1"/,
    bad: undecodable('VersionRequest'),
  },
};

const absent: Readonly<Record<string, readonly string[]>> = {
  '/vcs.v1.VCSService': [
    'GithubApp',
    'GithubLogin',
    'GithubRefresh',
    'GetFile',
    'GetCommit',
    'GetCommits',
  ],
  '/settings.v1.RecordingRulesService': [
    'GetRecordingRule',
    'UpsertRecordingRule',
    'DeleteRecordingRule',
  ],
};

const adHoc = '/adhocprofiles.v1.AdHocProfileService';
const uploaded = {
  name: 'contract',
  profile: gzippedPprof(cpuProfile({ timeNanos: 0n, samples: [['main', 1n]] })).toString('base64'),
};

/** Returns the rows for uploaded profiles; `client` makes the uploads that some rows need. */
function adHocRows(client: Client): Readonly<Record<string, Row>> {
  const { AdHocProfilesUploadRequest, AdHocProfilesGetResponse } = adhocprofiles.v1;
  const upload = async (): Promise<string> => {
    const request = AdHocProfilesUploadRequest.encode(uploaded).finish();
    return AdHocProfilesGetResponse.decode(await unary(client, `${adHoc}/Upload`, request)).id;
  };
  const isMissing: Refusal = {
    request: { id: 'x', leftId: 'x', rightId: 'x' },
    code: 'notFound',
    message: /there is no such ad hoc profile/,
  };
  return {
    [`${adHoc}/Upload`]: {
      good: () => uploaded,
      answer: /"name":"contract".*"flamebearerProfile":/,
      bad: refused({ name: 'empty' }, /it is empty/),
    },
    [`${adHoc}/Get`]: {
      good: async () => ({ id: await upload() }),
      answer: /"name":"contract".*"flamebearerProfile":/,
      bad: isMissing,
    },
    [`${adHoc}/Diff`]: {
      good: async () => ({ leftId: await upload(), rightId: await upload() }),
      answer: /"flamebearerProfile":/,
      bad: isMissing,
    },
  };
}

/** Returns the rows by path; `client` makes the uploads that some rows need. */
export const pyroscopeRows = (client: Client): Readonly<Record<string, Row>> => ({
  ...adHocRows(client),
  ...Object.fromEntries(
    Object.entries(querierRows).map(([name, row]) => [`/querier.v1.QuerierService/${name}`, row]),
  ),
  ...otherRows,
  ...Object.fromEntries(
    Object.entries(absent).flatMap(([service, names]) =>
      names.map((name): [string, Row] => [
        `${service}/${name}`,
        {
          good: () => ({}),
          answer: /./,
          isAbsent: true,
          bad: { request: {}, code: 'unimplemented', message: /not configured|this server/ },
        },
      ]),
    ),
  ),
});
