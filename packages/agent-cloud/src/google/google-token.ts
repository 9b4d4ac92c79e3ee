import { createSign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endSentence } from '@robota-sdk/agent-core';
import {
  type AccountOptions,
  ask,
  type Expiring,
  noCredentials,
  objectIn,
  ofMachine,
  textField,
} from '../credential/credentials.ts';

/** A token for Google's APIs, and the project its credentials belong to. */
export interface GoogleToken extends Expiring {
  readonly token: string;
  readonly project?: string | undefined;
}

interface TokenSearch extends AccountOptions {
  readonly signal: AbortSignal;
}

type CredentialFile = Readonly<Record<string, unknown>>;

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const tokenUrl = 'https://oauth2.googleapis.com/token';
const help =
  'Run gcloud auth application-default login, or name the file of a service account in GOOGLE_APPLICATION_CREDENTIALS.';

/**
 * Gets a token by application-default credentials, in the order of Google's libraries: the named file, that of gcloud, the
 * metadata server of the machine.
 */
export async function findGoogleToken(search: TokenSearch): Promise<GoogleToken> {
  const { env } = search;
  const named = env.GOOGLE_APPLICATION_CREDENTIALS;
  const path = named || defaultFile(search);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined && named)
    throw noCredentials(
      `Google Vertex AI: GOOGLE_APPLICATION_CREDENTIALS names ${path}, which cannot be read.`,
    );
  if (text !== undefined) return fileToken({ file: objectIn(text), path }, search);
  const token = await metadataToken(search);
  if (token) return token;
  throw noCredentials(`Google Vertex AI: no Google credentials were found. ${help}`);
}

function defaultFile({ env, home }: AccountOptions): string {
  const folder =
    env.CLOUDSDK_CONFIG ||
    (process.platform === 'win32' && env.APPDATA
      ? join(env.APPDATA, 'gcloud')
      : join(home, '.config', 'gcloud'));
  return join(folder, 'application_default_credentials.json');
}

async function fileToken(
  { file, path }: { readonly file: CredentialFile; readonly path: string },
  search: TokenSearch,
): Promise<GoogleToken> {
  const { signal } = search;
  const type = textField(file, 'type');
  if (type === 'external_account' || type === 'impersonated_service_account') {
    const { externalToken, impersonated } = await import('./google-federation.ts');
    const exchange = { file, path, signal };
    const own =
      type === 'external_account' ? await externalToken(exchange) : await sourceToken(exchange, search);
    const project = textField(file, 'quota_project_id') ?? textField(file, 'workforce_pool_user_project');
    return {
      ...(await impersonated(own, exchange)),
      source: `${type.replaceAll('_', ' ')} in ${path}`,
      project,
    };
  }
  const grants = { service_account: serviceAccountGrant, authorized_user: refreshGrant };
  const grant = grants[type as keyof typeof grants]?.(file);
  if (!grant) {
    const why = type && type in grants ? 'incomplete credentials' : 'no supported credentials';
    throw noCredentials(`Google Vertex AI: ${path} holds ${why} (type: ${type ?? 'none'}). ${help}`);
  }
  const url = textField(file, 'token_uri') ?? tokenUrl;
  const init = { method: 'POST', body: new URLSearchParams(grant) };
  const { status, text } = await ask({ url, init, signal }, 'The token service of Google');
  const answer = objectIn(text);
  const token = textField(answer, 'access_token');
  if (status !== 200 || !token) {
    const why = textField(answer, 'error_description') ?? textField(answer, 'error') ?? `HTTP ${status}`;
    throw noCredentials(
      `Google Vertex AI: the credentials in ${path} were refused: ${endSentence(why)} ${help}`,
    );
  }
  return {
    token,
    source: `${type === 'service_account' ? 'service account' : 'login'} in ${path}`,
    project: textField(file, 'project_id') ?? textField(file, 'quota_project_id'),
    expiresAt: Date.now() + Number(answer.expires_in ?? 3600) * 1000,
  };
}

/** The token of the account that acts for another one; it cannot do so for a third. */
async function sourceToken(
  { file, path }: { readonly file: CredentialFile; readonly path: string },
  search: TokenSearch,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const source = objectIn(JSON.stringify(file.source_credentials ?? {}));
  if (textField(source, 'type') === 'impersonated_service_account')
    throw noCredentials(`Google Vertex AI: ${path} names accounts that act for each other. ${help}`);
  const { token, expiresAt = 0 } = await fileToken({ file: source, path }, search);
  return { token, expiresAt };
}

function serviceAccountGrant(file: CredentialFile): Record<string, string> | undefined {
  const email = textField(file, 'client_email');
  const key = textField(file, 'private_key');
  if (!email || !key) return undefined;
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS256', typ: 'JWT', kid: textField(file, 'private_key_id') };
  const claims = {
    iss: email,
    scope,
    aud: textField(file, 'token_uri') ?? tokenUrl,
    iat: now,
    exp: now + 3600,
  };
  const encoded = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const assertion = `${encoded}.${signed(encoded, key)}`;
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
}

function signed(text: string, key: string): string {
  try {
    return createSign('RSA-SHA256').update(text).sign(key, 'base64url');
  } catch {
    throw noCredentials(
      'Google Vertex AI: the private key of the service account is not a key. Download it again.',
    );
  }
}

function refreshGrant(file: CredentialFile): Record<string, string> | undefined {
  const [client_id, client_secret, refresh_token] = ['client_id', 'client_secret', 'refresh_token'].map(
    (name) => textField(file, name),
  );
  if (!client_id || !client_secret || !refresh_token) return undefined;
  return { grant_type: 'refresh_token', client_id, client_secret, refresh_token };
}

/** The token of the machine's own service account; undefined outside of Google's cloud. */
async function metadataToken(search: TokenSearch): Promise<GoogleToken | undefined> {
  const { signal } = search;
  const answer = objectIn((await metadata('instance/service-accounts/default/token', search)) ?? '');
  const token = textField(answer, 'access_token');
  if (!token) return undefined;
  const project = await metadata('project/project-id', { ...search, signal });
  const expiresAt = Date.now() + Number(answer.expires_in ?? 3600) * 1000;
  return { token, source: 'the metadata server', project, expiresAt };
}

async function metadata(path: string, { env, signal }: TokenSearch): Promise<string | undefined> {
  const host = env.GCE_METADATA_HOST || 'metadata.google.internal';
  const init = { headers: { 'metadata-flavor': 'Google' } };
  const request = {
    url: `http://${host}/computeMetadata/v1/${path}`,
    init,
    signal,
    ...ofMachine,
  };
  try {
    const { status, text } = await ask(request, 'The metadata server');
    return status === 200 ? text.trim() : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
