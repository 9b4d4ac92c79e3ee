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
    [{ permisionMode: 'plan' }, 'Unknown option "permisionMode". Did you mean "permissionMode"?'],
    [{ home: '/' }, 'query: "home" is an option of new Robota; set it there.'],
    [{ xyzzy: 1 }, 'Unknown option "xyzzy". The options are'],
    [
      { permissionMode: 'planning' },
      'permissionMode: expected one of "plan", "default", "acceptEdits", "bypassPermissions", got the string "planning"',
    ],
    [{ permissionMode: 'acceptEdit' }, 'got the string "acceptEdit". Did you mean "acceptEdits"?'],
    [{ permissionMode: 42 }, 'got 42.'],
    [{ permissionMode: null }, 'got null.'],
    [
      { thinking: 'hard' },
      'thinking: expected one of "off", "minimal", "low", "medium", "high", "xhigh", got the string "hard".',
    ],
    [{ maxTurns: 'x' }, 'maxTurns: expected an integer of at least 1, got the string "x".'],
    [{ maxTurns: '3' }, 'expected an integer of at least 1, got the string "3".'],
    [{ maxTurns: 0 }, 'expected an integer of at least 1, got 0.'],
    [{ maxCost: -1 }, 'maxCost: expected a number above 0, got -1.'],
    [{ maxCost: Number.NaN }, 'expected a number above 0, got NaN'],
    [
      { permissions: { deny: 'Bash(ls)' } },
      'permissions.deny: expected a list, got a string. Write ["Bash(ls)"].',
    ],
    [
      { permissions: { denied: [] } },
      'Unknown option "permissions.denied". The options are allow, ask, deny.',
    ],
    [{ fallbackModels: 'gpt-5' }, 'expected a list, got a string. Write ["gpt-5"].'],
    [{ fallbackModels: [5] }, 'fallbackModels[0]: expected a string, got 5.'],
    [{ tools: ['Read'] }, 'tools[0]: expected a tool, such as tool({ … }) makes'],
    [
      { agents: [{ name: 'r', description: 'd' }] },
      'agents[0].systemPrompt: expected a string that is not empty, but it is missing.',
    ],
    [{ agents: [{ description: 'd', systemPrompt: 'p' }] }, 'agents[0].name: expected a string'],
    [
      { agents: [{ name: 'r', description: 'd', systemPrompt: 'p', permisionMode: 'plan' }] },
      'Unknown option "agents[0].permisionMode". Did you mean "agents[0].permissionMode"?',
    ],
    [
      { extensions: [{ name: 'x' }] },
      'extensions[0]: expected an extension: { name, setup(host) }, got an object.',
    ],
    [{ authorize: {} }, 'authorize: expected a function, got an object.'],
    [
      { session: 'newest' },
      'session: expected one of "memory", "new", "latest" or { resume }, { id } or { file }, got the string "newest".',
    ],
    [{ questions: 'ask' }, 'questions: expected one of "deny", "wait" or a function'],
    [{ output: { type: 'objct' } }, 'output: expected a usable schema (the schema: "objct" is not a type'],
    [{ signal: {} }, 'signal: expected an AbortSignal'],
    [{ trustProject: 'yes' }, 'trustProject: expected true or false, got the string "yes".'],
    [{ language: 'en; run it' }, 'language: expected a language code'],
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
    expect(() => new Robota({ permissionMode: 'plan' } as never)).toThrow('an option of createSession');
    expect(() => new Robota({ dailyBudget: 0 })).toThrow('expected a number above 0, got 0');
    expect(() => robota.createSession({ cdw: '.' } as never)).toThrow('createSession: Unknown option "cdw"');
    expect(() => robota.createSession({ onTextDelta: () => {} } as never)).toThrow('"onTextDelta"');
    expect(() => robota.createSession({ mcpServers: { bad: {} } })).toThrow(
      'mcpServers.bad: expected a server with a "command" or a "url"',
    );
    expect(() => robota.createSession({ mcpServers: { own: { tools: [] } } })).not.toThrow();
  });
});
