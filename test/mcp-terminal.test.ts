import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const asking = resolve('test/fixtures/mcp/asking-server.mjs');
const enter = '\r';

const stage = stagePerTest();
let terminal: Terminal | undefined;

afterEach(async () => {
  terminal?.kill('SIGKILL');
  await terminal?.exit;
  terminal = undefined;
});

function start(args: readonly string[], env: Record<string, string> = {}): Terminal {
  const config = JSON.stringify({ mcpServers: { asking: { command: process.execPath, args: [asking] } } });
  terminal = openTerminal([...args, '--mcp-config', config], {
    cwd: stage.cwd,
    home: stage.home,
    env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url, ...env },
  });
  return terminal;
}

const call = (name: string) => anthropicReply({ toolCalls: [{ name, input: {} }] });
const done = anthropicReply({ text: 'All done.' });

describe('a server that asks', () => {
  it('is named with its tool, not with the title it gives that, and hears the answer typed in lines', async () => {
    proves('R-75');
    stage.server.reply(call('mcp__asking__ask'), done);
    const lines = start(['--plain', 'go']);
    const { shows, type } = lines;
    await shows('Use asking: ask');
    type(`1${enter}`);
    await shows('The MCP server "asking" asks for information');
    await shows('Who are you?');
    type(`1${enter}`);
    await shows(/Name\n(?:.*\n)*>$/);
    type(`Ada${enter}`);
    await shows('All done.');
    expect(stage.results(1)[0]?.text).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(lines.raw).not.toContain('\u001b]0;mine');
  });

  it('asks on the screen as well, and a page is opened after a yes', async () => {
    proves('R-75');
    const opened = join(stage.home, 'opened');
    const browser = join(stage.home, 'browser.sh');
    await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}\n`);
    await chmod(browser, 0o755);
    stage.server.reply(call('mcp__asking__ask'), call('mcp__asking__visit'), done);
    const screen = start(['--allow', 'mcp__asking', 'go'], { BROWSER: browser });
    const { shows, type } = screen;
    await shows('The MCP server "asking" asks for information');
    await shows('Who are you?');
    type(enter);
    await shows(/Name[\s\S]*enter answer/);
    type(`Ada${enter}`);
    await shows('asks you to visit a page of example.com');
    type(enter);
    await shows('All done.');
    expect(stage.results(1)[0]?.text).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(stage.results(2)[0]?.text).toBe('{"action":"accept"}');
    await vi.waitFor(async () => expect(await readFile(opened, 'utf8')).toBe('https://example.com/agree\n'));
    expect(screen.raw).not.toContain('\u001b]0;mine');
  });
});
