import type { HookGroup } from '@robota-sdk/agent-config';
import {
  describeProblem,
  type Extension,
  type Problem,
  problemOf,
  type Registries,
} from '@robota-sdk/agent-core';
import type { LoadedComponent, ProjectContext, Resources, Skill } from '@robota-sdk/agent-resources';
import { doubtfulNames, hookInstaller, subagentHost } from '@robota-sdk/agent-resources';
import type { Conversation, ModelDependentOptions } from '@robota-sdk/agent-sessions';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { extensionsOf } from './assemble-session.ts';
import { agentsOf } from './host-subagents.ts';
import type { ModelKit } from './model-kit.ts';

/** The resources after a reload, and their problems. */
export interface ReloadReport {
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  /** Files with instructions. */
  readonly instructions: readonly string[];
  readonly problems: readonly Problem[];
}

/** The current content of the files. */
export interface FreshFiles {
  readonly resources: Resources;
  readonly context?: ProjectContext | undefined;
  /** Hooks of settings and plugins. */
  readonly hooks: readonly HookGroup[];
  readonly problems: readonly Problem[];
}

export interface SessionExtensionsServices {
  readonly session: Conversation;
  readonly registries: Registries<InteractiveSession>;
  readonly kit: ModelKit;
  /** The options of the session, without resources of files. */
  readonly options: CreateSessionOptions;
  readonly resources: Resources;
  /** The extensions that are loaded. */
  readonly extensions: readonly Extension<InteractiveSession>[];
  /** Reads all files again; throws if nothing should change. */
  readAgain(): Promise<FreshFiles>;
}

/** The extensions of a session and the resources of its files; they can be reloaded while it is open. */
export class SessionExtensions {
  readonly #parts: SessionExtensionsServices;
  #extensions: readonly Extension<InteractiveSession>[];
  #resources: Resources;

  constructor(parts: SessionExtensionsServices) {
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

  /** Replaces some components; everything else stays. Returns the problems of the result. */
  async exchange(
    gone: readonly LoadedComponent[],
    come: readonly LoadedComponent[],
  ): Promise<readonly Problem[]> {
    const { session, registries } = this.#parts;
    const extensionsIn = (list: readonly LoadedComponent[]) => list.map(({ extension }) => extension);
    const before = extensionsIn(gone);
    await registries.replace(before, extensionsIn(come));
    this.#extensions = [...this.#extensions.filter((each) => !before.includes(each)), ...extensionsIn(come)];
    const kept = this.#resources.components.filter((each) => !gone.includes(each));
    this.#resources = { ...this.#resources, components: [...kept, ...come] };
    const problems = [...registries.clashes(), ...this.#reselect()];
    session.useModel(session.models, this.surroundings());
    return problems;
  }

  /** The tools and the prompt that go with the model of the session, or with another one. */
  surroundings(model = this.#parts.session.model): ModelDependentOptions {
    return this.#parts.kit.surround(model);
  }

  /** Reloads the resources of files; the conversation and the additions of code stay. */
  async reload(): Promise<ReloadReport> {
    const { session, registries, kit, options, readAgain } = this.#parts;
    const { resources, context, hooks, problems: found } = await readAgain();
    const full = withResources(options, resources);
    const extensions = extensionsOf(full);
    await registries.replace(this.#extensions, extensions);
    this.#extensions = extensions;
    this.#resources = resources;
    await session.state.peek(hookInstaller)?.replace(hooks);
    if (context) kit.renew(context);
    const problems = [
      ...found,
      ...(context?.problems ?? []),
      ...resources.problems,
      ...doubtsAbout(resources, full, registries),
      ...registries.clashes(),
      ...this.#reselect(),
    ];
    session.useModel(session.models, this.surroundings());
    const definitions = agentsOf(full);
    const host = session.state.get(subagentHost);
    session.state.set(subagentHost, { ...host, definitions, context: kit.context });
    return {
      tools: (session.surroundings.tools ?? []).map(({ name }) => name),
      commands: registries.commands.list().map(({ name }) => name),
      agents: definitions.map(({ name }) => name),
      skills: resources.skills.map(({ name }) => name),
      instructions: kit.context.instructions.map(({ path }) => path),
      problems: [...new Map(problems.map((problem) => [describeProblem(problem), problem])).values()],
    };
  }

  /** Disposes all extensions. */
  async dispose(): Promise<void> {
    await this.#parts.registries.dispose();
  }

  /** A tool selected by name may be gone: then the tools stay unchanged. */
  #reselect(): Problem[] {
    try {
      this.#parts.kit.reselect();
      return [];
    } catch (thrown) {
      return [problemOf(thrown)];
    }
  }
}

/** Unresolved references in files, once everything is loaded. */
export function doubtsAbout(
  { names }: Resources,
  options: CreateSessionOptions,
  { tools }: Registries<InteractiveSession>,
): readonly Problem[] {
  return doubtfulNames(names, {
    tools: tools.list().map(({ name }) => name),
    agents: agentsOf(options).map(({ name }) => name),
    config: options.config,
  });
}

/** The options of a session with the resources of files. */
export function withResources(options: CreateSessionOptions, resources: Resources): CreateSessionOptions {
  return {
    ...options,
    extensions: [...(options.extensions ?? []), ...resources.extensions],
    agents: [...(options.agents ?? []), ...resources.agents],
  };
}
