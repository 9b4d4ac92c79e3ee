import {
  AgentError,
  assertHook,
  type Command,
  type Extension,
  type ExtensionHost,
  errorMessage,
  givenFields,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type Problem,
  type ProviderFactory,
  sentence,
  type Tool,
  usableCommand,
  usableTool,
  warning,
} from '@robota-sdk/agent-core';
import type { ResourceHost } from '../source/resource-host.ts';
import { hookMs, inTime } from './in-time.ts';

export interface ExtensionGuard {
  /** The extension's name and file, as messages call it. */
  readonly label: string;
  /** Reports failures that have no caller to throw to. */
  onProblem(problem: Problem): void;
}

/**
 * Keeps an extension from breaking the session: its errors carry its name, and if its setup fails, nothing of it stays.
 */
export function guardExtension(
  extension: Extension<ResourceHost>,
  { label, onProblem }: ExtensionGuard,
): Extension<ResourceHost> {
  const guard = new Guard(label);
  return {
    name: label,
    setup: async (host) => {
      const additions: (() => void)[] = [];
      let add = (addition: () => void): void => void additions.push(addition);
      try {
        await inTime(extension.setup(guard.host(host, (addition) => add(addition))), 'its setup');
      } catch (thrown) {
        add = () => {};
        const message = sentence`The extension ${{ extension: label }} is not used: its setup failed: ${{ reason: errorMessage(thrown) }}`;
        return onProblem(warning('extension.setup-failed', message, { subject: label, isInactive: true }));
      }
      for (const addition of additions) addition();
      // Later additions take effect at the next turn.
      add = (addition) => addition();
    },
    dispose: async () => {
      try {
        if (extension.dispose) await inTime(extension.dispose(), 'its dispose');
      } catch (thrown) {
        const message = sentence`The extension ${{ extension: label }} failed to end: ${{ reason: errorMessage(thrown) }}`;
        onProblem(warning('extension.dispose-failed', message, { subject: label }));
      }
    },
  };
}

class Guard {
  readonly #label: string;

  constructor(label: string) {
    this.#label = label;
  }

  host(host: ExtensionHost<ResourceHost>, add: (addition: () => void) => void): ExtensionHost<ResourceHost> {
    return {
      tool: (tool) => {
        const usable = usableTool(tool);
        add(() => host.tool(this.#tool(usable)));
      },
      command: (command) => {
        const usable = usableCommand(command);
        add(() => host.command(this.#command(usable)));
      },
      // The hook registry reports failures and continues.
      hook: (point, hook) => {
        assertHook(point, hook);
        add(() =>
          host.hook(point, (input, signal) => {
            const answer = hook(input, signal);
            return answer instanceof Promise ? inTime(answer, `its hook at "${point}"`, hookMs) : answer;
          }),
        );
      },
      provider: (apiKind, factory) => add(() => host.provider(apiKind, this.#provider(apiKind, factory))),
    };
  }

  #tool<I>(tool: Tool<I>): Tool<I> {
    const what = `its tool "${tool.name}"`;
    const { name, description, label, guideline, promptSection, execution, paged, preview, resolve } = tool;
    // One by one, since a tool may be an object of a class.
    return {
      name,
      description,
      ...givenFields({ label, guideline, promptSection, execution, paged }),
      ...(resolve ? { resolve: (call) => this.#now(what, () => resolve.call(tool, call)) } : {}),
      input: { ...tool.input, parse: (value) => this.#now(what, () => tool.input.parse(value)) },
      access: (input, scope) => this.#later(what, () => tool.access(input, scope)),
      execute: (input, context) => this.#later(what, () => tool.execute(input, context)),
      ...(preview
        ? { preview: (input, scope) => this.#later(what, () => preview.call(tool, input, scope)) }
        : {}),
    };
  }

  #command(command: Command<ResourceHost>): Command<ResourceHost> {
    const what = `its command "/${command.name}"`;
    const { name, description, aliases, argumentHint, subcommands, complete } = command;
    const { needs, during, where, screen } = command;
    const completed: Pick<Command<ResourceHost>, 'complete'> = complete
      ? {
          // Completion runs on every key, so failures stay silent.
          complete: async (prefix, context) => {
            try {
              return await complete.call(command, prefix, context);
            } catch {
              return [];
            }
          },
        }
      : {};
    return {
      name,
      description,
      ...givenFields({ aliases, argumentHint, subcommands, needs, during, where, screen }),
      ...completed,
      run: (args, context) => this.#later(what, () => command.run(args, context)),
    };
  }

  #provider(apiKind: string, factory: ProviderFactory): ProviderFactory {
    const what = `its provider "${apiKind}"`;
    return async (connection) => {
      // Errors surface when the model is called; the caller that connects could not handle them.
      const making = this.#later(what, () => factory(connection));
      making.catch(() => {});
      return { vendor: connection.vendor, stream: (request) => this.#stream(what, making, request) };
    };
  }

  /** A provider must not throw; one that does has failed for good. */
  async *#stream(
    what: string,
    making: Promise<ModelProvider>,
    request: ModelRequest,
  ): AsyncGenerator<ModelEvent | readonly ModelEvent[]> {
    try {
      yield* (await making).stream(request);
    } catch (thrown) {
      const message = errorMessage(this.#named(what, thrown));
      yield { type: 'error', failure: { code: 'internal', message, retryable: false } };
    }
  }

  #now<T>(what: string, work: () => T): T {
    try {
      return work();
    } catch (thrown) {
      throw this.#named(what, thrown);
    }
  }

  async #later<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw this.#named(what, thrown);
    }
  }

  /** An error made for users or models is unchanged. */
  #named(what: string, thrown: unknown): unknown {
    if (AgentError.is(thrown) || (thrown instanceof Error && thrown.name === 'AbortError')) return thrown;
    const message = `The extension ${this.#label} failed in ${what}: ${errorMessage(thrown)}`;
    return new AgentError('tool', message, { cause: thrown });
  }
}
