import { AgentError } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeTestProject } from '../fixtures/test-project.ts';
import { createInteractiveSession } from '../session/create-interactive-session.ts';
import { createConversation } from './assemble-session.ts';

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
  it('are checked, and those of a query are unknown to a session', async () => {
    const { cwd, host } = await makeTestProject();
    const place = { cwd, host, store: 'none' as const, model: 'offline' };
    const wrong = { ...place, onTextDelta: () => {} };
    expect(await refusal(() => createInteractiveSession(wrong))).toMatch(
      /^createInteractiveSession: Unknown option "onTextDelta"/,
    );
    expect(await refusal(() => createConversation({ permissionMode: 'acceptEdit' } as never))).toMatch(
      /^createSession: permissionMode: expected one of/,
    );
    const empty = { config: {}, context: { instructions: [] } };
    expect(await refusal(() => createConversation(empty as never))).toMatch(
      /^createSession: config\.settings: expected an object, got nothing/,
    );
    const bare = { config: { settings: {} }, context: { instructions: [] } };
    expect(await refusal(() => createConversation(bare as never))).toMatch(
      /^createSession: config\.settings\.permissions: expected an object/,
    );
    const session = await createInteractiveSession({ ...place, maxTurns: undefined, thinking: 'low' });
    await session.shutdown();
  });
});
