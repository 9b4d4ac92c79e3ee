import type { AnyTool, Model, ModelChoice, Registries, Workspace } from '@robota-sdk/agent-core';
import {
  chooseModels,
  connectModel,
  modelSources,
  servedConfig,
  withoutFlags,
} from '@robota-sdk/agent-models';
import type { ConnectedModel, ProjectContext } from '@robota-sdk/agent-resources';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import {
  type ModelContext,
  modelContextOf,
  selectedTools,
  vendorSearches,
} from '../prompt/model-context-of.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** The models of a session, and a way to connect others. */
export interface ModelKit {
  /** The model and its fallbacks. */
  readonly models: readonly [ModelChoice, ...ModelChoice[]];
  /** When the session began, which is the date in its prompts. */
  readonly start: Date;
  /** The tools and the prompt that go with a model. */
  surround(model: Model): ModelContext;
  /** The instruction files; `renew` changes them for later prompts. */
  readonly context: ProjectContext;
  renew(context: ProjectContext): void;
  /** Selects the tools again after extensions changed. */
  reselect(): void;
  /** Asks the user's server how it runs a model, for `connect`. */
  learn(name: string): Promise<void>;
  /** Finds another model by name; throws an error with the fix. */
  connect(name: string): ConnectedModel;
}

interface KitOptions {
  readonly workspace: Workspace;
  redact(text: string): string;
}

/** Connects the models of a session, through its tap if it has one. */
export function modelKit(
  options: CreateSessionOptions,
  registries: Registries<InteractiveSession>,
  { workspace, redact }: KitOptions,
): ModelKit {
  const { tap } = options;
  const start = new Date();
  let sources = { ...modelSources(options, registries), redact };
  const select = (): readonly AnyTool[] => {
    const own = selectedTools(options, registries);
    return tap ? own.map((tool) => tap.tool(tool)) : own;
  };
  let selected = select();
  let { context } = options;
  const surround = (model: Model) =>
    modelContextOf(model, { options: { ...options, context }, selected, workspace, start });
  const prepared = (choice: ModelChoice): ModelChoice => {
    const searching = { ...choice, webSearch: vendorSearches(choice.model, options, selected) };
    return tap?.choice(searching) ?? searching;
  };
  const [first, ...fallbacks] = tap?.sealed?.models ?? chooseModels(options, sources);
  return {
    models: [prepared(first), ...fallbacks.map(prepared)],
    surround,
    start,
    get context() {
      return context;
    },
    renew: (next) => {
      context = next;
    },
    reselect: () => {
      selected = select();
    },
    learn: async (name) => {
      // Address and key of the command line belong to the first model.
      const asked = { ...options, model: name, baseUrl: undefined, apiKey: undefined };
      if (!tap?.sealed) sources = { ...sources, catalogue: (await servedConfig(asked)).catalogue };
    },
    connect: (name) => {
      const choice = prepared(connectModel(name, withoutFlags(sources)));
      return { choice, surroundings: surround(choice.model) };
    },
  };
}
