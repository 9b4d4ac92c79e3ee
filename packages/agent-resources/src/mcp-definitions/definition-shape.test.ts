import { describeProblem, type JsonObject } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { McpScope } from '../source/server-definition.ts';
import { resolveServer } from './resolve-server.ts';

const place = { cwd: '/work', host: { env: { TOKEN: 't' }, home: '/home/me' } };

function resolve(written: JsonObject, scope: McpScope = 'user') {
  return resolveServer({ name: 'srv', origin: { scope, source: 'mcp.json', line: 3 }, written }, place);
}

function reason(written: JsonObject): string {
  const resolved = resolve(written);
  return resolved.ok ? 'none' : describeProblem(resolved.problem);
}

describe('the definition of a server', () => {
  it('of any JSON gives a server with the right types, or a reason', () => {
    const names = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'timeout', 'includeTools'];
    const more = ['excludeTools', 'lifecycle', 'elicitation', 'oauth', 'disabled', 'bearerToken', 'x'];
    const near = fc.constantFrom('stdio', 'http', 'https://x.test/a', 'lazy', 1, true, ['a', 1], { a: 'b' });
    const written = fc.dictionary(fc.constantFrom(...names, ...more), fc.oneof(fc.jsonValue(), near));
    fc.assert(
      fc.property(written, (given) => {
        const resolved = resolve(given as JsonObject);
        expect(resolved.ok || resolved.problem.source?.line).toBeTruthy();
        if (!resolved.ok) return;
        const { transport, callTimeoutMs = 1, tools = {} } = resolved.server.config;
        const { include = [], exclude = [] } = tools;
        expect(callTimeoutMs).toBeGreaterThan(0);
        const pairs = 'url' in transport ? transport.headers : 'env' in transport ? transport.env : {};
        const args = 'args' in transport ? (transport.args ?? []) : [];
        const main = 'url' in transport ? transport.url : 'command' in transport ? transport.command : '';
        for (const each of [main, ...args, ...include, ...exclude, ...Object.values(pairs ?? {})])
          expect(typeof each).toBe('string');
      }),
      { numRuns: 500 },
    );
  });

  it('is read as other programs write it', () => {
    const written = {
      type: 'streamable-http',
      httpUrl: 'https://x.test',
      bearerTokenEnv: 'TOKEN',
      timeout: 5,
    };
    const config = {
      name: 'srv',
      transport: { kind: 'http', url: 'https://x.test', headers: { Authorization: 'Bearer t' } },
      callTimeoutMs: 5,
    };
    expect(resolve(written)).toMatchObject({ ok: true, server: { config } });
    const oauth = { clientId: 'c', scopes: ['a', 'b'], enabled: true };
    const login = resolve({ url: 'https://x.test', oauth });
    expect(login).toMatchObject({ ok: true, server: { oauth: { clientId: 'c', scope: 'a b' } }, notes: [] });
  });

  it.each([
    [{ command: 'run', args: ['a', {}] }, 'args[1]: expected a string, got an object'],
    [{ command: 'run', env: { KEY: [] } }, 'env.KEY: expected a string, got a list'],
    [{ command: 'run', timeout: 0 }, 'timeout: expected a number of milliseconds above 0, got 0'],
    [{ command: 'run', lifecycle: 'lasy' }, /got the string "lasy"\. Did you mean "lazy"\?$/],
    [{ command: ' ' }, 'command: expected a command'],
    [{ url: 'https://x.test', oauth: { clientId: 5 } }, 'oauth.clientId: expected a string, got 5'],
    [{ url: 'https://x.test', oauth: { grant: 'code' } }, 'oauth.grant: expected one of'],
    [{ url: 'https://x.test', bearerTokenEnv: 'NONE' }, 'the variable NONE of "bearerTokenEnv" is not set'],
    [{ type: 'stdio', url: 'https://x.test' }, 'does not go with its other fields'],
    [{ type: 'sdk' }, 'only the program that drives a session can offer'],
  ] as const)('%j is refused', (written, message) => {
    expect(reason(written)).toMatch(message);
    expect(reason(written)).toMatch(/^mcp\.json:3: The MCP server "srv" is skipped: /);
  });
});
