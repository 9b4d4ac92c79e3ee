import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const hostile = resolve('test/fixtures/mcp/hostile-server.mjs');

const stage = stagePerTest();

interface Body {
  readonly system: unknown;
  readonly tools: readonly { readonly name: string }[];
}

const call = (name: string, input: object, id = 'c1') => anthropicReply({ toolCalls: [{ id, name, input }] });
const done = anthropicReply({ text: 'Done.' });
const configOf = (...words: string[]) =>
  JSON.stringify({ mcpServers: { odd: { command: process.execPath, args: [hostile, ...words] } } });

function bodyOf(request: number): Body {
  return stage.server.requests.at(request)?.body as Body;
}

function beginningOf(request: number): string {
  const { system, tools } = bodyOf(request);
  return JSON.stringify([tools, system]);
}

async function ask(...args: string[]): Promise<number> {
  const asked = stage.server.requests.length;
  const result = await stage.robota(['-p', 'go', ...args]);
  expect(result).toMatchObject({ stdout: 'Done.\n', code: 0 });
  return asked;
}

describe('the tools of MCP servers in requests', () => {
  it('100 tools make the first request at most 2,000 bytes longer, known or not', async () => {
    proves('P-139', 'R-75');
    stage.server.reply(done, call('ToolSearch', { query: 'xyzzy' }), done, done);
    const bare = Buffer.byteLength(beginningOf(await ask()));
    const config = configOf('many');
    const unknown = await ask('--mcp-config', config);
    const known = await ask('--mcp-config', config);
    for (const request of [unknown, known]) {
      expect(Buffer.byteLength(beginningOf(request)) - bare).toBeLessThanOrEqual(2000);
      expect(bodyOf(request).tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['ToolSearch', 'McpCall']),
      );
    }
    expect(JSON.stringify(bodyOf(known).system)).toMatch(/odd: operation_number_0, .* … 100 in all/);
    expect(stage.results(unknown + 1)[0]?.text).toContain('operation_number_99');
  });

  it('finds, calls and judges what no request lists, and changes nothing that was sent', async () => {
    proves('P-139');
    stage.server.reply(
      call('ToolSearch', { query: 'operation_number_7, operation_number_8' }),
      call('McpCall', { tool: 'mcp__odd__operation_number_7', arguments: { message: 'a' } }),
      call('mcp__odd__operation_number_8', { message: 'b' }),
      call('McpCall', { tool: 'mcp__odd__operation_number_9', arguments: '{"message": "c"}' }),
      call('McpCall', { tool: 'mcp__odd__operation_number_7', arguments: { message: 5 } }),
      call('McpCall', { tool: 'mcp__nowhere__x' }),
      done,
    );
    const rules = ['--allow', 'mcp__odd', '--deny', 'mcp__odd__operation_number_9'];
    const first = await ask('--mcp-config', configOf('many', 'slow'), ...rules);
    const [found, called, direct, denied, wrong, missing] = [1, 2, 3, 4, 5, 6].map(
      (turn) => stage.results(first + turn)[0],
    );
    expect(found?.text).toContain('mcp__odd__operation_number_7\nDoes what operation_number_7 says');
    expect(found?.text).toContain('"message"');
    expect(called).toMatchObject({ text: 'operation_number_7 was called', isError: false });
    expect(direct).toMatchObject({ text: 'operation_number_8 was called', isError: false });
    expect(denied?.text).toMatch(/^Permission denied: .*mcp__odd__operation_number_9/);
    expect(wrong?.text).toBe(
      'Wrong arguments for mcp__odd__operation_number_7: message: expected a string, got a number',
    );
    expect(missing).toMatchObject({
      isError: true,
      text: expect.stringContaining('No MCP server has a tool'),
    });
    const beginnings = new Set([0, 1, 2, 3, 4, 5, 6].map((turn) => beginningOf(first + turn)));
    expect(beginnings.size).toBe(1);
  });

  it('through McpCall or not, hooks see the tool that is called, and plan mode believes no server', async () => {
    proves('P-139');
    const seen = join(stage.home, 'seen');
    const command = `node -e 'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>{const {tool_name,tool_input}=JSON.parse(t);require("fs").appendFileSync("${seen}",tool_name+" "+tool_input.message+"\\n")})'`;
    await stage.settings({
      hooks: { PreToolUse: [{ matcher: 'mcp__odd__.*', hooks: [{ type: 'command', command }] }] },
    });
    const calls = [
      call('McpCall', { tool: 'mcp__odd__operation_number_7', arguments: { message: 'a' } }),
      call('mcp__odd__operation_number_8', { message: 'b' }),
    ];
    stage.server.reply(...calls, done, ...calls, done);
    const config = ['--mcp-config', configOf('many')];
    const allowed = await ask(...config, '--allow', 'mcp__odd');
    expect([1, 2].map((turn) => stage.results(allowed + turn)[0]?.isError)).toEqual([false, false]);
    expect(await readFile(seen, 'utf8')).toBe(
      'mcp__odd__operation_number_7 a\nmcp__odd__operation_number_8 b\n',
    );
    const planned = await ask(...config, '--permission-mode', 'plan');
    for (const turn of [1, 2])
      expect(stage.results(planned + turn)[0]?.text).toMatch(/^Permission denied: .*plan mode only reads/);
  });

  it('an agent reaches through McpCall only what its definition has', async () => {
    proves('P-139');
    const definition =
      '---\nname: few\ndescription: x\ntools: mcp__odd__operation_number_7\n---\nYou help.\n';
    await mkdir(join(stage.home, '.robota/agents'), { recursive: true });
    await writeFile(join(stage.home, '.robota/agents/few.md'), definition);
    const through = (tool: string) => call('McpCall', { tool, arguments: { message: 'a' } });
    stage.server.reply(
      call('Agent', { prompt: 'use it', description: 'x', subagent_type: 'few' }),
      through('mcp__odd__operation_number_7'),
      through('mcp__odd__operation_number_8'),
      call('mcp__odd__operation_number_8', { message: 'a' }),
      done,
      done,
    );
    const first = await ask('--mcp-config', configOf('many'), '--allow', 'mcp__odd');
    expect(stage.results(first + 2)[0]?.text).toBe('operation_number_7 was called');
    for (const turn of [3, 4])
      expect(stage.results(first + turn)[0]?.text).toContain(
        'The agent few does not have mcp__odd__operation_number_8',
      );
  });

  it('a long result is shortened for the model and whole in a file', async () => {
    proves('P-139');
    stage.server.reply(call('mcp__odd__long', {}), done);
    const first = await ask('--mcp-config', configOf(), '--allow', 'mcp__odd');
    const { text = '' } = stage.results(first + 1)[0] ?? {};
    expect(text.length).toBeLessThan(100_000);
    const [file = ''] = /\/[^\s"\])]+/.exec(text.replaceAll(/line \d+ of many/g, '')) ?? [];
    expect(await readFile(file.replace(/[.,;:]+$/, ''), 'utf8')).toContain('line 12345 of many');
  });

  it('few tools are listed like any other once they are known', async () => {
    proves('P-139');
    stage.server.reply(
      call('mcp__odd__echo', { message: 'before it was ready' }),
      done,
      call('mcp__odd__echo', { message: 'listed' }),
      call('mcp__odd__huge', {}),
      done,
    );
    const args = ['--mcp-config', configOf(), '--allow', 'mcp__odd'];
    const first = await ask(...args);
    expect(stage.results(first + 1)[0]?.text).toBe('before it was ready');
    const second = await ask(...args);
    const names = bodyOf(second).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['mcp__odd__echo', 'mcp__odd__die', 'ToolSearch']));
    expect(stage.results(second + 1)[0]?.text).toBe('listed');
    expect(stage.results(second + 2)[0]?.text).toContain('The MCP server "odd" failed');
  });
});
