import { anthropicReply, startFakeLlama, startFakeOllama } from '@robota-sdk/agent-testing';
import { describe, expect, it, vi } from 'vitest';
import { openStage } from './stage.ts';
import type { Terminal } from './terminal.ts';
import { keys, runEnd, tuiHarness } from './tui.ts';

const desk = tuiHarness(openStage);

interface Sent {
  readonly messages: readonly unknown[];
  readonly tools?: readonly unknown[];
}

/** Expects that the first request has all of the second one before the prompt. */
function expectAhead(ahead: Sent | undefined, real: Sent | undefined): void {
  const before = ahead?.messages.slice(0, -1);
  expect(before?.length).toBeGreaterThan(0);
  expect(real?.messages.slice(0, before?.length)).toEqual(before);
  expect(real?.tools).toEqual(ahead?.tools);
}

/** Types a prompt until something has happened: the first keys may come before a run is quite over. */
async function typeUntil(tui: Terminal, isDone: () => boolean): Promise<void> {
  const type = () => {
    if (!isDone()) tui.type('o');
    return isDone();
  };
  await vi.waitUntil(type, { timeout: 30_000, interval: 100 });
}

describe('while the user types', () => {
  it("llama.cpp's server reads what it does not have yet, once for each prompt", async () => {
    const llama = await startFakeLlama({
      window: 32_768,
      answer: (prompt) => [prompt.includes('o again') ? 'Second answer.' : 'First answer.'],
    });
    const tui = desk.start(['--model', 'llama.cpp/small'], {
      env: { ANTHROPIC_API_KEY: '', LLAMA_CPP_BASE_URL: `${llama.url}/v1` },
    });
    await tui.shows(/\n[^\n]*small[^\n]*$/);
    expect(llama.requests).toHaveLength(0);
    await typeUntil(tui, () => llama.uses.length === 1);
    tui.type(` there${keys.enter}`);
    await tui.shows('First answer.');
    expect(llama.requests).toHaveLength(2);
    await tui.shows(runEnd);
    await typeUntil(tui, () => llama.uses.length === 3);
    tui.type(` again${keys.enter}`);
    await tui.shows('Second answer.');
    const bodies = llama.requests.map(({ body }) => body as Sent);
    expect(bodies).toHaveLength(4);
    expectAhead(bodies[0], bodies[1]);
    expectAhead(bodies[2], bodies[3]);
    expect(bodies[0]).toMatchObject({ max_tokens: 1, cache_prompt: true });
    const [ahead, real] = llama.uses;
    expect(real?.cached).toBeGreaterThan(0.9 * (ahead?.total ?? Infinity));
    await llama.close();
  });

  it('Ollama does so, too, but no command is worth it', async () => {
    const ollama = await startFakeOllama({
      models: [{ name: 'coder:30b' }],
      answer: () => ({ text: 'Hello yourself.' }),
    });
    const tui = desk.start(['--model', 'ollama/coder:30b'], {
      env: { ANTHROPIC_API_KEY: '', OLLAMA_HOST: ollama.url },
    });
    await tui.shows(/\n[^\n]*coder:30b[^\n]*$/);
    const chats = () =>
      ollama.requests.flatMap(({ path, body }) => (path === '/api/chat' ? [body as Sent] : []));
    tui.type('/he');
    await tui.shows('> /he');
    expect(chats()).toHaveLength(0);
    tui.type(keys.ctrlU);
    await typeUntil(tui, () => ollama.seen.length === 1);
    tui.type(keys.enter);
    await tui.shows('Hello yourself.');
    expect(chats()).toHaveLength(2);
    expectAhead(chats()[0], chats()[1]);
    expect(chats()[0]).toMatchObject({ options: { num_predict: 1 }, keep_alive: '30m' });
    await ollama.close();
  });

  it('a vendor gets nothing before the prompt is sent', async () => {
    desk.stage.server.reply(anthropicReply({ text: 'Only one.' }));
    const tui = await desk.open();
    tui.type('hello');
    await tui.shows('> hello');
    tui.type(keys.enter);
    await tui.shows('Only one.');
    expect(desk.stage.server.requests).toHaveLength(1);
  });
});
