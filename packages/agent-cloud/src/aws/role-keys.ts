import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ask, noCredentials, objectIn, readToken, textField } from '../credential/credentials.ts';
import { type AwsCredentials, awsHost, type KeySearch } from './key-search.ts';
import type { AwsSections } from './profiles.ts';
import { signRequest } from './sign-request.ts';

interface Role {
  readonly role: string;
  readonly session?: string | undefined;
}

const apiVersion = '2011-06-15';
const form = 'application/x-www-form-urlencoded';

/** Assumes a role with the token of a web identity, as pods of Kubernetes have one. */
export async function webIdentityKeys(
  { role, tokenFile, session }: Role & { readonly tokenFile: string },
  search: KeySearch,
): Promise<AwsCredentials> {
  const token = await readToken(tokenFile, 'Amazon Bedrock');
  const parameters = {
    Action: 'AssumeRoleWithWebIdentity',
    WebIdentityToken: token,
    ...named(role, session),
  };
  return assume(parameters, { role, search });
}

/** Assumes a role with other keys. */
export async function roleKeys(
  { role, session, externalId }: Role & { readonly externalId?: string | undefined },
  keys: AwsCredentials,
  search: KeySearch,
): Promise<AwsCredentials> {
  const parameters = {
    Action: 'AssumeRole',
    ...named(role, session),
    ...(externalId ? { ExternalId: externalId } : {}),
  };
  return assume(parameters, { role, search, keys });
}

function named(role: string, session = 'robota') {
  return { Version: apiVersion, RoleArn: role, RoleSessionName: session };
}

interface Assumption {
  readonly role: string;
  readonly search: KeySearch;
  readonly keys?: AwsCredentials;
}

async function assume(
  parameters: Record<string, string>,
  { role, search, keys }: Assumption,
): Promise<AwsCredentials> {
  const { env, region, clock } = search;
  const url = new URL(env.AWS_ENDPOINT_URL_STS || `https://${awsHost('sts', region)}/`);
  const body = new URLSearchParams(parameters).toString();
  const plain = { 'content-type': form };
  const unsigned = { method: 'POST', url, headers: plain, body: [Buffer.from(body)] };
  const send = () => {
    const scope = { region, service: 'sts', now: clock.now() };
    const headers = keys ? signRequest(unsigned, keys, scope) : plain;
    const init = { method: 'POST', headers, body };
    return ask({ url: url.href, init, signal: search.signal }, 'AWS STS');
  };
  const first = await send();
  const isLate = first.status !== 200 && keys !== undefined && clock.learn(first.date);
  const { status, text } = isLate ? await send() : first;
  const field = (name: string) => elementIn(text, name);
  const [accessKeyId, secretAccessKey] = [field('AccessKeyId'), field('SecretAccessKey')];
  if (status !== 200 || !accessKeyId || !secretAccessKey)
    throw noCredentials(
      `Amazon Bedrock: the role ${role} cannot be assumed (${field('Code') ?? `HTTP ${status}`}): ${field('Message') ?? 'no reason given'}`,
    );
  const expiresAt = Date.parse(field('Expiration') ?? '');
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: field('SessionToken'),
    source: `role ${role}`,
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  };
}

/** The text of the first element of a name. */
function elementIn(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`);
  if (start < 0) return undefined;
  const text = xml.slice(start + name.length + 2);
  return text.slice(0, text.indexOf('<'));
}

interface SsoProfile {
  readonly profile: Readonly<Record<string, string>>;
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
  const token = textField(cached, 'accessToken');
  const login = `Run aws sso login --profile ${name}.`;
  if (!token || Date.parse(textField(cached, 'expiresAt') ?? '') < Date.now())
    throw noCredentials(`Amazon Bedrock: the AWS profile "${name}" is not logged in. ${login}`);
  const region = settings.sso_region ?? textField(cached, 'region') ?? 'us-east-1';
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

async function readCache(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}
