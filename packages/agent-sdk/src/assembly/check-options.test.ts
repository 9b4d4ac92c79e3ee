import { AgentError } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makePlace } from '../fixtures/place.ts';
import { createInteractiveSession } from '../session/create-interactive-session.ts';
import { type QueryOptions, query } from '../session/query.ts';
import { createSession } from './create-session.ts';

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
    [{ deny: 'Bash(ls)' }, 'the option "deny" must be a list of rules; write ["Bash(ls)"].'],
    [{ rules: { deny: 'Bash(ls)' } }, 'the option "deny" must be a list of rules'],
    [{ rules: { denied: [] } }, 'there is no option "denied". The options are allow, ask, deny.'],
    [{ fallbackModels: 'gpt-5' }, 'must be a list of texts; write ["gpt-5"].'],
    [{ tools: ['Read'] }, 'the option "tools" must be an object with only, exclude, none, not ["Read"].'],
    [{ agents: [{ name: 'r', description: 'd' }] }, 'the agent "r" has no "systemPrompt"'],
    [{ agents: [{ description: 'd' }] }, 'its item 1 has no "name"'],
    [
      { agents: [{ name: 'r', description: 'd', systemPrompt: 'p', permisionMode: 'plan' }] },
      'the agent "r": there is no option "permisionMode". Did you mean "permissionMode"?',
    ],
    [{ extensions: [{ name: 'x' }] }, 'the extension "x" has no function "setup"'],
    [{ setup: {} }, 'the option "setup" must be a function, not {}.'],
    [
      { store: 'newest' },
      'the option "store" must be "new", "none", "latest", { open: ID } or { path: FILE }, not "newest".',
    ],
    [{ host: { home: 1 } }, 'the option "host" must be { home: DIRECTORY, env: {…} }.'],
    [{ terminal: {} }, 'the option "terminal" must have the functions "ask" and "notify".'],
    [
      { jsonSchema: { type: 'objct' } },
      'the option "jsonSchema" can not be used: the schema: "objct" is not a type',
    ],
    [{ signal: {} }, 'the option "signal" must be an AbortSignal'],
    [{ continue: 'yes' }, 'the option "continue" must be true or false, not "yes".'],
  ])('query refuses %j in words of the SDK', async (options, message) => {
    const said = await refusal(() => query('hi', options as QueryOptions));
    expect(said).toContain(message);
    expect(said).toMatch(/^query: /);
    expect(said).not.toMatch(/--|\?\.$/);
  });

  it.each([
    [undefined, 'there is no prompt'],
    [null, 'there is no prompt'],
    [{ promt: 'hi' }, 'there is no prompt'],
    ['', 'the prompt is empty'],
    [' \n', 'the prompt is empty'],
    [[], 'the prompt is empty'],
    [[{ type: 'text', text: '' }], 'the prompt is empty'],
    [{ prompt: '' }, 'the prompt is empty'],
    [{ prompt: undefined }, 'there is no prompt'],
  ])('query refuses the prompt %j, which nobody could answer', async (prompt, message) => {
    const { cwd, host } = await makePlace();
    expect(await refusal(() => query(prompt as string, { cwd, host }))).toContain(message);
  });

  it('the other two ways in check theirs, and know no options of a question', async () => {
    const { cwd, host } = await makePlace();
    const place = { cwd, host, store: 'none' as const, model: 'offline' };
    const wrong = { ...place, onTextDelta: () => {} };
    expect(await refusal(() => createInteractiveSession(wrong))).toMatch(
      /^createInteractiveSession: there is no option "onTextDelta"/,
    );
    expect(await refusal(() => createSession({ permissionMode: 'acceptEdit' } as never))).toMatch(
      /^createSession: the option "permissionMode" must be one of/,
    );
    const session = await createInteractiveSession({ ...place, maxTurns: undefined, thinking: 'low' });
    await session.shutdown();
  });
});
