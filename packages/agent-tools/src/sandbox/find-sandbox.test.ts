import { SessionState } from '@robota-sdk/agent-core';
import { expect, it } from 'vitest';
import { bashTool } from '../bash/bash-tool.ts';
import { textOfOutput, toolContext } from '../bash/fixtures/tool-context.ts';
import { enterSandbox } from './enter-sandbox.ts';
import { explainSandboxFailure, findSystemProgram, type SandboxTool } from './find-sandbox.ts';
import { sandboxAccess } from './sandbox-policy.ts';

const missing = async (): Promise<SandboxTool> => ({
  kind: 'missing',
  reason: 'bwrap is gone',
  advice: 'Install it.',
});

it('refuses commands where a sandbox is required and there is none', async () => {
  const context = toolContext();
  context.state.get(sandboxAccess).mode = 'required';
  await expect(enterSandbox(context, missing)).rejects.toThrow(
    'not started: the sandbox is required, but bwrap is gone. Install it.',
  );
});

it('says once that commands run without a sandbox where it is only wanted', async () => {
  const notices: string[] = [];
  const ui = {
    ask: async () => ({ kind: 'unavailable' }) as const,
    notify: ({ text }: { text: string }) => notices.push(text),
  };
  const context = toolContext({ ui, state: new SessionState() });
  context.state.get(sandboxAccess).mode = 'auto';
  expect(await enterSandbox(context, missing)).toBeUndefined();
  expect(await enterSandbox(context, missing)).toBeUndefined();
  expect(notices).toEqual(['Commands run without a sandbox: bwrap is gone. Install it.']);
});

it('is off by default', async () => {
  const context = toolContext();
  expect(await enterSandbox(context)).toBeUndefined();
  expect(textOfOutput(await bashTool.execute({ command: 'echo plain' }, context))).toBe('plain');
});

it.each([
  [{ isContainer: true }, 'seccomp=unconfined'],
  [{ isContainer: false, usernsClone: '0' }, 'kernel.unprivileged_userns_clone=1'],
  [{ isContainer: false, maxUserNamespaces: '0' }, 'user.max_user_namespaces'],
  [
    { isContainer: false, apparmorRestriction: '1', usernsClone: '1' },
    'apparmor_restrict_unprivileged_userns=0',
  ],
  [{ isContainer: false }, 'bwrap --ro-bind'],
])('advises for %j', (facts, advice) => {
  const failure = explainSandboxFailure('bwrap: No permissions to create new namespace\nmore', facts);
  expect(failure.reason).toBe(
    'bubblewrap does not work here (bwrap: No permissions to create new namespace)',
  );
  expect(failure.advice).toContain(advice);
});

it('finds programs of the system, not those of a project', () => {
  expect(findSystemProgram('sh')).toMatch(/^\/(usr\/)?bin\/sh$/);
  expect(findSystemProgram('vitest')).toBeUndefined();
});
