import { readFile } from 'node:fs/promises';
import { endSentence, isLoopback } from '@robota-sdk/agent-core';
import { ask, noCredentials, objectIn, textField } from '../credential/credentials.ts';

/** A token of one account, which may be exchanged for that of another. */
export interface PlainToken {
  readonly token: string;
  readonly expiresAt: number;
}

type CredentialFile = Readonly<Record<string, unknown>>;

interface Exchange {
  readonly file: CredentialFile;
  readonly path: string;
  readonly signal: AbortSignal;
}

const scope = 'https://www.googleapis.com/auth/cloud-platform';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const lifetimeSeconds = 3_600;

/** Exchanges the token of another identity provider, from a file or an address, for one of Google (`external_account`). */
export async function externalToken({ file, path, signal }: Exchange): Promise<PlainToken> {
  const audience = textField(file, 'audience');
  const type = textField(file, 'subject_token_type');
  const url = textField(file, 'token_url');
  if (!audience || !type || !url) throw incomplete(path, 'audience, subject_token_type and token_url');
  const subject = await subjectToken({ file, path, signal });
  const form = {
    grant_type: exchangeGrant,
    audience,
    scope,
    requested_token_type: accessToken,
    subject_token: subject,
    subject_token_type: type,
  };
  const request = {
    url: checkedUrl(url, path),
    init: { method: 'POST', body: new URLSearchParams(form) },
    signal,
  };
  const { status, text } = await ask(request, 'The token service of Google');
  const answer = objectIn(text);
  const token = textField(answer, 'access_token');
  if (status !== 200 || !token) throw refused(path, answer, status);
  return { token, expiresAt: Date.now() + Number(answer.expires_in ?? lifetimeSeconds) * 1_000 };
}

/** The token of the service account that another account may act for; the given one where the file names none. */
export async function impersonated(own: PlainToken, { file, path, signal }: Exchange): Promise<PlainToken> {
  const url = textField(file, 'service_account_impersonation_url');
  if (!url) return own;
  const delegates = Array.isArray(file.delegates) ? file.delegates : [];
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${own.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: [scope], delegates, lifetime: `${lifetimeSeconds}s` }),
  };
  const { status, text } = await ask(
    { url: checkedUrl(url, path), init, signal },
    'The credentials service of Google',
  );
  const answer = objectIn(text);
  const token = textField(answer, 'accessToken');
  if (status !== 200 || !token) throw refused(path, answer, status);
  const ends = Date.parse(textField(answer, 'expireTime') ?? '');
  return { token, expiresAt: Number.isNaN(ends) ? Date.now() + lifetimeSeconds * 1_000 : ends };
}

/** The token to exchange. A program is not run for it: a file of credentials must not decide what runs. */
async function subjectToken({ file, path, signal }: Exchange): Promise<string> {
  const source = objectField(file, 'credential_source');
  const named = textField(source, 'file');
  const url = textField(source, 'url');
  if (!named && !url)
    throw noCredentials(
      `Google Vertex AI: ${path} takes its token from a program or from AWS, which is not supported. Use a file or a URL as credential_source.`,
    );
  const text = named
    ? await readFile(named, 'utf8').catch(() => undefined)
    : await fetched(String(url), { source, path, signal });
  const format = objectField(source, 'format');
  const field = textField(format, 'subject_token_field_name') ?? 'access_token';
  const token = textField(format, 'type') === 'json' ? textField(objectIn(text ?? ''), field) : text?.trim();
  if (!token)
    throw noCredentials(
      `Google Vertex AI: no token in ${named ?? url}, which ${path} names as credential_source.`,
    );
  return token;
}

async function fetched(
  url: string,
  {
    source,
    path,
    signal,
  }: { readonly source: CredentialFile; readonly path: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const headers = Object.entries(objectField(source, 'headers')).map(
    ([name, value]) => [name, String(value)] as const,
  );
  const request = { url: checkedUrl(url, path), init: { headers: Object.fromEntries(headers) }, signal };
  const { status, text } = await ask(request, 'The identity provider');
  return status === 200 ? text : undefined;
}

/** Tokens travel encrypted, or stay on this machine. */
function checkedUrl(url: string, path: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback(parsed.host))) return url;
  throw noCredentials(`Google Vertex AI: ${path} names an address without https, so no token is sent there.`);
}

function objectField(file: CredentialFile, name: string): CredentialFile {
  const value = file[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function incomplete(path: string, fields: string) {
  return noCredentials(
    `Google Vertex AI: ${path} needs ${fields}. Create it again with gcloud iam workload-identity-pools.`,
  );
}

function refused(path: string, answer: CredentialFile, status: number) {
  const inner = objectField(answer, 'error');
  const why =
    textField(answer, 'error_description') ??
    textField(inner, 'message') ??
    textField(answer, 'error') ??
    `HTTP ${status}`;
  return noCredentials(`Google Vertex AI: the credentials in ${path} were refused: ${endSentence(why)}`);
}
