import {
  abortSignal,
  callback,
  checkArguments,
  type HookAnswer,
  type HookCall,
  type HookExecutor,
  having,
  object,
  objectInstance,
  optional,
  text,
} from '@robota-sdk/agent-core';
import { type AskBeside, agentHook, promptHook } from '@robota-sdk/agent-resources';
import { createConversation } from '../assembly/assemble-session.ts';
import { checkOptions, sessionShape } from '../assembly/check-options.ts';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';

const hookCall = having({
  definition: objectInstance,
  payload: objectInstance,
  cwd: text,
  env: objectInstance,
  signal: abortSignal,
});

/** Asks a model and returns its answer. */
export interface PromptExecutorOptions {
  readonly ask?: AskBeside;
}

/**
 * Runs hooks of the type `prompt`. The prompt of a hook joins the conversation; with `ask`, a model judges the event by
 * it instead, unless the hook says `"inject": true`.
 */
export class PromptExecutor implements HookExecutor {
  readonly timeout = 30;
  readonly #ask: AskBeside | undefined;

  constructor(options: PromptExecutorOptions = {}) {
    checkArguments('new PromptExecutor', { options: [options, object({}, { ask: optional(callback) })] });
    this.#ask = options.ask;
  }

  async run(call: HookCall): Promise<HookAnswer> {
    checkArguments('PromptExecutor.run', { call: [call, hookCall] });
    const definition = this.#ask ? call.definition : { ...call.definition, inject: true };
    return promptHook(this.#ask ?? (async () => '')).run({ ...call, definition });
  }
}

const readOnlyTools = ['Read', 'Glob', 'Grep'];

/** Runs hooks of the type `agent`: a session with read-only tools examines the event and judges it. */
export class AgentExecutor implements HookExecutor {
  readonly timeout = 60;
  readonly #hook: HookExecutor;

  /** `options` are those of `createSession`, such as `{ config, context }`. */
  constructor(options: CreateSessionOptions) {
    checkOptions('new AgentExecutor', options, sessionShape);
    checkArguments('new AgentExecutor', {
      options: [options, having({ config: objectInstance, context: objectInstance })],
    });
    this.#hook = agentHook((question) => askInSession(options, question));
  }

  async run(call: HookCall): Promise<HookAnswer> {
    checkArguments('AgentExecutor.run', { call: [call, hookCall] });
    return this.#hook.run(call);
  }
}

async function askInSession(
  options: CreateSessionOptions,
  question: Parameters<AskBeside>[0],
): Promise<string> {
  const { system, prompt, model, maxTurns, cwd, signal } = question;
  const session = createConversation({
    ...options,
    // A hook of the settings must not start itself again.
    config: { ...options.config, areHooksOff: true },
    cwd,
    systemPrompt: system,
    tools: { only: readOnlyTools },
    ...(model === undefined ? {} : { model }),
  });
  try {
    return await session.run(prompt, { maxTurns, signal });
  } finally {
    await session.close();
  }
}
