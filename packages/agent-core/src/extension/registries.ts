import { HookRegistry } from '../hook/run-hook.ts';
import { AgentError, errorMessage } from '../problem/agent-error.ts';
import { type Problem, warning } from '../problem/problem.ts';
import type { AnyTool } from '../tool/tool.ts';
import { usableTool } from '../tool/usable-tool.ts';
import type { Command } from './command.ts';
import type { Extension, ExtensionHost, ProviderFactory } from './extension.ts';
import { type Clash, Registry } from './registry.ts';
import { usableCommand } from './usable-command.ts';

/** The contributions of one extension, and how to remove and restore them. */
interface Loaded<S> {
  readonly extension: Extension<S>;
  readonly additions: (() => () => void)[];
  removals: (() => void)[];
  /** Additions after its removal are ignored. */
  isGone: boolean;
}

/** Everything extensions have added. */
export class Registries<S> {
  readonly tools = new Registry<AnyTool>();
  readonly commands = new Registry<Command<S>>();
  readonly providers = new Registry<ProviderFactory>();
  readonly hooks = new HookRegistry();
  readonly #loaded: Loaded<S>[] = [];
  /** Commands whose name is an alias of a built-in one; they are not used. */
  readonly #refused = new Set<{ readonly name: string; readonly source: string; readonly meant: string }>();

  /** Sets an extension up; a promise only if its `setup` is asynchronous. Errors name the extension. */
  load(extension: Extension<S>): void | Promise<void> {
    const loaded: Loaded<S> = { extension, additions: [], removals: [], isGone: false };
    const fail = (thrown: unknown): never => {
      this.#take(loaded);
      const message = `The extension "${extension.name}" could not be loaded: ${errorMessage(thrown)}`;
      throw new AgentError('config', message, { cause: thrown });
    };
    this.#loaded.push(loaded);
    try {
      const pending = extension.setup(this.#hostOf(loaded));
      return pending instanceof Promise ? pending.catch(fail) : undefined;
    } catch (thrown) {
      return fail(thrown);
    }
  }

  /** Replaces extensions by others, in order; those in both lists are not set up again. */
  async replace(before: readonly Extension<S>[], after: readonly Extension<S>[]): Promise<void> {
    const old = this.#loaded.filter(({ extension }) => before.includes(extension));
    for (const loaded of old) remove(loaded);
    const gone = old.filter(({ extension }) => !after.includes(extension));
    for (const loaded of gone) this.#take(loaded);
    await Promise.all(gone.map(({ extension }) => extension.dispose?.()));
    for (const extension of after) {
      const kept = old.find((loaded) => loaded.extension === extension);
      if (kept) kept.removals = kept.additions.map((add) => add());
      else await this.load(extension);
    }
  }

  /** Disposes all extensions. */
  async dispose(): Promise<void> {
    const all = this.#loaded.splice(0);
    for (const loaded of all) loaded.isGone = true;
    await Promise.allSettled(all.map(async ({ extension }) => extension.dispose?.()));
  }

  /** The tools and commands that others of the same name hide: one line for all of the same sources. */
  clashes(): Problem[] {
    const report = (kind: 'tool' | 'command', name: string, why: string) =>
      warning(`${kind}.name-taken`, why, { subject: name, isInactive: true });
    const describe = (kind: 'tool' | 'command', clashes: readonly Clash[]) => {
      const bySources = new Map<string, string[]>();
      for (const { name, kept, hidden } of clashes) {
        const sources = `Used: ${kept}. Ignored: ${hidden.join(', ')}.`;
        bySources.set(sources, [...(bySources.get(sources) ?? []), name]);
      }
      return [...bySources].map(([sources, names]) => {
        const quoted = names.map((name) => `"${name}"`).join(', ');
        const are = names.length === 1 ? `The ${kind} ${quoted} is` : `The ${kind}s ${quoted} are`;
        return report(kind, names.join(', '), `${are} defined more than once. ${sources}`);
      });
    };
    return [
      ...describe('tool', this.tools.clashes()),
      ...describe('command', this.commands.clashes()),
      ...[...this.#refused].map(({ name, source, meant }) =>
        report(
          'command',
          name,
          `The command "${name}" of ${source} is ignored: /${name} is an alias of the built-in /${meant}.`,
        ),
      ),
    ];
  }

  /** The built-in command that a name is an alias of. */
  #builtInCalled(name: string): string | undefined {
    return this.commands.of(builtIn).find((command) => command.aliases?.includes(name))?.name;
  }

  #take(loaded: Loaded<S>): void {
    loaded.isGone = true;
    remove(loaded);
    const index = this.#loaded.indexOf(loaded);
    if (index >= 0) this.#loaded.splice(index, 1);
  }

  #hostOf(loaded: Loaded<S>): ExtensionHost<S> {
    const source = loaded.extension.name;
    const add = (addition: () => () => void): void => {
      if (loaded.isGone) return;
      loaded.additions.push(addition);
      loaded.removals.push(addition());
    };
    return {
      tool: (tool) => {
        const usable = usableTool(tool);
        add(() => this.tools.add(usable.name, usable, source));
      },
      command: (command) => {
        const usable = usableCommand(command);
        const meant = this.#builtInCalled(usable.name);
        if (meant === undefined)
          return add(() =>
            usable.yields === true
              ? this.commands.addYielding(usable.name, usable, source)
              : this.commands.add(usable.name, usable, source),
          );
        const refused = { name: usable.name, source, meant };
        add(() => {
          this.#refused.add(refused);
          return () => this.#refused.delete(refused);
        });
      },
      hook: (point, hook) => add(() => this.hooks.add(point, hook, source)),
      provider: (apiKind, factory) => add(() => this.providers.add(apiKind, factory, source)),
    };
  }
}

/** The name of the extension with the commands of the product, which is loaded before all others. */
const builtIn = 'built-in';

function remove<S>(loaded: Loaded<S>): void {
  for (const take of loaded.removals.splice(0)) take();
}
