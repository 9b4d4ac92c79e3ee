import { endSentence } from '@robota-sdk/agent-core';
import { ask, noCredentials, parseAddress, readToken } from '../credential/credentials.ts';
import { type AwsCredentials, awsHost, type KeySearch } from './key-search.ts';
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
  const url = parseAddress(env.AWS_ENDPOINT_URL_STS || `https://${awsHost('sts', region)}/`, 'AWS STS');
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
      `Amazon Bedrock: the role ${role} cannot be assumed (${field('Code') ?? `HTTP ${status}`}): ${endSentence(field('Message') ?? 'no reason given')} Check its name and its trust policy.`,
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
