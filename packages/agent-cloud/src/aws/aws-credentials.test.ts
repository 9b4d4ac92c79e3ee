import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type FrontRequest, signatureProblem, startFront } from '../fixtures/cloud-front.ts';
import { findAwsKeys, findAwsRegion } from './aws-credentials.ts';
import { parseSections } from './profiles.ts';
import { ServerClock } from './server-clock.ts';

let home: string;
beforeEach(async () => {
  home = await temporaryDirectory();
  mkdirSync(join(home, '.aws', 'sso', 'cache'), { recursive: true });
});

const none = { AWS_EC2_METADATA_DISABLED: 'true' };
const find = (env: Record<string, string>, signal = new AbortController().signal) =>
  findAwsKeys({ env: { ...none, ...env }, home, region: 'eu-west-1', signal, clock: new ServerClock() });

function config(text: string, name = 'config') {
  writeFileSync(join(home, '.aws', name), text);
}

async function serve(
  answer: (request: FrontRequest) => { status: number; json: unknown; date?: Date },
): Promise<string> {
  const front = await startFront({ translate: answer });
  onTestFinished(front.close);
  return front.url;
}

const later = new Date(Date.now() + 3_600_000).toISOString();
const roleAnswer = `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>roleSecret</SecretAccessKey><SessionToken>roleToken</SessionToken><Expiration>${later}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;

describe('AWS credentials', () => {
  it('come from variables, unless a profile is named', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'AKIAVAR', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' };
    expect(await find(env)).toMatchObject({ accessKeyId: 'AKIAVAR', sessionToken: 't' });
    config('[work]\naws_access_key_id = AKIAWORK\naws_secret_access_key = w # comment\n', 'credentials');
    expect(await find({ ...env, AWS_PROFILE: 'work' })).toMatchObject({
      accessKeyId: 'AKIAWORK',
      secretAccessKey: 'w',
      source: 'profile work',
    });
    await expect(find({ AWS_PROFILE: 'wrok' })).rejects.toThrow(
      'there is no AWS profile "wrok". Known profiles: work.',
    );
  });

  it('come from the default profile, whose two files are read together', async () => {
    config('[default]\nregion = us-west-2\n');
    config('[default]\naws_access_key_id=AKIADEF\naws_secret_access_key=d\n', 'credentials');
    expect(await find({})).toMatchObject({ accessKeyId: 'AKIADEF' });
    expect(await findAwsRegion({ env: {}, home })).toBe('us-west-2');
    expect(await findAwsRegion({ env: { AWS_DEFAULT_REGION: 'x-1' }, home })).toBe('x-1');
  });

  it('come from a role that is assumed with the keys of another profile', async () => {
    let problem: string | undefined = 'not asked';
    let form = new URLSearchParams();
    const url = await serve((request) => {
      problem = signatureProblem(request, 'baseSecret');
      form = new URLSearchParams(request.text);
      return { status: 200, json: roleAnswer };
    });
    config(
      '[profile base]\naws_access_key_id=AKIABASE\naws_secret_access_key=baseSecret\n[profile admin]\nrole_arn=arn:aws:iam::1:role/admin\nsource_profile=base\nexternal_id=ext\n',
    );
    const keys = await find({ AWS_PROFILE: 'admin', AWS_ENDPOINT_URL_STS: url });
    expect(keys).toMatchObject({
      accessKeyId: 'ASIAROLE',
      sessionToken: 'roleToken',
      expiresAt: Date.parse(later),
    });
    expect(problem).toBeUndefined();
    expect(Object.fromEntries(form)).toMatchObject({ Action: 'AssumeRole', ExternalId: 'ext' });
    config('[profile a]\nrole_arn=r\nsource_profile=b\n[profile b]\nrole_arn=r\nsource_profile=a\n');
    await expect(find({ AWS_PROFILE: 'a' })).rejects.toThrow('name each other');
  });

  it('say how to get those of a role that wants an MFA code', async () => {
    config(
      '[profile m]\nrole_arn = r\nmfa_serial = arn:aws:iam::1:mfa/me\naws_access_key_id = A\naws_secret_access_key = s\n',
    );
    await expect(find({ AWS_PROFILE: 'm' })).rejects.toThrow(
      'needs an MFA code, which Robota cannot ask for. Run eval "$(aws configure export-credentials --profile m',
    );
  });

  it('come from a web identity', async () => {
    const tokenFile = join(home, 'token');
    writeFileSync(tokenFile, 'jwt\n');
    const env = { AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile, AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod' };
    const url = await serve(({ text, headers }) => {
      const form = new URLSearchParams(text);
      if (headers.authorization !== undefined || form.get('WebIdentityToken') !== 'jwt')
        return { status: 403, json: '<Error><Code>AccessDenied</Code><Message>No.</Message></Error>' };
      return { status: 200, json: roleAnswer };
    });
    expect(await find({ ...env, AWS_ENDPOINT_URL_STS: url })).toMatchObject({ accessKeyId: 'ASIAROLE' });
    writeFileSync(tokenFile, 'other');
    await expect(find({ ...env, AWS_ENDPOINT_URL_STS: url })).rejects.toThrow(
      'the role arn:aws:iam::1:role/pod cannot be assumed (AccessDenied): No.',
    );
  });

  it('come from a login by SSO that is renewed by its own token, without a new login', async () => {
    config(
      '[profile sso]\nsso_session = corp\nsso_account_id = 12\nsso_role_name = dev\n[sso-session corp]\nsso_region = eu-west-1\n',
    );
    const login = {
      accessToken: 'old',
      expiresAt: '2020-01-01T00:00:00Z',
      clientId: 'c',
      clientSecret: 'hush',
      refreshToken: 'r',
    };
    const cache = join(
      home,
      '.aws',
      'sso',
      'cache',
      `${createHash('sha1').update('corp').digest('hex')}.json`,
    );
    writeFileSync(cache, JSON.stringify(login));
    const url = await serve(({ path, headers, text }) => {
      if (path === '/token') {
        const { accessToken: _, expiresAt: __, ...sent } = login;
        const isRight = text === JSON.stringify({ ...sent, grantType: 'refresh_token' });
        return isRight ? { status: 200, json: { accessToken: 'new' } } : { status: 400, json: {} };
      }
      const roleCredentials = { accessKeyId: 'ASIASSO', secretAccessKey: 's', sessionToken: 't' };
      const isNew = headers['x-amz-sso_bearer_token'] === 'new';
      return { status: isNew ? 200 : 401, json: { roleCredentials } };
    });
    const env = { AWS_PROFILE: 'sso', AWS_ENDPOINT_URL_SSO: url, AWS_ENDPOINT_URL_SSO_OIDC: url };
    expect(await find(env)).toMatchObject({ accessKeyId: 'ASIASSO' });
    writeFileSync(cache, JSON.stringify({ ...login, refreshToken: 'revoked' }));
    await expect(find(env)).rejects.toThrow('is not logged in. Run aws sso login --profile sso.');
    await expect(find(env)).rejects.not.toThrow('hush');
  });

  it('come from a login by SSO, and say how to renew it', async () => {
    config(
      '[profile sso]\nsso_session = corp\nsso_account_id = 12\nsso_role_name = dev\n[sso-session corp]\nsso_region = eu-west-1\nsso_start_url = https://corp.test\n',
    );
    await expect(find({ AWS_PROFILE: 'sso' })).rejects.toThrow(
      'is not logged in. Run aws sso login --profile sso.',
    );
    const cache = join(
      home,
      '.aws',
      'sso',
      'cache',
      `${createHash('sha1').update('corp').digest('hex')}.json`,
    );
    writeFileSync(cache, JSON.stringify({ accessToken: 'sso-token', expiresAt: later }));
    const url = await serve(({ path, headers }) => {
      const isRight =
        headers['x-amz-sso_bearer_token'] === 'sso-token' &&
        path === '/federation/credentials?role_name=dev&account_id=12';
      const roleCredentials = {
        accessKeyId: 'ASIASSO',
        secretAccessKey: 's',
        sessionToken: 't',
        expiration: 5,
      };
      return isRight ? { status: 200, json: { roleCredentials } } : { status: 401, json: {} };
    });
    expect(await find({ AWS_PROFILE: 'sso', AWS_ENDPOINT_URL_SSO: url })).toMatchObject({
      accessKeyId: 'ASIASSO',
      expiresAt: 5,
    });
  });

  it('come from a program that a profile names', async () => {
    const printed = JSON.stringify({
      Version: 1,
      AccessKeyId: 'AKIAPROC',
      SecretAccessKey: 'p',
      Expiration: later,
    });
    writeFileSync(join(home, 'keys.json'), printed);
    config(`[profile p]\ncredential_process = cat ${join(home, 'keys.json')}\n`);
    expect(await find({ AWS_PROFILE: 'p' })).toMatchObject({ accessKeyId: 'AKIAPROC', source: 'profile p' });
  });

  it.each([
    ['echo hush-hush >&2; exit 3', 'failed with exit code 3'],
    ['echo hush-hush; exit 1', 'failed with exit code 1'],
    ['echo hush-hush', 'printed no credentials'],
    ['printf \'{"AccessKeyId": "hush-hush"\'', 'printed no credentials'],
    ['yes hush-hush', 'printed more than 1024 KB'],
    ['cat; echo hush-hush', 'printed no credentials'],
  ])('say why the program %s gives none, and nothing that it said', async (command, why) => {
    config(`[profile q]\ncredential_process = ${command}\n`);
    const failure = await find({ AWS_PROFILE: 'q' }).catch((thrown: Error) => thrown);
    expect(String(failure)).toContain(`credential_process of the AWS profile q ${why}.`);
    expect(String(failure)).not.toContain('hush');
  });

  it.skipIf(process.platform === 'win32')(
    'come from a login in the browser, by the program of AWS',
    async () => {
      config(
        '[default]\nlogin_session = arn:aws:iam::1:user/me\n[profile w]\nlogin_session = arn:aws:iam::1:user/w\n',
      );
      await expect(find({ PATH: home })).rejects.toThrow('the program aws is not installed');
      const isRight = '[ "$*" = "configure export-credentials --profile default --format process" ]';
      const keys = JSON.stringify({
        Version: 1,
        AccessKeyId: 'ASIALOGIN',
        SecretAccessKey: 'l',
        Expiration: later,
      });
      writeFileSync(join(home, 'aws'), `#!/bin/sh\n${isRight} || exit 255\necho '${keys}'\n`, {
        mode: 0o755,
      });
      expect(await find({ PATH: home })).toMatchObject({
        accessKeyId: 'ASIALOGIN',
        source: 'profile default',
      });
      await expect(find({ PATH: home, AWS_PROFILE: 'w' })).rejects.toThrow(
        'the AWS profile w is not logged in (aws configure export-credentials failed with exit code 255). Run aws login --profile w.',
      );
    },
  );

  it('do not wait for a program once the run is interrupted, and leave none behind', async () => {
    const started = join(home, 'started');
    config(
      `[profile q]\ncredential_process = trap "" TERM; echo $$ > ${started}; while :; do sleep 1; done\n`,
    );
    const interrupt = new AbortController();
    const search = find({ AWS_PROFILE: 'q', PATH: process.env.PATH ?? '' }, interrupt.signal);
    const ended = expect(search).rejects.toThrow('Interrupted.');
    const idOf = () => Number(existsSync(started) ? readFileSync(started, 'utf8') : 0);
    await expect.poll(idOf).toBeGreaterThan(0);
    interrupt.abort(new Error('Interrupted.'));
    await ended;
    await expect.poll(() => isProcessAlive(idOf())).toBe(false);
  });

  it('come from a role also where the clock of this machine is wrong', async () => {
    const date = new Date(Date.now() + 3 * 3_600_000);
    let asked = 0;
    const url = await serve((request) => {
      asked++;
      const problem = signatureProblem(request, 'baseSecret', date.getTime());
      if (problem === undefined) return { status: 200, json: roleAnswer };
      const json = '<Error><Code>SignatureDoesNotMatch</Code><Message>Signature expired.</Message></Error>';
      return { status: 403, json, date };
    });
    const keys = 'aws_access_key_id=AKIABASE\naws_secret_access_key=baseSecret\n';
    config(`[profile admin]\nrole_arn=arn:aws:iam::1:role/admin\n${keys}`);
    const env = { AWS_PROFILE: 'admin', AWS_ENDPOINT_URL_STS: url };
    expect(await find(env)).toMatchObject({ accessKeyId: 'ASIAROLE' });
    expect(asked).toBe(2);
  });

  it('come from a container, but not from just any address', async () => {
    const url = await serve(({ path, headers }) =>
      path === '/role' && headers.authorization === 'container-token'
        ? {
            status: 200,
            json: { AccessKeyId: 'ASIACONT', SecretAccessKey: 's', Token: 't', Expiration: later },
          }
        : { status: 401, json: {} },
    );
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/role`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'container-token',
    };
    expect(await find(env)).toMatchObject({ accessKeyId: 'ASIACONT', sessionToken: 't' });
    config('[default]\nregion = x\n[profile here]\nregion = y\n');
    expect(await find(env)).toMatchObject({ accessKeyId: 'ASIACONT' });
    expect(await find({ ...env, AWS_PROFILE: 'here' })).toMatchObject({ accessKeyId: 'ASIACONT' });
    await expect(find({})).rejects.toThrow(
      'the AWS profile "default" holds no credentials. Run aws configure',
    );
    const far = find({ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com/role' });
    await expect(far).rejects.toThrow('neither https nor an address of this machine');
  });

  it('come from the instance, by IMDSv2 only', async () => {
    const url = await serve(({ method, path, headers }) => {
      if (method === 'PUT' && path === '/latest/api/token') return { status: 200, json: 'imds-token' };
      if (headers['x-aws-ec2-metadata-token'] !== 'imds-token') return { status: 401, json: {} };
      if (path.endsWith('/security-credentials/')) return { status: 200, json: 'the-role\n' };
      return path.endsWith('/the-role')
        ? {
            status: 200,
            json: { AccessKeyId: 'ASIAEC2', SecretAccessKey: 's', Token: 't', Expiration: later },
          }
        : { status: 404, json: {} };
    });
    const env = { AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: url };
    expect(await find(env)).toMatchObject({ accessKeyId: 'ASIAEC2', source: 'the instance role the-role' });
  });

  it('say what to do where there are none', async () => {
    await expect(find({})).rejects.toMatchObject({ failure: { code: 'auth', retryable: false } });
    await expect(find({})).rejects.toThrow(/no AWS credentials were found\. Run aws configure/);
  });
});

it('reads the files as the tools of AWS do', () => {
  const text = '; comment\n[profile  a]\r\nregion=eu # here\nnested =\n  max = 3\n[ b ]\nx=a;b\n=c\n';
  expect(Object.fromEntries(parseSections(text))).toEqual({
    'profile  a': { region: 'eu', nested: '' },
    b: { x: 'a;b', '': 'c' },
  });
});
