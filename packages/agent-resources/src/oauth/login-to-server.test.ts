import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type Answer,
  describeProblems,
  type Question,
  secretHider,
  silentInterface,
  type UserInterface,
} from '@robota-sdk/agent-core';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadConfig } from '../load/load-config.ts';
import { type OAuthServer, type OAuthServerOptions, startOAuthServer } from '../mcp/fixtures/oauth-server.ts';
import { SessionMcp } from '../mcp/session-mcp.ts';
import { resolveServer } from '../mcp-definitions/resolve-server.ts';
import { loginToServer } from './login-to-server.ts';
import { openWayBack } from './way-back.ts';

const browser = resolve('packages/agent-resources/src/mcp/fixtures/browser.mjs');
const open: OAuthServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function guarded(options: OAuthServerOptions = {}, more: object = {}) {
  const login = await startOAuthServer(options);
  open.push(login);
  const place = await makeTestProject({ BROWSER: browser, PATH: process.env.PATH ?? '' });
  await place.put('~/.robota/mcp.json', { mcpServers: { api: { url: login.url, ...more } } });
  const resolved = resolveServer(
    { name: 'api', origin: { scope: 'user', source: 'here' }, written: { url: login.url, ...more } },
    place,
  );
  if (!resolved.ok) throw new Error(resolved.problem.message);
  return { login, place, server: resolved.server };
}

const said: string[] = [];
const desk = ({ host }: TestProject, ui: UserInterface = silentInterface) => ({
  host,
  ui,
  say: (text: string) => void said.push(text),
});

const auth = async ({ home }: TestProject) =>
  JSON.parse(await readFile(join(home, '.robota/auth.json'), 'utf8'));

/** Starts the servers of a place and calls a tool of one. */
async function use({ cwd, host }: TestProject, tool: string) {
  const mcp = new SessionMcp({ cwd, host, onProblem: () => {} });
  const servers = await mcp.connect(await loadConfig(cwd, { host }));
  try {
    await servers.start();
    await servers.settled();
    const before = servers.state('api');
    if (before?.status !== 'ready') return { status: before?.status, error: before?.error };
    const output = await servers
      .callTool({ server: 'api', tool, arguments: {} })
      .catch((thrown: unknown) => ({ content: [{ text: String(thrown) }] }));
    return { status: servers.state('api')?.status, text: JSON.stringify(output.content) };
  } finally {
    await servers.dispose();
  }
}

describe('logging in to a server', () => {
  it('registers, proves itself, keeps the tokens privately, and renews them', async () => {
    const { login, place, server } = await guarded();
    await place.put('~/.robota/auth.json', { openai: { type: 'api_key', key: 'sk-1' } });
    expect(await use(place, 'look')).toMatchObject({ status: 'needs-login' });
    expect(login.journal).toEqual([]);
    await loginToServer(server, desk(place));
    expect(login.journal).toEqual(['register', 'authorize read', 'token authorization_code']);
    const file = join(place.home, '.robota/auth.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { openai, mcp } = await auth(place);
    expect(openai).toEqual({ type: 'api_key', key: 'sk-1' });
    const first = mcp[login.url].tokens.access_token;
    expect(first).toMatch(/^access-/);
    expect(await use(place, 'look')).toMatchObject({ status: 'ready', text: /look was called/ });
    login.expireTokens();
    expect(await use(place, 'look')).toMatchObject({ status: 'ready' });
    expect(login.journal.at(-1)).toBe('token refresh_token');
    const renewed = (await auth(place)).mcp[login.url].tokens.access_token;
    expect(renewed).not.toBe(first);
    expect(secretHider([])(`it is ${renewed}`)).toBe('it is [redacted]');
    login.revokeAll();
    expect(await use(place, 'look')).toMatchObject({ status: 'needs-login' });
    expect(describeProblems((await loadConfig(place.cwd, { host: place.host })).problems)).toEqual([]);
  });

  it('asks for more where a call needs it', async () => {
    const { login, place, server } = await guarded();
    await loginToServer(server, desk(place));
    const { text } = await use(place, 'admin');
    expect(text).toMatch(/login/);
    await loginToServer(server, desk(place));
    const [, scope = ''] =
      /^authorize (.*)$/.exec(login.journal.findLast((line) => /^authorize/.test(line)) ?? '') ?? [];
    expect(scope.split(' ')).toContain('admin');
    expect(await use(place, 'admin')).toMatchObject({ text: /admin was called/ });
  });

  it('takes a pasted address where the browser is on another machine', async () => {
    const { place, server } = await guarded();
    const host = { ...place.host, env: { PATH: process.env.PATH, SSH_CONNECTION: 'x' } };
    said.length = 0;
    const questions: Question[] = [];
    const answers = ['Not a URL', ''];
    const ui: UserInterface = {
      notify: () => {},
      ask: async (question): Promise<Answer> => {
        questions.push(question);
        const typed = answers.shift();
        if (typed) return { kind: 'text', text: typed };
        const page = said[0]?.split('\n')[1] ?? '';
        const { headers } = await fetch(page, { redirect: 'manual' });
        return { kind: 'text', text: ` ${headers.get('location')} ` };
      },
    };
    await loginToServer(server, { ...desk(place, ui), host });
    expect(said[0]).toMatch(/^Log in at this address:\nhttp:\/\/127\.0\.0\.1/);
    expect(questions).toHaveLength(2);
    expect(await use(place, 'look')).toMatchObject({ status: 'ready' });
  });

  it('continues where another program calls the way back, with an error, another state or none', async () => {
    const wayBack = await openWayBack(undefined, undefined);
    const controller = new AbortController();
    const arrival = wayBack.arrival('mine', controller.signal);
    for (const query of ['error=x', 'code=stolen', 'code=stolen&state=other', 'error=x&state=', 'state=mine'])
      expect((await fetch(`${wayBack.url}?${query}`)).status).toBe(404);
    expect((await fetch(`${wayBack.url}?code=right&state=mine`)).status).toBe(200);
    expect((await arrival).searchParams.get('code')).toBe('right');
    wayBack.close();
  });

  it('refuses an answer that belongs to another login', async () => {
    const { place, server } = await guarded();
    const host = { ...place.host, env: { PATH: process.env.PATH, SSH_TTY: 'x' } };
    const ui: UserInterface = {
      notify: () => {},
      ask: async () => ({ kind: 'text', text: 'http://127.0.0.1:1/callback?code=stolen&state=other' }),
    };
    const login = loginToServer(server, { ...desk(place, ui), host });
    await expect(login).rejects.toThrow('The answer belongs to another login.');
  });

  it('uses a client that is known already, and reports when the login is refused', async () => {
    const known = await guarded({ clients: ['robota-1'] }, { oauth: { clientId: 'robota-1' } });
    await loginToServer(known.server, desk(known.place));
    expect(known.login.journal).toEqual(['authorize read', 'token authorization_code']);
    expect(await use(known.place, 'look')).toMatchObject({ status: 'ready' });
    const unknown = await guarded({ clients: ['robota-1'] });
    await expect(loginToServer(unknown.server, desk(unknown.place))).rejects.toThrow(
      /The login to api failed: .*regist/,
    );
    const refused = await guarded({ refuses: true });
    await expect(loginToServer(refused.server, desk(refused.place))).rejects.toThrow(
      'The server rejected the login: access_denied',
    );
  });

  it('names a document that describes it where a server takes one', async () => {
    const clientMetadataUrl = 'https://example.com/robota.json';
    const { login, place, server } = await guarded(
      { clients: [], takesDocuments: true },
      { oauth: { clientMetadataUrl } },
    );
    await loginToServer(server, desk(place));
    expect(login.journal).toEqual(['authorize read', 'token authorization_code']);
    expect((await auth(place)).mcp[login.url].client.client_id).toBe(clientMetadataUrl);
    expect(await use(place, 'look')).toMatchObject({ status: 'ready' });
  });

  it('is of no use for a program, nor where a header says who we are', async () => {
    const { place, server } = await guarded({}, { headers: { authorization: 'Bearer x' } });
    await expect(loginToServer(server, desk(place))).rejects.toThrow('is sent an Authorization header');
    const config = { name: 'p', transport: { kind: 'stdio', command: 'x' } } as const;
    await expect(loginToServer({ ...server, config }, desk(place))).rejects.toThrow('needs no login');
  });
});
