import { isLoopback } from '@robota-sdk/agent-core';
import { ask, noCredentials, objectIn, ofMachine, readToken, textField } from '../credential/credentials.ts';
import type { AwsCredentials, KeySearch } from './key-search.ts';

const containerHost = 'http://169.254.170.2';
/** Addresses at which containers are given keys over plain http. */
const containerHosts = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'];
const tokenSeconds = '21600';

/** The keys of the role of a container (ECS, EKS Pod Identity); undefined outside of one. */
export async function containerKeys({ env, signal }: KeySearch): Promise<AwsCredentials | undefined> {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = env;
  const url = path ? `${containerHost}${path}` : full;
  if (!url) return undefined;
  assertSafe(url);
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  const token = file ? await readToken(file, 'Amazon Bedrock') : env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  const headers: Record<string, string> = token ? { authorization: token } : {};
  const { status, text } = await ask({ url, init: { headers }, signal }, 'The credentials of the container');
  const keys = status === 200 ? keysIn(text, 'the container') : undefined;
  if (keys) return keys;
  throw noCredentials(
    `Amazon Bedrock: the container gave no AWS credentials (HTTP ${status}). Check the role of its task or pod.`,
  );
}

function assertSafe(url: string): void {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (protocol === 'https:' || isLoopback(hostname) || containerHosts.includes(hostname)) return;
  throw noCredentials(
    'Amazon Bedrock: AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https nor an address of this machine or of its container service.',
  );
}

/** The keys of the role of an EC2 instance, by IMDSv2; undefined elsewhere. */
export async function instanceKeys({ env, signal }: KeySearch): Promise<AwsCredentials | undefined> {
  if (env.AWS_EC2_METADATA_DISABLED?.toLowerCase() === 'true') return undefined;
  const base = (env.AWS_EC2_METADATA_SERVICE_ENDPOINT || 'http://169.254.169.254').replace(/\/$/, '');
  const load = async (path: string, init: RequestInit) => {
    const request = { url: `${base}/latest/${path}`, init, signal, ...ofMachine };
    const { status, text } = await ask(request, 'The metadata service');
    return status === 200 ? text.trim() : undefined;
  };
  const token = await load('api/token', {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': tokenSeconds },
  }).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
  if (!token) return undefined;
  const headers = { 'x-aws-ec2-metadata-token': token };
  const roles = 'meta-data/iam/security-credentials/';
  const role = (await load(roles, { headers }))?.split('\n')[0];
  const text = role ? await load(`${roles}${role}`, { headers }) : undefined;
  return text === undefined ? undefined : keysIn(text, `the instance role ${role}`);
}

function keysIn(text: string, source: string): AwsCredentials | undefined {
  const answer = objectIn(text);
  const accessKeyId = textField(answer, 'AccessKeyId');
  const secretAccessKey = textField(answer, 'SecretAccessKey');
  if (!accessKeyId || !secretAccessKey) return undefined;
  const expiresAt = Date.parse(textField(answer, 'Expiration') ?? '');
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: textField(answer, 'Token'),
    source,
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  };
}
