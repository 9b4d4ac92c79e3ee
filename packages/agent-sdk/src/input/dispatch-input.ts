import { AgentError, type UserContent } from '@robota-sdk/agent-core';
import type { CommandResult } from '../commands/command-result.ts';
import type { InteractiveSession, SubmitOptions } from '../interactive-session.ts';
import { type Input, parseInput } from './parse-input.ts';
import { agentIn, selectAgent } from './select-agent.ts';

export interface DispatchOptions extends SubmitOptions {
  /**
   * Where the text comes from. What is `piped` may be a command, but names no files, agents and shell commands: nobody
   * looked at it.
   */
  readonly from?: 'person' | 'pipe';
  /** A text behind the input in which nothing has a meaning of its own. */
  readonly suffix?: string;
  /** What stands behind the text of a prompt, such as images. */
  readonly content?: readonly UserContent[];
  /** Gets what a shell command prints while it runs. */
  onShellOutput?(text: string): void;
}

/** What became of an input. */
export interface InputResult extends CommandResult {
  readonly kind: Input['kind'] | 'unknown-command' | 'agent';
}

/** Does what an input asks for; the one way in for everything a person types, in every front end. */
export async function dispatchInput(
  session: InteractiveSession,
  text: string,
  options: DispatchOptions = {},
): Promise<InputResult> {
  const { from = 'person', suffix = '', content = [], onShellOutput, ...submit } = options;
  const input = parseInput(text, (name) => session.findCommand(name) !== undefined);
  switch (input.kind) {
    case 'nothing':
      if (content.length > 0) return runPrompt(session, { text: suffix, suffix: '', from, content }, submit);
      return { kind: 'nothing', success: true, message: '' };
    case 'command':
      return runCommand(session, { ...input, args: input.args + suffix }, withContent(submit, content));
    case 'shell': {
      if (from === 'pipe') return runPrompt(session, { text, suffix, from, content }, submit);
      const { runShell } = await import('./run-shell.ts');
      const signal = submit.signal ?? new AbortController().signal;
      const request = { ...input, signal, ...(onShellOutput ? { onOutput: onShellOutput } : {}) };
      return { ...(await runShell(session, request)), kind: 'shell' };
    }
    case 'prompt':
      return runPrompt(session, { text: input.text, suffix, from, content }, submit);
  }
}

/** What a command has no place for is told behind the prompt that it makes. */
function withContent(submit: SubmitOptions, content: readonly UserContent[]): SubmitOptions {
  if (content.length === 0) return submit;
  return { ...submit, attachments: [...(submit.attachments ?? []), ...content] };
}

async function runCommand(
  session: InteractiveSession,
  { name, args }: Extract<Input, { kind: 'command' }>,
  submit: SubmitOptions,
): Promise<InputResult> {
  const result = await session.executeCommand(name, args, submit);
  if (result) return { ...result, kind: 'command' };
  const [near] = session.nearCommands(name);
  const hint = near === undefined ? '/help lists the commands.' : `Did you mean /${near}?`;
  return { kind: 'unknown-command', success: false, message: `Unknown command /${name}. ${hint}` };
}

interface Prompt {
  readonly text: string;
  readonly suffix: string;
  readonly from: 'person' | 'pipe';
  readonly content: readonly UserContent[];
}

async function runPrompt(
  session: InteractiveSession,
  { text, suffix, from, content }: Prompt,
  submit: SubmitOptions,
): Promise<InputResult> {
  const prepared = from === 'person' && text.includes('@') ? await prepare(session, text, submit) : undefined;
  if (prepared?.done) return prepared.done;
  const mentioned = session.replay?.attachmentsOf(text + suffix) ?? prepared?.attachments ?? [];
  const attachments = [...(submit.attachments ?? []), ...mentioned];
  const said = text + suffix === '' ? [] : [{ type: 'text', text: text + suffix } as const];
  const execution = await session.submit([...said, ...content], {
    ...submit,
    ...(attachments.length > 0 ? { attachments } : {}),
  });
  const message = execution?.error?.message ?? execution?.response ?? '';
  return { kind: 'prompt', success: !execution?.error, message, ...(execution ? { execution } : {}) };
}

/** Selects the agent and reads the files that a prompt mentions. */
async function prepare(session: InteractiveSession, text: string, { signal }: SubmitOptions) {
  const { expandMentions } = await import('./expand-mentions.ts');
  const agent = agentIn(text);
  try {
    const said = agent === undefined ? undefined : await selectAgent(session, agent);
    const rest = text.replace(/@agent:\S+/g, '').trim();
    if (said !== undefined && rest === '')
      return { done: { kind: 'agent', success: true, message: said, data: { agent } } as const };
    if (said !== undefined) session.getSession().notify({ level: 'info', text: said });
  } catch (thrown) {
    if (!AgentError.is(thrown)) throw thrown;
    return { done: { kind: 'agent', success: false, message: thrown.message } as const };
  }
  const mentioned = await expandMentions(session, text, {
    by: 'person',
    signal: signal ?? new AbortController().signal,
  });
  for (const notice of mentioned.notices) session.getSession().notify({ level: 'warning', text: notice });
  return { attachments: mentioned.attachments, done: undefined };
}
