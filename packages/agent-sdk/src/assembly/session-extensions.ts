import type { HookGroup } from '@robota-sdk/agent-config';
import type { Registries } from '@robota-sdk/agent-core';
import { type Extension, errorMessage } from '@robota-sdk/agent-core';
import type { LoadedComponent, ProjectContext, Resources, Skill } from '@robota-sdk/agent-resources';
import { doubtfulNames, hookInstaller, subagentHost } from '@robota-sdk/agent-resources';
import type { ModelSurroundings, Session } from '@robota-sdk/agent-sessions';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { extensionsOf } from './create-session.ts';
import { agentsOf } from './host-subagents.ts';
import type { ModelKit } from './model-kit.ts';

/** What there is after everything was loaded again, and what was wrong with some of it. */
export interface ReloadReport {
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  /** Files with instructions. */
  readonly instructions: readonly string[];
  readonly problems: readonly string[];
}

/** What files say now. */
export interface FreshFiles {
  readonly resources: Resources;
  readonly context?: ProjectContext | undefined;
  /** Those of settings and plugins. */
  readonly hooks: readonly HookGroup[];
  readonly warnings: readonly string[];
}

export interface SessionExtensionsParts {
  readonly session: Session;
  readonly registries: Registries<InteractiveSession>;
  readonly kit: ModelKit;
  /** What the session is made of beside what files add. */
  readonly options: CreateSessionOptions;
  readonly resources: Resources;
  /** The extensions that are loaded. */
  readonly extensions: readonly Extension<InteractiveSession>[];
  /** Reads all files again; throws where nothing should change. */
  readAgain(): Promise<FreshFiles>;
}

/** The extensions of a session and all that files add to it: they can be loaded again while it goes on. */
export class SessionExtensions {
  readonly #parts: SessionExtensionsParts;
  #extensions: readonly Extension<InteractiveSession>[];
  #resources: Resources;

  constructor(parts: SessionExtensionsParts) {
    this.#parts = parts;
    this.#extensions = parts.extensions;
    this.#resources = parts.resources;
  }

  get skills(): readonly Skill[] {
    return this.#resources.skills;
  }

  /** The WebAssembly components in use. */
  get components(): readonly LoadedComponent[] {
    return this.#resources.components;
  }

  /** Takes some components away and adds others; everything else stays as it is. Returns what is wrong with the result. */
  async exchange(
    gone: readonly LoadedComponent[],
    come: readonly LoadedComponent[],
  ): Promise<readonly string[]> {
    const { session, registries, kit } = this.#parts;
    const extensionsIn = (list: readonly LoadedComponent[]) => list.map(({ extension }) => extension);
    const before = extensionsIn(gone);
    await registries.replace(before, extensionsIn(come));
    this.#extensions = [...this.#extensions.filter((each) => !before.includes(each)), ...extensionsIn(come)];
    const kept = this.#resources.components.filter((each) => !gone.includes(each));
    this.#resources = { ...this.#resources, components: [...kept, ...come] };
    const problems = [...registries.clashes(), ...this.#reselect()];
    session.useModel(session.models, { ...this.surroundings(), instructions: kit.context.instructions });
    return problems;
  }

  /** The tools and the prompt that go with the model of the session, or with another one. */
  surroundings(model = this.#parts.session.model): ModelSurroundings {
    return this.#parts.kit.surround(model);
  }

  /** Ends what files added and loads it anew; the conversation and what code added stay. */
  async reload(): Promise<ReloadReport> {
    const { session, registries, kit, options, readAgain } = this.#parts;
    const { resources, context, hooks, warnings } = await readAgain();
    const full = withResources(options, resources);
    const extensions = extensionsOf(full);
    await registries.replace(this.#extensions, extensions);
    this.#extensions = extensions;
    this.#resources = resources;
    await session.state.get(hookInstaller).replace?.(hooks);
    if (context) kit.renew(context);
    const said = context?.warnings ?? [];
    const problems = [
      ...warnings,
      ...said,
      ...resources.warnings,
      ...doubtsAbout(resources, full, registries),
      ...registries.clashes(),
      ...this.#reselect(),
    ];
    session.useModel(session.models, { ...this.surroundings(), instructions: kit.context.instructions });
    const { current } = session.state.get(subagentHost);
    const definitions = agentsOf(full);
    if (current) session.state.get(subagentHost).current = { ...current, definitions, context: kit.context };
    return {
      tools: (session.surroundings.tools ?? []).map(({ name }) => name),
      commands: registries.commands.list().map(({ name }) => name),
      agents: definitions.map(({ name }) => name),
      skills: resources.skills.map(({ name }) => name),
      instructions: kit.context.instructions.map(({ path }) => path),
      problems: [...new Set(problems)],
    };
  }

  /** Lets every extension end what it began. */
  async dispose(): Promise<void> {
    await this.#parts.registries.dispose();
  }

  /** A tool that was asked for by name may be gone: then the tools stay what they were. */
  #reselect(): string[] {
    try {
      this.#parts.kit.reselect();
      return [];
    } catch (thrown) {
      return [errorMessage(thrown)];
    }
  }
}

/** What files refer to although it is not there, now that everything is. */
export function doubtsAbout(
  { names }: Resources,
  options: CreateSessionOptions,
  { tools }: Registries<InteractiveSession>,
): readonly string[] {
  return doubtfulNames(names, {
    tools: tools.list().map(({ name }) => name),
    agents: agentsOf(options).map(({ name }) => name),
    config: options.config,
  });
}

/** What a session is made of, with what files add. */
export function withResources(options: CreateSessionOptions, resources: Resources): CreateSessionOptions {
  return {
    ...options,
    extensions: [...(options.extensions ?? []), ...resources.extensions],
    agents: [...(options.agents ?? []), ...resources.agents],
  };
}
