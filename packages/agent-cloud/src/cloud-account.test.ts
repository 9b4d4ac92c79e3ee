import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type AccountCall, type CloudName, StreamFailure } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAccount } from './cloud-account.ts';
import { type FrontRequest, googleToken, serviceAccountFile, startFront } from './fixtures/cloud-front.ts';

const home = await temporaryDirectory();

interface Asked {
  readonly env: Record<string, string>;
  readonly call?: Partial<AccountCall>;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string;
}

function prepare(cloud: CloudName, { env, call = {}, ...rest }: Asked) {
  const account = openAccount(cloud, { env, home, ...rest });
  const { signal } = new AbortController();
  const whole = { vendor: cloud, model: 'm', path: '/v1/messages', headers: {}, body: {}, signal, ...call };
  return account.prepare(whole);
}

async function serve(answer: (request: FrontRequest) => { status: number; json: unknown }): Promise<string> {
  const front = await startFront({ translate: answer });
  onTestFinished(front.close);
  return front.url;
}

const noHeaders = { get: () => null };

const textOf = (body: readonly Uint8Array[]) => Buffer.concat(body).toString();

describe('Amazon Bedrock', () => {
  const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: 'eu-west-1' };

  it('names the model in the path, and the betas in the body', async () => {
    const { url, headers, body } = await prepare('bedrock', {
      env,
      call: {
        model: 'eu.anthropic.claude-x-v1:0',
        headers: { 'anthropic-beta': 'a, b', 'anthropic-version': '1', 'x-api-key': 'no', 'x-mine': '1' },
        body: {
          model: 'x',
          stream: true,
          tools: [{ type: 'web_search_20250305', name: 'web_search' }, { name: 'Read' }],
          thinking: { type: 'enabled' },
          system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
        },
      },
    });
    expect(url).toBe(
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/eu.anthropic.claude-x-v1%3A0/invoke-with-response-stream',
    );
    expect(headers).toMatchObject({
      'x-mine': '1',
      authorization: expect.stringContaining('/eu-west-1/bedrock/'),
    });
    expect(headers).not.toHaveProperty('x-api-key');
    expect(headers).not.toHaveProperty('anthropic-version');
    expect(JSON.parse(textOf(body))).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['a', 'b'],
      tools: [{ name: 'Read' }],
      thinking: { type: 'enabled' },
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
    });
  });

  it('takes the region of an ARN, and wants one otherwise', async () => {
    const model = 'arn:aws:bedrock:us-west-2:1:inference-profile/us.anthropic.claude-x';
    const { url } = await prepare('bedrock', { env, call: { model } });
    expect(url).toContain('https://bedrock-runtime.us-west-2.amazonaws.com/model/arn%3Aaws%3Abedrock');
    const failure = prepare('bedrock', { env: { ...env, AWS_REGION: '' } });
    await expect(failure).rejects.toThrow('no AWS region is set. Set AWS_REGION');
  });

  it('sends a Bedrock key instead of a signature', async () => {
    const { headers } = await prepare('bedrock', { env: { AWS_REGION: 'x-1' }, apiKey: 'ABSK' });
    expect(headers).toMatchObject({ authorization: 'Bearer ABSK' });
    expect(headers).not.toHaveProperty('x-amz-date');
  });
});

describe('Google Vertex AI', () => {
  it('gets a token with the login of gcloud, and uses it until it ends', async () => {
    let asked = 0;
    const url = await serve(({ text }) => {
      asked++;
      const form = new URLSearchParams(text);
      const isRight = form.get('refresh_token') === 'r' && form.get('client_secret') === 's';
      return isRight
        ? { status: 200, json: { access_token: `token-${asked}`, expires_in: asked === 1 ? 60 : 3600 } }
        : {
            status: 400,
            json: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
          };
    });
    const folder = await temporaryDirectory();
    const file = join(folder, 'application_default_credentials.json');
    const login = {
      type: 'authorized_user',
      client_id: 'c',
      client_secret: 's',
      refresh_token: 'r',
      token_uri: url,
    };
    writeFileSync(file, JSON.stringify(login));
    const env = { CLOUDSDK_CONFIG: folder, GOOGLE_CLOUD_PROJECT: 'p' };
    const account = openAccount('vertex', { env, home });
    const { signal } = new AbortController();
    const call = { vendor: 'vertex', path: '/v1beta/x', headers: {}, body: { a: 1 }, signal };
    const tokens = [];
    for (let turn = 0; turn < 3; turn++) {
      const prepared = await account.prepare({ ...call, model: 'gemini-x' });
      tokens.push(prepared.headers.authorization);
      expect(prepared.url).toBe(
        'https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/gemini-x:streamGenerateContent?alt=sse',
      );
    }
    // The first one ends so soon that it is not used again.
    expect(tokens).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
    expect([account.renew(noHeaders), account.renew(noHeaders)]).toEqual([true, false]);
    writeFileSync(file, JSON.stringify({ ...login, refresh_token: 'old' }));
    await expect(account.prepare({ ...call, model: 'x' })).rejects.toThrow(
      /were refused: Token has been expired or revoked\. Run gcloud auth application-default login/,
    );
  });

  it('uses the service account of a machine', async () => {
    const url = await serve(({ path, headers }) => {
      if (headers['metadata-flavor'] !== 'Google') return { status: 403, json: {} };
      if (path.endsWith('/project/project-id')) return { status: 200, json: 'machine-project' };
      return { status: 200, json: { access_token: 'machine-token', expires_in: 3000 } };
    });
    const env = {
      CLOUDSDK_CONFIG: '/none',
      GCE_METADATA_HOST: url.replace('http://', ''),
      CLOUD_ML_REGION: 'us-east5',
    };
    const call = {
      model: 'claude-x@20250101',
      headers: { 'anthropic-beta': 'b' },
      body: { model: 'c', a: 1 },
    };
    const prepared = await prepare('vertex', { env, call });
    expect(prepared.headers).toEqual({ 'anthropic-beta': 'b', authorization: 'Bearer machine-token' });
    expect(prepared.url).toBe(
      'https://us-east5-aiplatform.googleapis.com/v1/projects/machine-project/locations/us-east5/publishers/anthropic/models/claude-x@20250101:streamRawPredict',
    );
    expect(JSON.parse(textOf(prepared.body))).toEqual({ anthropic_version: 'vertex-2023-10-16', a: 1 });
  });

  it('exchanges tokens of other identity providers, and acts for a service account', async () => {
    const url = await serve(({ path, headers, text }) => {
      const form = new URLSearchParams(text);
      if (path === '/subject' && headers['x-who'] === 'me') return { status: 200, json: { t: 'from-url' } };
      if (path === '/sts' && form.get('audience') === '//iam/pool')
        return { status: 200, json: { access_token: `sts-${form.get('subject_token')}`, expires_in: 3600 } };
      if (path === '/refresh') return { status: 200, json: { access_token: 'login', expires_in: 3600 } };
      if (path !== '/act') return { status: 404, json: {} };
      if (headers.authorization === 'Bearer sts-bad')
        return { status: 403, json: { error: { message: 'Permission denied on the account.' } } };
      const expireTime = new Date(Date.now() + 3_600_000).toISOString();
      return { status: 200, json: { accessToken: `acting ${headers.authorization}`, expireTime } };
    });
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, 'token'), 'from-file\n');
    writeFileSync(join(folder, 'bad'), 'bad');
    const tokenBy = async (credentials: object) => {
      const file = join(folder, 'credentials.json');
      writeFileSync(file, JSON.stringify(credentials));
      const env = { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CLOUD_PROJECT: 'p' };
      return (await prepare('vertex', { env })).headers.authorization;
    };
    const external = {
      type: 'external_account',
      audience: '//iam/pool',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${url}/sts`,
      credential_source: { file: join(folder, 'token') },
    };
    expect(await tokenBy(external)).toBe('Bearer sts-from-file');
    const format = { type: 'json', subject_token_field_name: 't' };
    const byUrl = { url: `${url}/subject`, headers: { 'x-who': 'me' }, format };
    const acting = { service_account_impersonation_url: `${url}/act` };
    expect(await tokenBy({ ...external, ...acting, credential_source: byUrl })).toBe(
      'Bearer acting Bearer sts-from-url',
    );
    const login = {
      type: 'authorized_user',
      client_id: 'c',
      client_secret: 's',
      refresh_token: 'r',
      token_uri: `${url}/refresh`,
    };
    const impersonated = { type: 'impersonated_service_account', ...acting, source_credentials: login };
    expect(await tokenBy(impersonated)).toBe('Bearer acting Bearer login');
    await expect(
      tokenBy({ ...external, ...acting, credential_source: { file: join(folder, 'bad') } }),
    ).rejects.toThrow('were refused: Permission denied on the account.');
    const program = { executable: { command: `touch ${join(folder, 'ran')}` } };
    await expect(tokenBy({ ...external, credential_source: program })).rejects.toThrow(
      'from a program or from AWS',
    );
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    await expect(tokenBy({ ...external, token_url: 'http://evil.example/sts' })).rejects.toThrow(
      'without https',
    );
    await expect(tokenBy({ ...impersonated, source_credentials: impersonated })).rejects.toThrow(
      'act for each other',
    );
  });

  it.each([
    ['eu', 'https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/'],
    ['europe-west1', 'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/'],
    ['', 'https://aiplatform.googleapis.com/v1/projects/p/locations/global/'],
  ])('reaches the location "%s" at %s', async (location, start) => {
    const token = await serve(() => ({ status: 200, json: { access_token: 't' } }));
    const env = { GCE_METADATA_HOST: new URL(token).host, GOOGLE_CLOUD_PROJECT: 'p' };
    const { url } = await prepare('vertex', { env: { ...env, GOOGLE_CLOUD_LOCATION: location } });
    expect(url).toContain(start);
  });

  it('says what is wrong with a file, and where to get one', async () => {
    const url = await serve(
      (request) => googleToken(request, 'someone else') as { status: number; json: unknown },
    );
    const account = await serviceAccountFile(url);
    const env = { GOOGLE_APPLICATION_CREDENTIALS: account };
    await expect(prepare('vertex', { env })).rejects.toThrow('were refused: Invalid JWT Signature.');
    const other = join(await temporaryDirectory(), 'x.json');
    writeFileSync(other, '{"type": "gdch_service_account"}');
    await expect(prepare('vertex', { env: { GOOGLE_APPLICATION_CREDENTIALS: other } })).rejects.toThrow(
      'holds no supported credentials (type: gdch_service_account). Run gcloud auth',
    );
    writeFileSync(other, '{"type": "service_account", "client_email": "a@b"}');
    await expect(prepare('vertex', { env: { GOOGLE_APPLICATION_CREDENTIALS: other } })).rejects.toThrow(
      'holds incomplete credentials (type: service_account). Run gcloud auth',
    );
    await expect(
      prepare('vertex', { env: { GOOGLE_APPLICATION_CREDENTIALS: '/none.json' } }),
    ).rejects.toThrow('names /none.json, which cannot be read');
    const nothing = prepare('vertex', { env: { GCE_METADATA_HOST: '127.0.0.1:1' } });
    await expect(nothing).rejects.toThrow('no Google credentials were found. Run gcloud auth');
    await expect(nothing).rejects.toBeInstanceOf(StreamFailure);
  });
});

it.each([
  ['bedrock', { AWS_REGION: 'us east 1', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' }],
  ['bedrock', { AWS_REGION: 'x', AWS_ROLE_ARN: 'r', AWS_ENDPOINT_URL_STS: 'sts.local' }],
  ['azure', { IDENTITY_ENDPOINT: 'no address' }],
  [
    'azure',
    { AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_CLIENT_SECRET: 's', AZURE_AUTHORITY_HOST: 'login.x' },
  ],
] as const)('names an address that is none, and asks %s only once: %o', async (cloud, env) => {
  const tokenFile = join(await temporaryDirectory(), 'token');
  writeFileSync(tokenFile, 'token');
  const failure = prepare(cloud, {
    env: { ...env, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile },
    baseUrl: cloud === 'azure' ? 'https://mine.openai.azure.com' : undefined,
  });
  await expect(failure).rejects.toThrow(/"[^"]*" is not a URL\. Correct the variable/);
  await expect(failure).rejects.toMatchObject({ failure: { code: 'auth', retryable: false } });
});

describe('Azure OpenAI', () => {
  const base = { baseUrl: 'https://mine.openai.azure.com/', apiKey: 'azure-key' };
  const call = { model: 'my deployment', path: '/chat/completions', headers: { authorization: 'Bearer x' } };

  it('sends a key, to the API in use or to a dated one', async () => {
    const { url, headers } = await prepare('azure', { env: {}, call, ...base });
    expect(url).toBe('https://mine.openai.azure.com/openai/v1/chat/completions');
    expect(headers).toEqual({ 'api-key': 'azure-key' });
    const dated = { AZURE_OPENAI_API_VERSION: '2024-10-21' };
    expect((await prepare('azure', { env: dated, call, ...base })).url).toBe(
      'https://mine.openai.azure.com/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21',
    );
    const responses = { ...call, path: '/responses' };
    expect((await prepare('azure', { env: dated, call: responses, ...base })).url).toBe(
      'https://mine.openai.azure.com/openai/responses?api-version=2024-10-21',
    );
    const named = { AZURE_OPENAI_RESOURCE: 'other', AZURE_OPENAI_API_VERSION: 'preview' };
    expect((await prepare('azure', { env: named, call, apiKey: 'k' })).url).toBe(
      'https://other.openai.azure.com/openai/v1/chat/completions?api-version=preview',
    );
    await expect(prepare('azure', { env: {}, call, apiKey: 'k' })).rejects.toThrow(
      'Set AZURE_OPENAI_ENDPOINT',
    );
  });

  it('uses a managed identity of a machine and of an app', async () => {
    const url = await serve(({ path, headers }) => {
      const { pathname, searchParams } = new URL(path, 'http://x');
      const isOurs = searchParams.get('resource') === 'https://cognitiveservices.azure.com';
      const expires_on = String(Math.floor(Date.now() / 1000) + 3600);
      if (isOurs && pathname === '/metadata/identity/oauth2/token' && headers.metadata === 'true')
        return { status: 200, json: { access_token: 'machine', expires_on } };
      if (isOurs && pathname === '/app' && headers['x-identity-header'] === 'h')
        return { status: 200, json: { access_token: 'app', expires_on } };
      return { status: 400, json: {} };
    });
    const { baseUrl } = base;
    const machine = await prepare('azure', {
      env: { AZURE_POD_IDENTITY_AUTHORITY_HOST: url },
      call,
      baseUrl,
    });
    expect(machine.headers).toEqual({ authorization: 'Bearer machine' });
    const app = { IDENTITY_ENDPOINT: `${url}/app`, IDENTITY_HEADER: 'h' };
    expect((await prepare('azure', { env: app, call, baseUrl })).headers.authorization).toBe('Bearer app');
  });

  it.skipIf(process.platform === 'win32')(
    'uses the login of az, and says what to do without one',
    async () => {
      const folder = await temporaryDirectory();
      const env = {
        AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:1',
        PATH: [folder, process.env.PATH].join(delimiter),
      };
      const { baseUrl } = base;
      await expect(prepare('azure', { env: { ...env, PATH: folder }, call, baseUrl })).rejects.toThrow(
        'no key and no Entra login were found. Run az login',
      );
      const az = join(folder, 'az');
      writeFileSync(
        az,
        '#!/bin/sh\n[ "$3" = --resource ] && echo \'{"accessToken": "az-token", "expires_on": 9999999999}\'\n',
      );
      chmodSync(az, 0o755);
      const loggedOut = join(await temporaryDirectory(), 'az');
      writeFileSync(loggedOut, '#!/bin/sh\necho hush; exit 1\n', { mode: 0o755 });
      const without = { ...env, PATH: [join(loggedOut, '..'), process.env.PATH].join(delimiter) };
      await expect(prepare('azure', { env: without, call, baseUrl })).rejects.toThrow(
        'were found (az account get-access-token failed with exit code 1). Run az login',
      );
      expect((await prepare('azure', { env, call, baseUrl })).headers.authorization).toBe('Bearer az-token');
    },
  );

  it('says why an application is refused', async () => {
    const url = await serve(() => ({
      status: 401,
      json: { error_description: 'AADSTS7000215: Invalid client secret.\r\nTrace' },
    }));
    const env = {
      AZURE_TENANT_ID: 't',
      AZURE_CLIENT_ID: 'c',
      AZURE_CLIENT_SECRET: 'hush',
      AZURE_AUTHORITY_HOST: url,
    };
    const failure = prepare('azure', { env, call, baseUrl: base.baseUrl });
    await expect(failure).rejects.toThrow(
      'the application c was refused: AADSTS7000215: Invalid client secret.',
    );
    await expect(failure).rejects.not.toThrow('hush');
  });
});
