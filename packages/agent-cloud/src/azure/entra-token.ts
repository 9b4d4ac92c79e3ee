import { findProgram, programWords } from '@robota-sdk/agent-core';
import {
  type AccountOptions,
  ask,
  type Expiring,
  noCredentials,
  objectIn,
  ofMachine,
  parseAddress,
  readToken,
  textField,
} from '../credential/credentials.ts';
import { printedJson } from '../credential/printed-json.ts';

/** A token of Microsoft Entra for Azure's model service. */
export interface EntraToken extends Expiring {
  readonly token: string;
}

interface TokenSearch extends AccountOptions {
  readonly signal: AbortSignal;
}

const resource = 'https://cognitiveservices.azure.com';
const commandTimeoutMs = 20_000;

/** Gets a token where Azure's own tools look: an application, a managed identity, the login of `az`. */
export async function findEntraToken(search: TokenSearch): Promise<EntraToken> {
  const found =
    (await applicationToken(search)) ?? (await managedToken(search)) ?? (await commandToken(search));
  if ('token' in found) return found;
  throw noCredentials(
    `Azure OpenAI: no key and no Entra login were found${found.why}. Run az login, set AZURE_OPENAI_API_KEY, or store a key with robota login azure.`,
  );
}

/** A registered application, with a secret or a federated token. */
async function applicationToken({ env, signal }: TokenSearch): Promise<EntraToken | undefined> {
  const { AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: client, AZURE_CLIENT_SECRET: secret } = env;
  const file = env.AZURE_FEDERATED_TOKEN_FILE;
  if (!tenant || !client || (!secret && !file)) return undefined;
  const proof: Record<string, string> = secret
    ? { client_secret: secret }
    : {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await readToken(file ?? '', 'Azure OpenAI'),
      };
  const authority = (env.AZURE_AUTHORITY_HOST || 'https://login.microsoftonline.com').replace(/\/$/, '');
  const url = `${authority}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: client,
    scope: `${resource}/.default`,
    ...proof,
  });
  const { status, text } = await ask({ url, init: { method: 'POST', body }, signal }, 'Microsoft Entra');
  const token = tokenIn(objectIn(text), `application ${client}`);
  if (status === 200 && token) return token;
  const [why = `HTTP ${status}`] = (textField(objectIn(text), 'error_description') ?? '')
    .split(/\r?\n/)
    .filter(Boolean);
  throw noCredentials(
    `Azure OpenAI: the application ${client} was refused: ${why} Check AZURE_CLIENT_SECRET.`,
  );
}

/** The identity of a machine or an app service; undefined elsewhere. */
async function managedToken({ env, signal }: TokenSearch): Promise<EntraToken | undefined> {
  const { IDENTITY_ENDPOINT: service, IDENTITY_HEADER: header = '', AZURE_CLIENT_ID } = env;
  const base = env.AZURE_POD_IDENTITY_AUTHORITY_HOST || 'http://169.254.169.254';
  const machine = `${base.replace(/\/$/, '')}/metadata/identity/oauth2/token`;
  const url = parseAddress(service || machine, 'The managed identity');
  url.searchParams.set('api-version', service ? '2019-08-01' : '2018-02-01');
  url.searchParams.set('resource', resource);
  if (AZURE_CLIENT_ID) url.searchParams.set('client_id', AZURE_CLIENT_ID);
  const headers: Record<string, string> = service ? { 'x-identity-header': header } : { metadata: 'true' };
  try {
    const request = { url: url.href, init: { headers }, signal, ...ofMachine };
    const { status, text } = await ask(request, 'The managed identity');
    return status === 200 ? tokenIn(objectIn(text), 'the managed identity') : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The login of the Azure command-line tool, or why there is none. */
async function commandToken({ env, signal }: TokenSearch): Promise<EntraToken | { readonly why: string }> {
  const program = findProgram('az', { cwd: process.cwd(), env: { ...env } });
  if (program === undefined) return { why: '' };
  const words = programWords([
    program,
    'account',
    'get-access-token',
    '--resource',
    resource,
    '--output',
    'json',
  ]);
  const printed = await printedJson({ words, env, signal, timeoutMs: commandTimeoutMs });
  const token = 'value' in printed ? tokenIn(printed.value, 'az login') : undefined;
  const why = 'why' in printed ? printed.why : 'printed no token';
  return token ?? { why: ` (az account get-access-token ${why})` };
}

function tokenIn(answer: Readonly<Record<string, unknown>>, source: string): EntraToken | undefined {
  const token = textField(answer, 'access_token') ?? textField(answer, 'accessToken');
  if (!token) return undefined;
  // Seconds since 1970 with `az` and managed identities, seconds from now with applications.
  const until = Number(answer.expires_on ?? Number.NaN);
  const expiresAt = Number.isNaN(until)
    ? Date.now() + Number(answer.expires_in ?? 3600) * 1000
    : until * 1000;
  return { token, source, expiresAt };
}
