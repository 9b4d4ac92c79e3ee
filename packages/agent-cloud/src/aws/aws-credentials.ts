import { findProgram, programWords, userShellWords } from '@robota-sdk/agent-core';
import { type AccountOptions, noCredentials, textField } from '../credential/credentials.ts';
import { printedJson } from '../credential/printed-json.ts';
import type { AwsCredentials, KeySearch } from './key-search.ts';
import { containerKeys, instanceKeys } from './machine-keys.ts';
import { type AwsProfile, type AwsSections, readAwsFiles } from './profiles.ts';
import { roleKeys, webIdentityKeys } from './role-keys.ts';
import { ssoKeys } from './sso-keys.ts';

/** Time for the user to approve a request of the program. */
const processTimeoutMs = 60_000;
/** Roles that assume each other without end. */
const maxRoles = 5;

/**
 * Finds the keys of an AWS account where its own tools look for them, in their order: variables, a web identity, the profile, the
 * container, the instance. A profile that is named outright comes before the variables.
 */
export async function findAwsKeys(search: KeySearch): Promise<AwsCredentials> {
  const { env } = search;
  const ofVariables = env.AWS_PROFILE ? undefined : await variableKeys(search);
  if (ofVariables) return ofVariables;
  const sections = await readAwsFiles(search);
  const name = env.AWS_PROFILE || 'default';
  const profile = sections.get(`profile ${name}`);
  const ofProfile = () => keysOf(name, { ...search, sections, seen: [] });
  // A profile may set only a region and leave the keys to the machine.
  if (profile ? holdsCredentials(profile) : env.AWS_PROFILE) return ofProfile();
  const ofMachine = (await containerKeys(search)) ?? (await instanceKeys(search));
  if (ofMachine) return ofMachine;
  if (profile) return ofProfile();
  throw noCredentials(
    'Amazon Bedrock: no AWS credentials were found. Run aws configure or aws sso login, set AWS_PROFILE or AWS_ACCESS_KEY_ID, or store a Bedrock key with robota login bedrock.',
  );
}

async function variableKeys(search: KeySearch): Promise<AwsCredentials | undefined> {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile, AWS_ROLE_ARN: role } = search.env;
  const ofVariables = plainKeys(search.env);
  if (ofVariables || !tokenFile || !role) return ofVariables;
  return webIdentityKeys({ role, tokenFile, session: search.env.AWS_ROLE_SESSION_NAME }, search);
}

function plainKeys(env: AccountOptions['env']): AwsCredentials | undefined {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
    source: 'AWS_ACCESS_KEY_ID',
  };
}

function holdsCredentials(profile: AwsProfile): boolean {
  const { role_arn, aws_access_key_id, sso_account_id, credential_process, login_session } = profile;
  return Boolean(role_arn || aws_access_key_id || sso_account_id || credential_process || login_session);
}

interface ProfileSearch extends KeySearch {
  readonly sections: AwsSections;
  /** Profiles on the way to this one. */
  readonly seen: readonly string[];
}

async function keysOf(name: string, search: ProfileSearch): Promise<AwsCredentials> {
  const { sections, seen } = search;
  const profile = sections.get(`profile ${name}`);
  const source = `profile ${name}`;
  if (!profile) {
    const names = [...sections.keys()].filter((key) => key.startsWith('profile ')).map((key) => key.slice(8));
    const known = names.length === 0 ? '' : ` Known profiles: ${names.join(', ')}.`;
    throw noCredentials(`Amazon Bedrock: there is no AWS profile "${name}".${known}`);
  }
  if (seen.length > maxRoles || seen.includes(name))
    throw noCredentials(`Amazon Bedrock: the AWS profiles ${[...seen, name].join(', ')} name each other.`);
  const { role_arn: role, source_profile: base, web_identity_token_file: tokenFile } = profile;
  if (role && tokenFile)
    return webIdentityKeys({ role, tokenFile, session: profile.role_session_name }, search);
  if (role && profile.mfa_serial)
    throw noCredentials(
      `Amazon Bedrock: the AWS profile "${name}" needs an MFA code, which Robota cannot ask for. Run eval "$(aws configure export-credentials --profile ${name} --format env)" and unset AWS_PROFILE.`,
    );
  if (role) {
    const isOther = base !== undefined && base !== name;
    const keys = isOther
      ? await keysOf(base, { ...search, seen: [...seen, name] })
      : await ownKeys(profile, search);
    return roleKeys(
      { role, externalId: profile.external_id, session: profile.role_session_name },
      keys,
      search,
    );
  }
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = profile;
  if (accessKeyId && secretAccessKey)
    return { accessKeyId, secretAccessKey, sessionToken: profile.aws_session_token || undefined, source };
  if (profile.sso_account_id) return ssoKeys({ profile, name, sections }, search);
  if (profile.credential_process) return processKeys(profile.credential_process, source, search);
  if (profile.login_session) return loginKeys(name, source, search);
  throw noCredentials(
    `Amazon Bedrock: the AWS profile "${name}" holds no credentials. Run aws configure --profile ${name}, or aws configure sso.`,
  );
}

/** The keys that a role without another profile is assumed with. */
async function ownKeys(profile: AwsProfile, search: KeySearch): Promise<AwsCredentials> {
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = profile;
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, source: 'profile' };
  const found = {
    Environment: () => Promise.resolve(plainKeys(search.env)),
    EcsContainer: () => containerKeys(search),
    Ec2InstanceMetadata: () => instanceKeys(search),
  }[profile.credential_source ?? ''];
  const keys = await found?.();
  if (keys) return keys;
  throw noCredentials(
    `Amazon Bedrock: the role ${profile.role_arn} has no source_profile or credential_source with credentials.`,
  );
}

/** Runs the command that the user's own AWS configuration names. */
async function processKeys(command: string, source: string, search: KeySearch): Promise<AwsCredentials> {
  const keys = await printedKeys(userShellWords(command), source, search);
  if (!('why' in keys)) return keys;
  throw noCredentials(
    `Amazon Bedrock: credential_process of the AWS ${source} ${keys.why}. Run it in a terminal to see more.`,
  );
}

/** The keys of a browser login (`aws login`). The AWS CLI renews them: they end after minutes. */
async function loginKeys(name: string, source: string, search: KeySearch): Promise<AwsCredentials> {
  const program = findProgram('aws', { cwd: process.cwd(), env: { ...search.env } });
  if (program === undefined)
    throw noCredentials(
      `Amazon Bedrock: the AWS ${source} was made by aws login, but the program aws is not installed, or not in PATH.`,
    );
  const line = [program, 'configure', 'export-credentials', '--profile', name, '--format', 'process'];
  const keys = await printedKeys(programWords(line), source, search);
  if (!('why' in keys)) return keys;
  throw noCredentials(
    `Amazon Bedrock: the AWS ${source} is not logged in (aws configure export-credentials ${keys.why}). Run aws login --profile ${name}.`,
  );
}

/** The keys that a program prints, or why there are none. */
async function printedKeys(
  words: readonly string[],
  source: string,
  { env, signal }: KeySearch,
): Promise<AwsCredentials | { readonly why: string }> {
  const printed = await printedJson({ words, env, signal, timeoutMs: processTimeoutMs });
  if ('why' in printed) return printed;
  const answer = printed.value;
  const accessKeyId = textField(answer, 'AccessKeyId');
  const secretAccessKey = textField(answer, 'SecretAccessKey');
  if (!accessKeyId || !secretAccessKey) return { why: 'printed no credentials' };
  const expiresAt = Date.parse(textField(answer, 'Expiration') ?? '');
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: textField(answer, 'SessionToken'),
    source,
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  };
}

/** The region of requests: a variable, or the profile's. */
export async function findAwsRegion(options: AccountOptions): Promise<string | undefined> {
  const { env } = options;
  const named = env.AWS_REGION || env.AWS_DEFAULT_REGION;
  if (named) return named;
  const profile = env.AWS_PROFILE || 'default';
  return (await readAwsFiles(options)).get(`profile ${profile}`)?.region;
}
