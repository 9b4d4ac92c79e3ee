import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it } from 'vitest';
import type { HookDefinition } from './hook-executor.ts';
import { HookProcesses } from './hook-processes.ts';
import { httpHook } from './http-hook.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** A server that answers everything alike and remembers what it was sent. */
async function serve(
  reply: { status?: number; body?: string; headers?: Record<string, string> } | 'silence',
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received.push({ method: request.method, headers: request.headers, body: JSON.parse(text) });
    if (reply !== 'silence') response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

function run(fields: Omit<HookDefinition, 'type'>, signal = new AbortController().signal) {
  return httpHook.run({
    definition: { type: 'http', ...fields },
    payload: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    cwd: '/',
    env: { TOKEN: 'secret', OTHER: 'hidden' },
    signal,
    processes: new HookProcesses(),
  });
}

describe('HTTP hooks', () => {
  it('posts the payload as JSON, with variables filled into the headers', async () => {
    proves('R-20');
    const { url, received } = await serve({ body: '{"ok": true}' });
    const headers = { authorization: 'Bearer $TOKEN', 'x-both': `\${TOKEN}/$OTHER`, 'x-cost': '5$' };
    expect(await run({ url, headers })).toEqual({});
    expect(received).toMatchObject([
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: 'Bearer secret',
          'x-both': 'secret/hidden',
          'x-cost': '5$',
        },
        body: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
      },
    ]);
  });

  it('a reply refuses by {ok: false} or by the answers that commands give', async () => {
    proves('R-20');
    const refusing = await serve({ body: '{"ok": false, "reason": "frozen"}' });
    expect(await run({ url: refusing.url })).toEqual({ block: 'frozen' });
    const denying = await serve({ body: '{"hookSpecificOutput": {"permissionDecision": "deny"}}' });
    expect(await run({ url: denying.url })).toEqual({ verdict: 'deny' });
    expect(await run({ url: (await serve({ body: '' })).url })).toEqual({});
  });

  it('a status that is no success is a warning, not a refusal; redirects are not followed', async () => {
    proves('R-20');
    const broken = await serve({ status: 500, body: '{"ok": false}' });
    expect(await run({ url: broken.url })).toEqual({ warning: 'the server answered with status 500' });
    const target = await serve({ body: '{"ok": false}' });
    const moved = await serve({ status: 302, headers: { location: target.url } });
    expect(await run({ url: moved.url })).toEqual({ warning: 'the server answered with status 302' });
    expect(target.received).toEqual([]);
  });

  it('no server, a silent one, broken JSON and an endless reply are failures', async () => {
    proves('R-20');
    await expect(run({ url: 'http://127.0.0.1:9/' })).rejects.toThrow('nothing answers at 127.0.0.1:9');
    const { url } = await serve('silence');
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('time is up')), 50);
    await expect(run({ url }, controller.signal)).rejects.toThrow('time is up');
    await expect(run({ url: (await serve({ body: '{"ok"' })).url })).rejects.toThrow('invalid JSON');
    const endless = await serve({ body: 'x'.repeat(2_000_000) });
    await expect(run({ url: endless.url })).rejects.toThrow('longer than');
  });

  it('only the listed variables are given away, and none that is not there', async () => {
    proves('R-20');
    const { url, received } = await serve({ body: '{}' });
    const headers = { 'x-a': '$TOKEN' };
    expect(await run({ url, headers, allowedEnvVars: ['TOKEN'] })).toEqual({});
    await expect(run({ url, headers, allowedEnvVars: ['OTHER'] })).rejects.toThrow('x-a needs TOKEN');
    await expect(run({ url, headers: { 'x-a': '$MISSING' } })).rejects.toThrow('x-a needs MISSING');
    expect(received).toHaveLength(1);
  });

  it.each([undefined, 'nonsense', 'ftp://example.com/', 'http://example.com/', 'file:///etc/passwd'])(
    'refuses the address %j',
    async (url) => {
      proves('R-20');
      await expect(run(url === undefined ? {} : { url })).rejects.toThrow(/not a URL|not encrypted/);
    },
  );
});
