import {
  type AnyTool,
  type Command,
  callback,
  checkArguments,
  type Extension,
  type HookInput,
  type HookPoint,
  type HookResult,
  having,
  list,
  nonEmptyText,
  objectInstance,
  optional,
  record,
  text,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** A call as hooks of programs see it: its arguments are an object. */
type WithCall<I> = I extends { readonly call: infer C }
  ? Omit<I, 'call'> & {
      readonly call: Omit<C, 'input'> & { readonly input: Readonly<Record<string, unknown>> };
    }
  : I;

/** Functions by hook point. One that returns nothing changes nothing; a `tool-before` hook that throws blocks the call. */
export type Hooks = {
  readonly [P in HookPoint]?: (
    input: WithCall<HookInput<P>>,
    signal: AbortSignal,
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook may end without a return
  ) => HookResult<P> | undefined | void | Promise<HookResult<P> | undefined | void>;
};

/** Behaviour under one name. */
export interface ExtensionDefinition {
  readonly name: string;
  readonly tools?: readonly AnyTool[];
  readonly hooks?: Hooks;
  readonly agents?: readonly IAgentDefinition[];
  readonly commands?: readonly Command<InteractiveSession>[];
  /** Releases resources of the tools when the session ends. */
  dispose?(): void | Promise<void>;
}

/** An extension whose tools and agents can be seen from outside. */
export interface DefinedExtension extends Extension<InteractiveSession> {
  readonly tools: readonly AnyTool[];
  readonly agents: readonly IAgentDefinition[];
}

const extensionDefinition = having({
  name: nonEmptyText,
  tools: optional(list(having({ name: text, input: objectInstance, access: callback, execute: callback }))),
  hooks: optional(record(optional(callback))),
  agents: optional(list(having({ name: text, description: text, systemPrompt: text }))),
  commands: optional(list(having({ name: text, run: callback }))),
  dispose: optional(callback),
});

/** Bundles tools, hooks, agents and commands, for `extensions`. */
export function defineExtension(definition: ExtensionDefinition): DefinedExtension {
  checkArguments('defineExtension', { definition: [definition, extensionDefinition] });
  const { name, tools = [], hooks = {}, agents = [], commands = [], dispose } = definition;
  return {
    name,
    tools,
    agents,
    setup: (host) => {
      for (const tool of tools) host.tool(tool);
      for (const command of commands) host.command(command);
      for (const [point, hook] of Object.entries(hooks)) host.hook(point as HookPoint, hook as never);
    },
    ...(dispose ? { dispose: () => dispose() } : {}),
  };
}
