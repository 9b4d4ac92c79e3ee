import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  anthropicReply,
  jsonReply,
  openaiChatReply,
  robotaVersion,
  startPackageRegistry,
  temporaryDirectory,
  testAuthority,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { awsKeys, bedrockRequest, startFront } from '../packages/agent-cloud/src/fixtures/cloud-front.ts';
import { startOAuthServer } from '../packages/agent-resources/src/mcp/fixtures/oauth-server.ts';
import {
  makeRepository,
  marketplaceFiles,
  pluginFiles,
} from '../packages/agent-resources/src/plugins/fixtures/plugin-stage.ts';
import { openProxiedNetwork, type ProxiedNetwork, proxyPassword } from './proxied-network.ts';

let network: ProxiedNetwork;
const said: string[] = [];

beforeEach(async () => {
  said.length = 0;
  network = await openProxiedNetwork();
});

afterEach(() => network.close());

/** Runs the command behind the proxy, and remembers all that it said. */
async function robota(args: readonly string[], env: Record<string, string> = {}) {
  const result = await network.stage.robota(args, { env: { ...network.env, ...env } });
  said.push(result.stdout, result.stderr);
  return result;
}

const inHome = (...path: string[]) => join(network.stage.home, '.robota', ...path);

it('logs in to an MCP server, renews the token and calls a tool through the proxy', async () => {
  const login = await startOAuthServer({ origin: 'https://login.robota.test' });
  network.onClose(login.close);
  await network.serve('login', login.port);
  const browser = join(await temporaryDirectory(), 'browser.mjs');
  // A browser that knows the way to the page without our proxy.
  await writeFile(
    browser,
    `#!/usr/bin/env node\nawait fetch(process.argv[2].replace('https://login.robota.test', 'http://127.0.0.1:${login.port}'));\n`,
  );
  await chmod(browser, 0o755);
  await mkdir(inHome(), { recursive: true });
  await writeFile(inHome('mcp.json'), JSON.stringify({ mcpServers: { api: { url: login.url } } }));
  expect(await robota(['mcp', 'login', 'api'], { BROWSER: browser })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Logged in to api'),
  });
  expect(login.journal).toEqual(['register', 'authorize read', 'token authorization_code']);
  login.expireTokens();
  network.stage.server.reply(
    anthropicReply({ toolCalls: [{ id: 'a', name: 'mcp__api__look', input: {} }] }),
    anthropicReply({ text: 'done' }),
  );
  expect(await robota(['-p', 'go', '--allow', 'mcp__api__look'])).toMatchObject({ code: 0, stderr: '' });
  expect(network.stage.results(1)[0]?.text).toContain('look was called');
  expect(login.journal.at(-1)).toBe('token refresh_token');
  expect(network.reached()).toEqual(['api', 'login']);
  expectNoPassword();
});

it.each([['SSL_CERT_FILE'], ['NODE_EXTRA_CA_CERTS']])(
  'adds a marketplace by its address and one by git, and installs from them, with the authority of %s',
  async (variable) => {
    const files = marketplaceFiles('by-git', { hello: pluginFiles('hello') });
    const { path } = makeRepository(join(await temporaryDirectory(), 'tools'), files);
    await network.serve('git', gitServer(join(path, '..')));
    const manifest = {
      name: 'by-address',
      owner: { name: 'Somebody' },
      plugins: [{ name: 'far', source: { source: 'url', url: 'https://git.robota.test/tools/.git' } }],
    };
    await network.serve('market', (_, response) => void response.end(JSON.stringify(manifest)));
    const trust = { SSL_CERT_FILE: '', [variable]: fileURLToPath(testAuthority) };
    const run = async (...words: string[]) => {
      const result = await robota(['plugin', ...words], trust);
      expect(result).toMatchObject({ code: 0 });
      return result;
    };
    await run('marketplace', 'add', 'https://market.robota.test/marketplace.json');
    await run('marketplace', 'add', 'https://git.robota.test/tools/.git');
    await run('install', 'hello@by-git', '--yes');
    expect((await run('list')).stdout).toContain('hello');
    expect(network.reached()).toEqual(['git', 'market']);
    expectNoPassword();
  },
);

it('looks for a new version through the proxy', async () => {
  const registry = await startPackageRegistry();
  network.onClose(registry.close);
  const version = robotaVersion.replace(/\d+$/, (patch) => `${Number(patch) + 1}`);
  registry.publish({ name: '@robota-sdk/agent-cli', version, tarball: Buffer.from('') });
  await network.serve('registry', Number(new URL(registry.url).port));
  const { stdout } = await robota(['update', '--check'], {
    npm_config_registry: 'https://registry.robota.test',
  });
  expect(stdout).toContain(version);
  expect(network.reached()).toEqual(['registry']);
  expectNoPassword();
});

it('asks a server for its models, talks to it and searches the web through the proxy', async () => {
  const { server } = network.stage;
  server.handleQuestions(({ headers }) =>
    headers.authorization === 'Bearer lab-key'
      ? jsonReply(200, { data: [{ id: 'lab-model', max_model_len: 40_960 }] })
      : jsonReply(401, {}),
  );
  await network.serve('lab', Number(new URL(server.url).port));
  const results = [{ title: 'The hit', url: 'https://hit.example', content: 'x' }];
  await network.serve('search', (_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
  });
  const lab = { baseUrl: 'https://lab.robota.test/v1', apiKey: 'lab-key', models: [] };
  await mkdir(inHome(), { recursive: true });
  await writeFile(inHome('models.json'), JSON.stringify({ providers: { lab } }), { mode: 0o600 });
  server.reply(
    openaiChatReply({ calls: [{ id: 'a', name: 'WebSearch', input: { query: 'hit' } }] }),
    openaiChatReply({ text: 'done' }),
  );
  const env = { SEARXNG_URL: 'https://search.robota.test' };
  const words = ['-p', 'go', '--model', 'lab/lab-model', '--allow', 'WebSearch'];
  expect(await robota(words, env)).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('The hit');
  expect(await readFile(inHome('cache', 'served-models.json'), 'utf8')).toContain('40960');
  expect(network.reached()).toEqual(['lab', 'search']);
  expectNoPassword();
});

it('reaches Bedrock and STS through the proxy, and the metadata of the machine past it', async () => {
  const { url: upstream } = network.stage.server;
  const bedrock = await startFront({ upstream, isFramed: true, translate: bedrockRequest });
  network.onClose(bedrock.close);
  await network.serve('bedrock', Number(new URL(bedrock.url).port));
  await network.serve('sts', (_, response) => {
    const { id, secret, token } = awsKeys;
    response.end(
      `<AccessKeyId>${id}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey><SessionToken>${token}</SessionToken>`,
    );
  });
  const asked: string[] = [];
  const metadata = await startFront({
    translate: ({ path }) => {
      asked.push(path);
      if (path.endsWith('/token')) return { status: 200, json: 'session' };
      if (path.endsWith('/security-credentials/')) return { status: 200, json: 'machine' };
      return { status: 200, json: { AccessKeyId: 'AKIAMACHINE', SecretAccessKey: 'machine-secret' } };
    },
  });
  network.onClose(metadata.close);
  await mkdir(join(network.stage.home, '.aws'));
  const profile = 'role_arn = arn:aws:iam::1:role/coder\ncredential_source = Ec2InstanceMetadata\n';
  await writeFile(join(network.stage.home, '.aws', 'config'), `[default]\nregion = eu-west-1\n${profile}`);
  network.stage.server.reply(anthropicReply({ text: 'from Bedrock' }));
  const result = await robota(
    ['-p', 'go', '--model', 'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    {
      HTTP_PROXY: network.env.HTTPS_PROXY ?? '',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'https://bedrock.robota.test',
      AWS_ENDPOINT_URL_STS: 'https://sts.robota.test/',
      // Leads to this machine, but is none of the addresses that are known to.
      AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    },
  );
  expect(result).toMatchObject({ code: 0, stdout: 'from Bedrock\n', stderr: '' });
  expect(asked).toHaveLength(3);
  expect(network.reached()).toEqual(['bedrock', 'sts']);
  expectNoPassword();
});

it('goes past the proxy for the hosts of NO_PROXY', async () => {
  await network.serve('market', (_, response) => response.end('{}'));
  const words = ['plugin', 'marketplace', 'add', 'https://market.robota.test/marketplace.json'];
  const { code, stderr } = await robota(words, { NO_PROXY: 'other.test,.robota.test' });
  expect(code).toBe(2);
  // Only the proxy knows the name, so that a direct connection cannot work.
  expect(stderr).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(network.reached()).toEqual([]);
  await robota(words, { NO_PROXY: 'robota.test:8443' });
  expect(network.reached()).toEqual(['market']);
});

/** Serves the repositories of a folder by git's own program. */
function gitServer(root: string): RequestListener {
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://git');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: resolve(root),
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        ...(request.headers['content-encoding'] ? { HTTP_CONTENT_ENCODING: 'gzip' } : {}),
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const fields = answer.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(fields.map((line) => line.split(': ') as [string, string]));
    response.writeHead(Number.parseInt(headers.Status ?? '200', 10), headers).end(answer.subarray(end + 4));
  };
}

function expectNoPassword(): void {
  expect(said.join('')).not.toContain(proxyPassword);
}
