// Tests of discovery on Amazon EC2.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asked } from '../../http-client/fake/cloud-server.ts';
import { startCloud, target } from '../fake/cloud.ts';

const limit = { timeout: 20_000 };

const zones = `<DescribeAvailabilityZonesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
  <availabilityZoneInfo><item>
    <zoneName>us-east-1a</zoneName><zoneId>use1-az2</zoneId>
  </item></availabilityZoneInfo>
</DescribeAvailabilityZonesResponse>`;

function instances(id: string, token: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<DescribeInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">
  <requestId>8f7724cf-496f-496e-8fe3-example</requestId>
  <reservationSet><item>
    <reservationId>r-1234567890abcdef0</reservationId><ownerId>123456789012</ownerId><groupSet/>
    <instancesSet><item>
      <instanceId>${id}</instanceId><imageId>ami-bff32ccc</imageId>
      <instanceState><code>16</code><name>running</name></instanceState>
      <privateDnsName>ip-192-168-1-88.ec2.internal</privateDnsName>
      <dnsName>ec2-54-194-252-215.compute-1.amazonaws.com</dnsName>
      <instanceType>t2.micro</instanceType><instanceLifecycle>spot</instanceLifecycle>
      <placement><availabilityZone>us-east-1a</availabilityZone></placement>
      <subnetId>subnet-56f5f633</subnetId><vpcId>vpc-11112222</vpcId>
      <privateIpAddress>192.168.1.88</privateIpAddress><ipAddress>54.194.252.215</ipAddress>
      <architecture>x86_64</architecture>
      <tagSet><item><key>aws:team</key><value>Server &amp; Co</value></item></tagSet>
      <networkInterfaceSet>
        <item><subnetId>subnet-56f5f633</subnetId>
          <attachment><deviceIndex>1</deviceIndex></attachment>
          <ipv6AddressesSet><item>
            <ipv6Address>2001:db8::2</ipv6Address><isPrimaryIpv6>true</isPrimaryIpv6>
          </item></ipv6AddressesSet></item>
      </networkInterfaceSet>
    </item><item><instanceId>i-terminated</instanceId></item></instancesSet></item></reservationSet>
  ${token}
</DescribeInstancesResponse>`;
}

function ec2Target(id: string): string {
  return target(
    '192.168.1.88:9100',
    'ec2',
    'owner_id=123456789012',
    'region=us-east-1',
    `instance_id=${id}`,
    'private_ip=192.168.1.88',
    'private_dns_name=ip-192-168-1-88.ec2.internal',
    'public_ip=54.194.252.215',
    'public_dns_name=ec2-54-194-252-215.compute-1.amazonaws.com',
    'ami=ami-bff32ccc',
    'availability_zone=us-east-1a',
    'availability_zone_id=use1-az2',
    'instance_state=running',
    'instance_type=t2.micro',
    'instance_lifecycle=spot',
    'architecture=x86_64',
    'default_ipv6_address=2001:db8::2',
    'primary_ipv6_addresses=,,2001:db8::2,',
    'ipv6_addresses=,2001:db8::2,',
    'vpc_id=vpc-11112222',
    'primary_subnet_id=subnet-56f5f633',
    'subnet_id=,subnet-56f5f633,',
    'tag_aws_team=Server & Co',
  );
}

test(
  'EC2: instances of all pages, zones, filters, signed by the keys of the config',
  limit,
  async (t) => {
    const cloud = await startCloud(t, {
      'POST /': ({ body }) => {
        if (body.includes('Action=DescribeAvailabilityZones')) return zones;
        if (body.includes('NextToken=next%20page')) return instances('i-2', '');
        return instances('i-1', '<nextToken>next page</nextToken>');
      },
    });
    const rig = await cloud.discover([
      'ec2_sd_configs: [{region: us-east-1, access_key: AKID, secret_key: s3cret, port: 9100,',
      '  filters: [{name: "tag:env", values: [a, b]}, {name: instance-state-name, values: [running]}]}]',
    ]);
    await rig.becomes(ec2Target('i-1'), ec2Target('i-2'));
    const [, first] = cloud.asked;
    assert.equal(
      first.body,
      'Action=DescribeInstances&Filter.1.Name=tag%3Aenv&Filter.1.Value.1=a&Filter.1.Value.2=b&' +
        'Filter.2.Name=instance-state-name&Filter.2.Value.1=running&Version=2016-11-15',
    );
    assert.match(
      first.headers.authorization ?? '',
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/ec2\/aws4_request,.*=[0-9a-f]{64}$/,
    );
  },
);

test('EC2: region and credentials of the machine, then a role', limit, async (t) => {
  const assumed = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
    <Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>x</SecretAccessKey>
    <SessionToken>session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>
    </AssumeRoleResult></AssumeRoleResponse>`;
  const metadata = '/latest/meta-data';
  const withToken = (text: string) => (asked: Asked) =>
    asked.headers['x-aws-ec2-metadata-token'] === 'imds' ? text : 401;
  const role = { AccessKeyId: 'ASIAOWN', SecretAccessKey: 'y', Token: 'own', Expiration: 'never' };
  const cloud = await startCloud(t, {
    'PUT /latest/api/token': 'imds',
    [`GET ${metadata}/placement/region`]: withToken('us-east-1'),
    [`GET ${metadata}/iam/security-credentials/`]: withToken('parca-role'),
    [`GET ${metadata}/iam/security-credentials/parca-role`]: withToken(JSON.stringify(role)),
    'POST /sts': assumed,
    // The account may list instances, but not zones.
    'POST /': ({ body }) => (body.includes('Zones') ? 403 : instances('i-1', '')),
  });
  const rig = await cloud.discover(
    ['ec2_sd_configs: [{role_arn: "arn:aws:iam::1:role/r", external_id: e, port: 9100}]'],
    {
      AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud.url,
      AWS_ENDPOINT_URL_STS: `${cloud.url}/sts`,
    },
  );
  await rig.becomes(ec2Target('i-1').replace(' __meta_ec2_availability_zone_id=use1-az2', ''));
  const sts = cloud.asked.find(({ url }) => url === '/sts');
  assert.match(sts?.body ?? '', /Action=AssumeRole&.*ExternalId=e&RoleArn=arn%3Aaws%3Aiam/);
  assert.match(sts?.headers.authorization ?? '', /Credential=ASIAOWN\/.*\/sts\/aws4_request/);
  assert.equal(sts?.headers['x-amz-security-token'], 'own');
  const last = cloud.asked.at(-1);
  assert.match(last?.headers.authorization ?? '', /Credential=ASIAROLE\//);
  assert.equal(last?.headers['x-amz-security-token'], 'session');
});

test('EC2: credentials of variables, files, workloads and containers', limit, async (t) => {
  const files = {
    '/f/credentials': '[default]\naws_access_key_id = FILE\naws_secret_access_key=x\n[p]\n',
    '/f/token': 'jwt\n',
    '/f/config': '[default]\nregion = eu-west-1\n',
  };
  const result = `<A><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>WEB</AccessKeyId>
    <SecretAccessKey>x</SecretAccessKey></Credentials></AssumeRoleWithWebIdentityResult></A>`;
  const cloud = await startCloud(
    t,
    {
      'POST /': '<DescribeInstancesResponse/>',
      'POST /sts': result,
      'GET /container': { AccessKeyId: 'BOX', SecretAccessKey: 'x', Token: 't' },
    },
    files,
  );
  const usesKey = async (key: string, environment: Record<string, string>): Promise<void> => {
    const before = cloud.asked.length;
    const rig = await cloud.discover(['ec2_sd_configs: [{}]'], {
      AWS_CONFIG_FILE: '/f/config',
      AWS_ENDPOINT_URL_STS: `${cloud.url}/sts`,
      ...environment,
    });
    await rig.finds();
    const last = cloud.asked.slice(before).at(-1)?.headers.authorization ?? '';
    assert.match(last, new RegExp(`Credential=${key}/\\d+/eu-west-1/`));
  };
  await usesKey('ENV', { AWS_ACCESS_KEY_ID: 'ENV', AWS_SECRET_ACCESS_KEY: 'x' });
  await usesKey('FILE', { AWS_SHARED_CREDENTIALS_FILE: '/f/credentials' });
  await usesKey('WEB', { AWS_WEB_IDENTITY_TOKEN_FILE: '/f/token', AWS_ROLE_ARN: 'arn' });
  const sts = cloud.asked.find(({ url }) => url === '/sts');
  assert.match(sts?.body ?? '', /WebIdentityToken=jwt/);
  await usesKey('BOX', { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.url}/container` });
});
