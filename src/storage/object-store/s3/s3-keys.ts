// Keys of an S3 bucket: configured ones, or those of the machine, which are renewed.
import { AppError, errorCode, errorMessage } from '../../../base/errors.ts';
import type { S3Bucket } from '../../../config/bucket-config.ts';
import { plainHttpClient } from '../../../config/config.ts';
import { AwsLogin } from '../../../http-client/logins/aws-login.ts';
import type { LoginContext } from '../../../http-client/logins/login-context.ts';
import { createRareSend } from '../../../http-client/send.ts';
import type { S3Keys } from './s3-client.ts';

/** Name of this server in requests for keys. */
const userAgent = 'parca';

/**
 * Returns the keys of the configuration; without them, those that Amazon's tools would find, in
 * this order: variables of the process, the profile of the shared file, a web identity (EKS), the
 * container (ECS, EKS Pod Identity), the role of the machine (EC2).
 */
export function openS3Keys(bucket: S3Bucket, region: string, context: LoginContext): S3Keys {
  const { accessKey, secretKey, sessionToken, stsUrl } = bucket;
  const login = new AwsLogin(
    {
      region,
      accessKey,
      secretKey,
      sessionToken,
      stsUrl,
      profile: '',
      roleArn: '',
      externalId: '',
    },
    context,
  );
  const { clock, files } = context;
  const client = { config: plainHttpClient, intervalMillis: 0, userAgent, clock, files };
  const send = createRareSend(client);
  return {
    async current() {
      try {
        return await login.credentials(send);
      } catch (error) {
        if (errorCode(error) !== 'failed-precondition') throw error;
        const hint = 'set access_key and secret_key, or give this machine a role';
        throw new AppError('failed-precondition', `${errorMessage(error)}; ${hint}`, {
          cause: error,
        });
      }
    },
    forget: () => login.forget(),
  };
}
