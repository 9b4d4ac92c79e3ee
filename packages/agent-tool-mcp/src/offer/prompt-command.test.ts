import type { UserContent } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import type { McpPrompt } from '../contract/mcp-server-state.ts';
import { McpServers } from '../servers/mcp-servers.ts';
import { promptCommand } from './prompt-command.ts';

const prompt: McpPrompt = {
  name: 'review it',
  description: 'Reviews a file',
  arguments: [
    { name: 'file', isRequired: true },
    { name: 'focus', isRequired: false },
  ],
};

/** Answers with the arguments it was given. */
class EchoServers extends McpServers {
  readonly given: object[] = [];
  answer: readonly UserContent[] | Error = [{ type: 'text', text: 'Review.' }];

  constructor() {
    const clientInfo = { name: 'test', version: '1' };
    super({ servers: [], clientInfo, env: {}, roots: () => [], cwd: '/' });
  }

  override async getPrompt(request: { readonly arguments: object }): Promise<UserContent[]> {
    this.given.push(request.arguments);
    if (this.answer instanceof Error) throw this.answer;
    return [...this.answer];
  }
}

const run = (servers: McpServers, args: string, signal = new AbortController().signal) => {
  const command = promptCommand(servers, 'my server', prompt);
  return command.run(args, { signal } as Parameters<typeof command.run>[1]);
};

describe('a prompt of a server as a command', () => {
  it('has a name without blanks and tells its arguments', () => {
    const command = promptCommand(new EchoServers(), 'my server', prompt);
    expect(command).toMatchObject({ name: 'mcp__my_server__review_it', argumentHint: '<file> [focus]' });
  });

  it('says what is missing before the server is asked', async () => {
    const servers = new EchoServers();
    expect(await run(servers, '  ')).toEqual({
      kind: 'error',
      text: 'The prompt needs file: /mcp__my_server__review_it <file> [focus]',
    });
    expect(servers.given).toEqual([]);
  });

  it('reads quotes, and gives the last argument what is left', async () => {
    const servers = new EchoServers();
    await run(servers, `"a \\"b\\".ts" speed and size`);
    await run(servers, `'c d.ts'`);
    expect(servers.given).toEqual([{ file: 'a "b".ts', focus: 'speed and size' }, { file: 'c d.ts' }]);
  });

  it('takes images along', async () => {
    const servers = new EchoServers();
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
    servers.answer = [{ type: 'text', text: 'See.' }, image];
    expect(await run(servers, 'a')).toEqual({ kind: 'prompt', text: 'See.', attachments: [image] });
  });

  it('reports a failure of the server, and passes on that it was interrupted', async () => {
    const servers = new EchoServers();
    servers.answer = new Error('no such prompt');
    expect(await run(servers, 'a')).toEqual({ kind: 'error', text: 'no such prompt' });
    await expect(run(servers, 'a', AbortSignal.abort())).rejects.toThrow('no such prompt');
  });

  it('completes nothing while its server is not ready', async () => {
    const command = promptCommand(new EchoServers(), 'my server', prompt);
    const context = { signal: new AbortController().signal };
    expect(await command.complete?.('a', context as never)).toEqual([]);
  });
});
