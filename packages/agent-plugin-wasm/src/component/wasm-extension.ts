import {
  AgentError,
  type CommandOutcome,
  type Extension,
  endSentence,
  type JsonObject,
  jsonSchema,
  type ToolOutput,
  textOutput,
} from '@robota-sdk/agent-core';
import type { PluginCommand, PluginDescription, PluginTool } from './describe-plugin.ts';
import { PluginError, type PluginInstance } from './plugin-instance.ts';

export interface WasmExtensionOptions {
  readonly description: PluginDescription;
  readonly instance: PluginInstance;
}

/** A plugin as an extension like any other: the agent does not know that its tools are WebAssembly. */
export function wasmExtension({ description, instance }: WasmExtensionOptions): Extension<unknown> {
  const { name, tools, commands } = description;
  const callers = new Callers(name, instance);
  return {
    name,
    setup: (host) => {
      for (const tool of tools)
        host.tool<JsonObject>({
          name: tool.name,
          description: tool.description,
          input: jsonSchema(tool.input),
          ...(tool.label === undefined ? {} : { label: tool.label }),
          ...(tool.brief === undefined ? {} : { guideline: tool.brief }),
          // Its accesses are unknown, so the user is asked unless a rule names it.
          access: () => [],
          execute: (input, { callId, signal, progress }) =>
            callers.tool(tool, { input, callId, signal, onPrint: progress }),
        });
      for (const command of commands)
        host.command({ ...command, run: (args, { signal }) => callers.command(command, { args, signal }) });
    },
    dispose: () => instance.dispose(),
  };
}

interface ToolCall {
  readonly input: JsonObject;
  readonly callId: string;
  readonly signal: AbortSignal;
  onPrint(text: string): void;
}

class Callers {
  readonly #plugin: string;
  readonly #instance: PluginInstance;

  constructor(plugin: string, instance: PluginInstance) {
    this.#plugin = plugin;
    this.#instance = instance;
  }

  async tool({ name }: PluginTool, { input, callId, ...options }: ToolCall): Promise<ToolOutput> {
    try {
      const call = { name: 'executeTool', args: [name, callId, JSON.stringify(input)] } as const;
      const text = await this.#instance.call(call, options);
      if (typeof text !== 'string') throw new Error('it did not return text');
      return textOutput(text);
    } catch (thrown) {
      if (thrown instanceof PluginError) return textOutput(thrown.message, { isError: true });
      throw this.#named(`its tool "${name}"`, thrown);
    }
  }

  async command(
    { name }: PluginCommand,
    { args, signal }: { readonly args: string; readonly signal: AbortSignal },
  ): Promise<CommandOutcome> {
    try {
      return outcomeOf(await this.#instance.call({ name: 'executeCommand', args: [name, args] }, { signal }));
    } catch (thrown) {
      if (thrown instanceof PluginError)
        return { kind: 'error', text: `The plugin "${this.#plugin}" says: ${thrown.message}` };
      throw this.#named(`its command "/${name}"`, thrown);
    }
  }

  #named(what: string, thrown: unknown): unknown {
    if (!(thrown instanceof Error) || thrown.name === 'AbortError') return thrown;
    const message = `The plugin "${this.#plugin}" failed in ${what}: ${endSentence(thrown.message)}`;
    return new AgentError('tool', message, { cause: thrown });
  }
}

function outcomeOf(value: unknown): CommandOutcome {
  const { tag, val } = (value ?? {}) as { readonly tag?: unknown; readonly val?: unknown };
  if ((tag !== 'notice' && tag !== 'prompt') || typeof val !== 'string')
    throw new Error('it did not return an outcome');
  return { kind: tag, text: val };
}
