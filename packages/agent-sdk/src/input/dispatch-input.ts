import { AgentError, given, type UserContent } from '@robota-sdk/agent-core';
import { fitImages } from '@robota-sdk/agent-tools';
import type { CommandResult } from '../session/command-result.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { SubmitOptions } from '../session/session-services.ts';
import { isShortEnough, type LongInput, limitInput } from './limit-input.ts';
import { type ParsedInput, type PastedSpans, readInput } from './parse-input.ts';
import { agentIn, selectAgent } from './select-agent.ts';

export interface DispatchOptions extends SubmitOptions {
  /**
   * The source of the text. `pipe` text may be a command, but cannot mention files, agents or shell commands,
   * since it was not reviewed.
   */
  readonly from?: 'user' | 'pipe';
  /** Text after the input that is never interpreted. */
  readonly suffix?: string;
  /**
   * The pasted parts of the text. They cannot mention files or agents, and a text that starts with one is not a
   * command.
   */
  readonly pasted?: PastedSpans;
  /** Content after the text of a prompt, such as images. */
  readonly content?: readonly UserContent[];
  /** Receives the output of a shell command while it runs. */
  onShellOutput?(text: string): void;
  /** Suggests what to use instead of an unknown command. */
  adviseOn?(command: string): Promise<string | undefined>;
}

/** The outcome of an input. */
export interface InputResult extends CommandResult {
  readonly kind: ParsedInput['kind'] | 'unknown-command' | 'agent';
}

/** Executes an input; the only entry point for typed text, in every front end. */
export async function dispatchInput(
  session: InteractiveSession,
  text: string,
  options: DispatchOptions = {},
): Promise<InputResult> {
  const { suffix = '', pasted = [] } = options;
  const given = { text, pasted, suffix };
  // The prompts of a recording were short enough, and a shell command runs unchanged.
  if (isShortEnough(given) || session.replay || readInput(session, text, pasted).kind === 'shell')
    return dispatch(session, given, options);
  return dispatch(session, await limitInput(given, session.getSession().outputDir), options);
}

async function dispatch(
  session: InteractiveSession,
  long: LongInput,
  { from = 'user', suffix: _, pasted: __, content = [], onShellOutput, adviseOn, ...submit }: DispatchOptions,
): Promise<InputResult> {
  const { text, pasted, suffix } = long;
  const typed = typedPart(text, pasted);
  const input = readInput(session, text, pasted);
  switch (input.kind) {
    case 'nothing':
      if (content.length > 0 || submit.resumesParked)
        return runPrompt(session, { text: suffix, typed: '', suffix: '', from, content }, submit);
      return { kind: 'nothing', success: true, message: '' };
    case 'command':
      return runCommand(
        session,
        { ...input, args: input.args + suffix, ...given('adviseOn', adviseOn) },
        withContent({ ...submit, shown: text.trim() }, content),
      );
    case 'shell': {
      if (from === 'pipe') return runPrompt(session, { text, typed, suffix, from, content }, submit);
      const { runShell } = await import('./run-shell.ts');
      const signal = submit.signal ?? new AbortController().signal;
      const request = { ...input, signal, ...(onShellOutput ? { onOutput: onShellOutput } : {}) };
      return { ...(await runShell(session, request)), kind: 'shell' };
    }
    case 'prompt':
      return runPrompt(session, { text: input.text, typed, suffix, from, content }, submit);
  }
}

/** A text without its pasted parts. */
function typedPart(text: string, pasted: PastedSpans): string {
  const parts: string[] = [];
  let place = 0;
  for (const { start, end } of [...pasted].sort((one, other) => one.start - other.start)) {
    if (start > place) parts.push(text.slice(place, start));
    place = Math.max(place, end);
  }
  return [...parts, text.slice(place)].join('\n');
}

/** Content that a command cannot use is added after its prompt. */
function withContent(submit: SubmitOptions, content: readonly UserContent[]): SubmitOptions {
  if (content.length === 0) return submit;
  return { ...submit, attachments: [...(submit.attachments ?? []), ...content] };
}

async function runCommand(
  session: InteractiveSession,
  {
    name,
    args,
    adviseOn,
  }: { readonly name: string; readonly args: string } & Pick<DispatchOptions, 'adviseOn'>,
  submit: SubmitOptions,
): Promise<InputResult> {
  const result = await session.executeCommand(name, args, submit);
  if (result) return { ...result, kind: 'command' };
  const near = session.nearCommands(name).map((each) => `/${each}`);
  const usual = near.length === 0 ? '/help lists the commands.' : `Did you mean ${near.join(' or ')}?`;
  const hint = Object.hasOwn(elsewhere, name) ? elsewhere[name] : ((await adviseOn?.(name)) ?? usual);
  return { kind: 'unknown-command', success: false, message: `Unknown command /${name}. ${hint}` };
}

const inTerminal = 'Only a conversation in a terminal has it';
const onScreen = 'Only the terminal screen has it.';

/** Advice for commands that other front ends have. */
const elsewhere: Readonly<Record<string, string>> = {
  cd: `${inTerminal}; here use --cwd DIR.`,
  doctor: `${inTerminal}; here run: robota doctor`,
  login: `${inTerminal}; here run: robota login`,
  trust: `${inTerminal}; here use --trust-project.`,
  copy: onScreen,
  keys: onScreen,
  theme: onScreen,
  vim: onScreen,
};

interface Prompt {
  readonly text: string;
  /** The part of it that may name files and agents. */
  readonly typed: string;
  readonly suffix: string;
  readonly from: 'user' | 'pipe';
  readonly content: readonly UserContent[];
}

async function runPrompt(
  session: InteractiveSession,
  { text, typed, suffix, from, content }: Prompt,
  submit: SubmitOptions,
): Promise<InputResult> {
  const prepared =
    from === 'user' && typed.includes('@') ? await prepare(session, { text, typed }, submit) : undefined;
  if (prepared?.done) return prepared.done;
  const mentioned = session.replay?.attachmentsOf(text + suffix) ?? prepared?.attachments ?? [];
  const attachments = [...(submit.attachments ?? []), ...mentioned];
  const said = text + suffix === '' ? [] : [{ type: 'text', text: text + suffix } as const];
  const execution = await session.submit([...said, ...(await fitImages(content))], {
    ...submit,
    ...(attachments.length > 0 ? { attachments } : {}),
  });
  const message = execution?.error?.message ?? execution?.response ?? '';
  return { kind: 'prompt', success: !execution?.error, message, ...(execution ? { execution } : {}) };
}

/** Selects the agent and reads the files that a prompt mentions. */
async function prepare(
  session: InteractiveSession,
  { text, typed }: Pick<Prompt, 'text' | 'typed'>,
  { signal }: SubmitOptions,
) {
  const { expandMentions } = await import('./expand-mentions.ts');
  const agent = agentIn(typed);
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
  const mentioned = await expandMentions(session, typed, {
    by: 'user',
    signal: signal ?? new AbortController().signal,
  });
  for (const notice of mentioned.notices) session.getSession().notify({ level: 'warning', text: notice });
  return { attachments: mentioned.attachments, done: undefined };
}
