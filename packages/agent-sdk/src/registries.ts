import {
  AgentError,
  type AnyTool,
  anyTool,
  type Clash,
  type Command,
  type Extension,
  type ExtensionHost,
  errorMessage,
  Hooks,
  type ProviderFactory,
  Registry,
} from '@robota-sdk/agent-core';
import type { InteractiveSession } from './interactive-session.ts';

/** Everything extensions have added. */
export class Registries {
  readonly tools = new Registry<AnyTool>();
  readonly commands = new Registry<Command<InteractiveSession>>();
  readonly providers = new Registry<ProviderFactory>();
  readonly hooks = new Hooks();

  /** Sets an extension up; a promise only if its `setup` is asynchronous. Errors name the extension. */
  load(extension: Extension<InteractiveSession>): void | Promise<void> {
    const { name } = extension;
    const fail = (thrown: unknown): never => {
      const message = `The extension "${name}" could not be loaded: ${errorMessage(thrown)}`;
      throw new AgentError('config', message, { cause: thrown });
    };
    try {
      const pending = extension.setup(this.#hostOf(name));
      return pending instanceof Promise ? pending.catch(fail) : undefined;
    } catch (thrown) {
      return fail(thrown);
    }
  }

  /** One line for each tool or command that another one of the same name hides. */
  clashes(): string[] {
    const describe = (kind: string, { name, kept, hidden }: Clash) =>
      `The ${kind} "${name}" of ${hidden.join(', ')} is not used: ${kept} has that name already.`;
    return [
      ...this.tools.clashes().map((clash) => describe('tool', clash)),
      ...this.commands.clashes().map((clash) => describe('command', clash)),
    ];
  }

  #hostOf(source: string): ExtensionHost<InteractiveSession> {
    return {
      tool: (tool) => void this.tools.add(tool.name, anyTool(tool), source),
      command: (command) => void this.commands.add(command.name, command, source),
      hook: (point, hook) => void this.hooks.add(point, hook, source),
      provider: (apiKind, factory) => void this.providers.add(apiKind, factory, source),
    };
  }
}
