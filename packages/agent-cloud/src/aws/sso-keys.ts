import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ask, noCredentials, objectIn, textField } from '../credential/credentials.ts';
import { type AwsCredentials, awsHost, type KeySearch } from './key-search.ts';
import type { AwsProfile, AwsSections } from './profiles.ts';

interface SsoProfile {
  readonly profile: AwsProfile;
  readonly name: string;
  readonly sections: AwsSections;
}

/** The keys of a profile of IAM Identity Center, with the token that `aws sso login` keeps. */
export async function ssoKeys(
  { profile, name, sections }: SsoProfile,
  { env, home, signal }: KeySearch,
): Promise<AwsCredentials> {
  const session = profile.sso_session;
  const settings = { ...profile, ...(session ? sections.get(`sso-session ${session}`) : {}) };
  const key = createHash('sha1')
    .update(session ?? settings.sso_start_url ?? '')
    .digest('hex');
  const cached = objectIn(await readCache(join(home, '.aws', 'sso', 'cache', `${key}.json`)));
  const region = settings.sso_region ?? textField(cached, 'region') ?? 'us-east-1';
  const isExpired = Date.parse(textField(cached, 'expiresAt') ?? '') < Date.now();
  const token = isExpired
    ? await renewedToken(cached, region, { env, signal })
    : textField(cached, 'accessToken');
  const login = `Run aws sso login --profile ${name}.`;
  if (!token) throw noCredentials(`Amazon Bedrock: the AWS profile "${name}" is not logged in. ${login}`);
  const base = env.AWS_ENDPOINT_URL_SSO || `https://${awsHost('portal.sso', region)}`;
  const query = new URLSearchParams({
    role_name: settings.sso_role_name ?? '',
    account_id: settings.sso_account_id ?? '',
  });
  const url = `${base.replace(/\/$/, '')}/federation/credentials?${query}`;
  const headers = { 'x-amz-sso_bearer_token': token };
  const { status, text } = await ask({ url, init: { headers }, signal }, 'AWS IAM Identity Center');
  const answer = (objectIn(text).roleCredentials ?? {}) as Readonly<Record<string, unknown>>;
  const accessKeyId = textField(answer, 'accessKeyId');
  const secretAccessKey = textField(answer, 'secretAccessKey');
  if (status !== 200 || !accessKeyId || !secretAccessKey)
    throw noCredentials(
      `Amazon Bedrock: the login of the AWS profile "${name}" was refused (HTTP ${status}). ${login}`,
    );
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: textField(answer, 'sessionToken'),
    source: `profile ${name} (SSO)`,
    ...(typeof answer.expiration === 'number' ? { expiresAt: answer.expiration } : {}),
  };
}

/**
 * The token of a login that lasts longer than its first token, as those of an `sso-session` do. The new one is not stored: the file
 * belongs to AWS's own tools.
 */
async function renewedToken(
  cached: Readonly<Record<string, unknown>>,
  region: string,
  { env, signal }: Pick<KeySearch, 'env' | 'signal'>,
): Promise<string | undefined> {
  const [clientId, clientSecret, refreshToken] = ['clientId', 'clientSecret', 'refreshToken'].map((name) =>
    textField(cached, name),
  );
  if (!clientId || !clientSecret || !refreshToken) return undefined;
  const base = env.AWS_ENDPOINT_URL_SSO_OIDC || `https://${awsHost('oidc', region)}`;
  const body = JSON.stringify({ clientId, clientSecret, refreshToken, grantType: 'refresh_token' });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const url = `${base.replace(/\/$/, '')}/token`;
  const { status, text } = await ask({ url, init, signal }, 'AWS IAM Identity Center');
  return status === 200 ? textField(objectIn(text), 'accessToken') : undefined;
}

async function readCache(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}
