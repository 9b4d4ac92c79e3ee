import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonValue } from '@robota-sdk/agent-core';
import { userPaths } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { callTurn } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import type { CompletionsPage } from '../contract/session.ts';
import type { StreamEvent } from '../contract/stream.ts';
import { callRoute } from '../fixtures/call-route.ts';
import { makeServer, until } from '../fixtures/scripted-server.ts';
import { usageRoutes } from './usage-routes.ts';

type Server = Awaited<ReturnType<typeof makeServer>>;

/** The status of a reply, or of an error that the server makes a 400 of. */
async function statusOf(
  { call }: Server,
  address: `${'GET' | 'POST'} /api/${string}`,
  body?: JsonValue,
): Promise<number> {
  return call(address, body).then(
    ({ status }) => status,
    () => 400,
  );
}

describe('two devices that answer at the same moment', () => {
  it('are answered once: one counts, the other one learns of it', async () => {
    const server = await makeServer([
      callTurn('Write', { file_path: 'a.txt', content: 'x' }),
      { text: 'Done.' },
    ]);
    const id = await server.start('Write a file');
    const question = await until(async () => (await server.page(id)).state.questions[0]);
    const { digest } = question;
    const answer = (choice: string) =>
      server.call(`POST /api/sessions/${id}/answers`, {
        questionId: question.id,
        digest,
        answer: { choice },
      });
    const replies = await Promise.all(['deny', 'once', 'session', 'project', 'once'].map(answer));
    expect(replies.map(({ status }) => status)).toEqual([200, 409, 409, 409, 409]);
    await until(async () => ((await server.page(id)).state.runningSince === undefined ? true : undefined));
    expect(existsSync(join(server.place.cwd, 'a.txt'))).toBe(false);
    await server.live.close();
  });

  it('cannot answer the question of one session at the address of another', async () => {
    const write = callTurn('Write', { file_path: 'a.txt', content: 'x' });
    const server = await makeServer([write, write, { text: 'Done.' }, { text: 'Done.' }]);
    const [one, other] = [await server.start('One'), await server.start('Other')];
    const question = await until(async () => (await server.page(one)).state.questions[0]);
    await until(async () => (await server.page(other)).state.questions[0]);
    const body = { questionId: question.id, digest: question.digest, answer: { choice: 'once' } };
    for (const id of [other, server.first.id, 'none', 'constructor'])
      expect(await server.call(`POST /api/sessions/${id}/answers`, body)).toMatchObject({ status: 409 });
    expect((await server.page(other)).state.questions).toHaveLength(1);
    await server.live.close();
  });
});

describe('a new session', () => {
  it('does not begin beside, below or behind a link to a known directory', async () => {
    const server = await makeServer([]);
    const { cwd, home } = server.place;
    const outside = join(home, 'outside');
    mkdirSync(join(cwd, 'below'));
    mkdirSync(outside);
    symlinkSync(outside, join(cwd, 'link'));
    for (const path of [
      outside,
      join(cwd, 'below'),
      join(cwd, 'link'),
      `${cwd}/../outside`,
      `${cwd}/link/../outside`,
      `${cwd}\0`,
      `file://${cwd}`,
      '~',
      '',
      '.',
    ])
      expect(`${path} ${await statusOf(server, 'POST /api/sessions', { cwd: path, prompt: 'x' })}`).toBe(
        `${path} 403`,
      );
    for (const path of [[cwd], { toString: cwd }, null, 1])
      expect(await statusOf(server, 'POST /api/sessions', { cwd: path, prompt: 'x' })).toBe(400);
    await server.live.close();
  });
});

describe('a prompt', () => {
  it('is no command however it is written', async () => {
    const server = await makeServer(Array.from({ length: 40 }, () => ({ text: 'No.' })));
    const { cwd, home } = server.place;
    const id = await server.start('Begin');
    const isIdle = async () => ((await server.page(id)).state.runningSince === undefined ? true : undefined);
    const file = join(home, 'pwned');
    const before = readdirSync(cwd);
    for (const text of [
      `!touch ${file}`,
      ` !touch ${file}`,
      `\t! touch ${file}`,
      `\n!touch ${file}`,
      `\u00a0!touch ${file}`,
      `！touch ${file}`,
      `!!touch ${file}`,
      `!\ntouch ${file}`,
      `/export ${file}`,
      ` /export ${file}`,
      `/EXPORT ${file}`,
      `\n/export ${file}`,
      `/export\u00a0${file}`,
      `／export ${file}`,
      `/config set vim true`,
      `/permissions allow Bash`,
      `/add-dir ${home}`,
    ]) {
      await until(isIdle);
      for (const as of ['prompt', 'steer', 'queue'] as const)
        await statusOf(server, `POST /api/sessions/${id}/prompt`, { text, as });
    }
    await until(isIdle);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(cwd)).toEqual(before);
    expect(JSON.stringify(server.live.peek(id)?.settings?.permissions ?? {})).not.toContain('Bash');
    await server.live.close();
  });
});

describe('an address of a session', () => {
  it.each(['__proto__', 'constructor', 'toString', '-', 'a'.repeat(100)])(
    '%.20s leads to nothing',
    async (id) => {
      const server = await makeServer([]);
      for (const path of ['', '/entries'])
        await expect(server.call(`GET /api/sessions/${id}${path}`)).rejects.toThrow('Unknown session');
      for (const action of ['prompt', 'stop', 'model', 'mode', 'rewind', 'complete', 'take-over'])
        expect(
          await statusOf(server, `POST /api/sessions/${id}/${action}`, {
            text: 'x',
            model: 'x',
            mode: 'plan',
          }),
        ).not.toBe(200);
      const page = new AbortController();
      const { signal } = page;
      const stream = server.live.streams.open({ session: id, lastEntry: 'x', signal });
      const events: StreamEvent[] = [];
      for await (const event of stream) {
        events.push(event);
        // Otherwise it continues with the board, so that the page does not ask again and again.
        page.abort();
      }
      expect(events).toEqual([{ type: 'reset' }]);
      await server.live.close();
    },
  );

  it('takes no value of another kind', async () => {
    const server = await makeServer([{ text: 'First.' }]);
    const id = await server.start('Begin');
    const at = (name: string) => `POST /api/sessions/${id}/${name}` as const;
    await until(async () => ((await server.page(id)).entries.at(-1)?.kind === 'answer' ? true : undefined));
    const { model, mode } = (await server.page(id)).state;
    for (const [name, body] of [
      ['model', { model: ['offline'] }],
      ['model', { model: '../../offline' }],
      ['mode', { mode: 'BYPASSPERMISSIONS' }],
      ['mode', { mode: ['bypassPermissions'] }],
      ['mode', { mode: 'constructor' }],
      ['rewind', { entry: '1 files', scope: 'both' }],
      ['rewind', { entry: ['1'], scope: ['both'] }],
      ['rewind', { entry: server.first.leafId, scope: 'both' }],
      ['prompt', { text: 'x', as: 'shell' }],
      ['prompt', { text: { toString: '!id' } }],
      ['answers', { questionId: { $ne: '' }, digest: true }],
      ['queue/remove', { id: { $ne: '' } }],
    ] as const)
      expect(`${name} ${JSON.stringify(body)} ${await statusOf(server, at(name), body)}`).toMatch(/ 4\d\d$/);
    for (const query of ['limit=0', 'limit=501', 'limit=1e9', 'limit=NaN', 'limit=0x10&limit=1', 'limit=-1'])
      expect(`${query} ${await statusOf(server, `GET /api/sessions/${id}/entries?${query}`)}`).toMatch(
        query.startsWith('limit=0x10') ? / 200$/ : / 400$/,
      );
    expect((await server.page(id)).state).toMatchObject({ model, mode });
    await server.live.close();
  });
});

describe('the suggestions after an @', () => {
  it('name nothing hidden and nothing outside of the project', async () => {
    const server = await makeServer([{ text: 'First.' }]);
    const { cwd, home, put } = server.place;
    await put('.env', 'KEY=1');
    await put('.git/config', 'x');
    await put('~/secret.txt', 'x');
    symlinkSync(home, join(cwd, 'link'));
    const id = await server.start('Begin');
    for (const text of [
      '@/etc/pass',
      '@../',
      '@../../',
      '@~/',
      '@.e',
      '@.git/',
      '@link/',
      `@${home}/`,
      '@\0',
      '@file:///etc/',
    ]) {
      const { json } = await server.call<CompletionsPage>(`POST /api/sessions/${id}/complete`, { text });
      const found = json.items.map(({ value }) => value).join(' ');
      expect(`${text} → ${found}`).not.toMatch(/→.*(?:passwd|secret|\.env|\.git|config|link\/|\.\.)/s);
    }
    await server.live.close();
  });
});

describe('a stored session', () => {
  it.skipIf(process.platform === 'win32')(
    'that is a pipe, a device or a link to another file shows nothing of it',
    async () => {
      const server = await makeServer([]);
      const { home } = server.place;
      const [listed] = await server.store.list();
      const path = listed?.path ?? '';
      const project = dirname(dirname(path));
      const secret = join(home, 'secret.txt');
      writeFileSync(secret, 'the secret of another file\n');
      const folder = (id: string) => {
        mkdirSync(join(project, id));
        return join(project, id, 'session.jsonl');
      };
      execFileSync('mkfifo', [folder('pipe')]);
      symlinkSync('/dev/zero', folder('device'));
      symlinkSync(secret, folder('text'));
      symlinkSync('session.jsonl', folder('circle'));
      symlinkSync(dirname(path), join(project, 'folder'));
      for (const id of ['pipe', 'device', 'circle', 'folder'])
        expect(`${id} ${await statusOf(server, `GET /api/sessions/${id}`)}`).toBe(`${id} 400`);
      const shown = await server.call('GET /api/sessions/text').catch(() => undefined);
      expect(JSON.stringify(shown ?? '')).not.toContain('the secret');
      expect(await statusOf(server, 'POST /api/sessions/text/prompt', { text: 'x' })).toBe(400);
      expect(JSON.stringify(await server.call('GET /api/board'))).not.toContain('the secret');
      await server.live.close();
    },
  );
});

describe('the name of an exported file', () => {
  it('takes no header of its own', async () => {
    const { place, live } = await makeServer([]);
    const routes = usageRoutes({ root: userPaths(place.host).root, host: place.host });
    for (const day of ['2026-01-31\r\nSet-Cookie: a=b', '2026-01-31"; x="', '../2026-01-31', '2026-01-311'])
      await expect(callRoute(routes, `GET /api/usage.csv?since=${encodeURIComponent(day)}`)).rejects.toThrow(
        'Expected a day',
      );
    await live.close();
  });
});
