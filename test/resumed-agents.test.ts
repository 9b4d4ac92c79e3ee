import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Robota } from '@robota-sdk/agent-sdk';
import { anthropicReply, jsonReply, robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Editor } from './editor.ts';
import { Program } from './program.ts';
import { stagePerTest } from './stage-per-test.ts';
import { WebProcess } from './web-process.ts';

const stage = stagePerTest();

const model = ['--model', 'claude-sonnet-4-6'];

/** Leaves a session behind whose agent waited for a limit in the background when its process was killed. */
async function killWaiting(): Promise<string> {
  await stage.settings({ retry: { maxRetries: 0 }, waitForLimit: '1h' });
  const work = { prompt: 'Look around.', run_in_background: true };
  const error = { type: 'rate_limit_error', message: 'Slow down.' };
  let isLimited = true;
  stage.server.handle(({ body }) => {
    const text = JSON.stringify((body as { messages: unknown }).messages);
    const isAgent = !text.includes('the task');
    if (isAgent && isLimited) return jsonReply(429, { type: 'error', error }, { 'retry-after': '2' });
    if (isAgent) return anthropicReply({ text: 'The agent has looked.' });
    return text.includes('tool_result')
      ? anthropicReply({ text: text.includes('The agent has looked.') ? 'It has.' : 'It looks.' })
      : anthropicReply({ toolCalls: [{ name: 'Agent', input: work, id: 'toolu_1' }] });
  });
  const program = new Program(stage);
  program.say('the task');
  const { session_id: id } = await program.next(({ type, event }) => {
    const { background_task_event: change } = (event ?? {}) as { background_task_event?: { type: string } };
    return type === 'stream_event' && change?.type === 'background_task_started';
  });
  await expect.poll(waitsOnDisk).toBe(true);
  program.child.kill('SIGKILL');
  await program.exited;
  isLimited = false;
  return String(id);
}

/** Whether the wait of an agent is in its file; before that, a killed process leaves no wait behind. */
async function waitsOnDisk(): Promise<boolean> {
  const sessions = join(stage.home, '.robota', 'sessions');
  const names = await readdir(sessions, { recursive: true });
  const files = names.filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(sessions, name), 'utf8')));
  return texts.some((text) => text.includes('"robota.parked"'));
}

/** Opens the session by a front end, prompts it, and gives the answer. */
type Reopen = (id: string) => Promise<string>;

const reopenByStream: Reopen = async (id) => {
  const program = new Program(stage, ['-r', id]);
  program.say('And?');
  const { result } = await program.result();
  expect(program.of('system').map(({ subtype }) => subtype)).toContain('task_notification');
  await program.end();
  return String(result);
};

const reopenByEditor: Reopen = async (id) => {
  const editor = new Editor(stage, { args: model });
  onTestFinished(() => editor.close());
  await editor.initialize();
  await editor.agent.request('session/load', { sessionId: id, cwd: stage.cwd, mcpServers: [] });
  await agentHasAnswered();
  await editor.prompt(id, 'And?');
  return editor.text();
};

const reopenByMcp: Reopen = async (id) => {
  const { PATH = '' } = process.env;
  const key = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [robotaBin, 'mcp', 'serve', ...model],
      cwd: stage.cwd,
      env: { PATH, HOME: stage.home, ...sharedCode(), ...key },
    }),
  );
  onTestFinished(() => client.close());
  const { content } = await client.callTool({
    name: 'submit',
    arguments: { prompt: 'And?', session_id: id },
  });
  return JSON.stringify(content);
};

const reopenByProgram: Reopen = async (id) => {
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: stage.server.url };
  await using robota = new Robota({ home: stage.home, env });
  const session = await robota.createSession({ cwd: stage.cwd, session: { resume: id } });
  return session.run('And?');
};

const reopenByWeb: Reopen = async (id) => {
  const web = await WebProcess.start(stage);
  onTestFinished(() => web.kill());
  const prompt = () => web.post(`/api/sessions/${id}/prompt`, { text: 'And?', as: 'prompt' });
  await prompt();
  await agentHasAnswered();
  const asked = () => JSON.stringify(stage.server.requests.filter((each) => !isAgentRequest(each)).at(-1));
  await vi.waitFor(async () => {
    await prompt();
    if (!asked().includes('The agent has looked.')) throw new Error('not told yet');
  });
  return 'It has.';
};

const isAgentRequest = ({ body }: { readonly body: unknown }) =>
  !JSON.stringify((body as { messages: unknown }).messages).includes('the task');

/** Resolves when the agent has asked again, as often as its limit was met before and once more. */
async function agentHasAnswered(): Promise<void> {
  await expect.poll(() => stage.server.requests.filter(isAgentRequest).length).toBeGreaterThanOrEqual(2);
}

describe('an agent that waited for a limit in the background when its process was killed', () => {
  it.each<[string, Reopen]>([
    ['a program over lines of JSON', reopenByStream],
    ['an editor', reopenByEditor],
    ['an MCP client', reopenByMcp],
    ['a program with the SDK', reopenByProgram],
    ['the web page', reopenByWeb],
  ])('resumes when the session is opened by %s, and the model is told', async (_, reopen) => {
    const id = await killWaiting();
    expect(await reopen(id)).toContain('It has.');
  });
});
