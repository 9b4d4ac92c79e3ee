import { AgentError } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import type { QueryOptions } from './options.ts';
import { query } from './query.ts';
import { Robota } from './robota.ts';

async function refusal(work: () => unknown): Promise<string> {
  const thrown = await Promise.resolve()
    .then(work)
    .then(
      () => expect.fail('it was not refused'),
      (reason: unknown) => reason,
    );
  expect(thrown).toBeInstanceOf(AgentError);
  expect(thrown).toMatchObject({ code: 'usage' });
  return (thrown as AgentError).message;
}

describe('the options of a program', () => {
  it.each([
    [{ permisionMode: 'plan' }, 'there is no option "permisionMode". Did you mean "permissionMode"?'],
    [{ xyzzy: 1 }, 'there is no option "xyzzy". The options are'],
    [
      { permissionMode: 'planning' },
      'the option "permissionMode" must be one of plan, default, acceptEdits, bypassPermissions, not "planning"',
    ],
    [{ permissionMode: 'acceptEdit' }, 'not "acceptEdit"; did you mean "acceptEdits"?'],
    [{ permissionMode: 42 }, 'not 42.'],
    [{ permissionMode: null }, 'not null.'],
    [
      { thinking: 'hard' },
      'the option "thinking" must be one of off, minimal, low, medium, high, xhigh, not "hard".',
    ],
    [{ maxTurns: 'x' }, 'the option "maxTurns" must be a whole number above 0, not "x".'],
    [{ maxTurns: 0 }, 'must be a whole number above 0, not 0.'],
    [{ maxCost: -1 }, 'the option "maxCost" must be a number above 0, not -1.'],
    [{ maxCost: Number.NaN }, 'must be a number above 0'],
    [{ permissions: { deny: 'Bash(ls)' } }, 'the option "deny" must be a list of rules; write ["Bash(ls)"]'],
    [{ permissions: { denied: [] } }, 'there is no option "denied". The options are allow, ask, deny.'],
    [{ fallbackModels: 'gpt-5' }, 'must be a list of texts; write ["gpt-5"].'],
    [{ tools: ['Read'] }, 'the option "tools" cannot be used: its item 1 must be a tool'],
    [{ agents: [{ name: 'r', description: 'd' }] }, 'the agent "r" has no "systemPrompt"'],
    [{ agents: [{ description: 'd' }] }, 'its item 1 has no "name"'],
    [
      { agents: [{ name: 'r', description: 'd', systemPrompt: 'p', permisionMode: 'plan' }] },
      'the agent "r": there is no option "permisionMode". Did you mean "permissionMode"?',
    ],
    [{ extensions: [{ name: 'x' }] }, 'the extension "x" has no function "setup"'],
    [{ authorize: {} }, 'the option "authorize" must be a function, not {}.'],
    [
      { session: 'newest' },
      'the option "session" must be "memory", "new", "latest", { resume }, { id } or { file }, not "newest".',
    ],
    [{ questions: 'ask' }, 'the option "questions" must be one of deny, wait, not "ask".'],
    [{ output: { type: 'objct' } }, 'the option "output" cannot be used: the schema: "objct" is not a type'],
    [{ signal: {} }, 'the option "signal" must be an AbortSignal'],
    [{ trustProject: 'yes' }, 'the option "trustProject" must be true or false, not "yes".'],
  ])('query refuses %j in words of the SDK', async (options, message) => {
    const said = await refusal(() => query('hi', options as QueryOptions));
    expect(said).toContain(message);
    expect(said).toMatch(/^query: /);
    expect(said).not.toMatch(/--|\?\.$/);
  });

  it.each([
    [undefined, 'Missing prompt'],
    [null, 'Missing prompt'],
    [{ promt: 'hi' }, 'Missing prompt'],
    ['', 'The prompt is empty'],
    [' \n', 'The prompt is empty'],
    [[], 'The prompt is empty'],
    [[{ type: 'text', text: '' }], 'The prompt is empty'],
    [{ prompt: '' }, 'The prompt is empty'],
    [{ prompt: undefined }, 'Missing prompt'],
  ])('query refuses the prompt %j, which has no answer', async (prompt, message) => {
    expect(await refusal(() => query(prompt as string, { sources: 'none' }))).toContain(message);
  });

  it('those of a client and of a session are refused at once', () => {
    const robota = new Robota({ home: '/nowhere', env: {} });
    expect(() => new Robota({ hme: '.' } as never)).toThrow('Did you mean "home"?');
    expect(() => new Robota({ dailyBudget: 0 })).toThrow('must be a number above 0');
    expect(() => robota.createSession({ cdw: '.' } as never)).toThrow(
      'createSession: there is no option "cdw"',
    );
    expect(() => robota.createSession({ onTextDelta: () => {} } as never)).toThrow('"onTextDelta"');
    expect(() => robota.createSession({ mcpServers: { bad: {} } })).toThrow(
      'neither a "command" nor a "url"',
    );
    expect(() => robota.createSession({ mcpServers: { own: { tools: [] } } })).not.toThrow();
  });
});
