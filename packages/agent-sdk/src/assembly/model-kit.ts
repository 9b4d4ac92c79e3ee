import type { AnyTool, Model, ModelChoice, Workspace } from '@robota-sdk/agent-core';
import type { ProjectContext } from '../context/load-context.ts';
import type { CreateSessionOptions } from '../create-session-options.ts';
import type { ConnectedModel } from '../interactive-session.ts';
import { connectModel } from '../providers/connect-model.ts';
import type { Registries } from '../registries.ts';
import { chooseModels, modelSources, withoutFlags } from './choose-models.ts';
import { type Surroundings, selectedTools, surroundingsOf, vendorSearches } from './surroundings-of.ts';

/** The models of a session, and the way to others. */
export interface ModelKit {
  /** The model and its fallbacks. */
  readonly models: readonly [ModelChoice, ...ModelChoice[]];
  /** The tools and the prompt that go with a model. */
  surround(model: Model): Surroundings;
  /** What the instruction files say; `renew` changes it for every prompt from then on. */
  readonly context: ProjectContext;
  renew(context: ProjectContext): void;
  /** Finds another model by name; throws what a user can act on. */
  connect(name: string): ConnectedModel;
}

/** Connects the models of a session, through its tap where it has one. */
export function modelKit(
  options: CreateSessionOptions,
  registries: Registries,
  { workspace, redact }: { readonly workspace: Workspace; redact(text: string): string },
): ModelKit {
  const { tap } = options;
  const sources = { ...modelSources(options, registries), redact };
  const own = selectedTools(options, registries);
  const selected: readonly AnyTool[] = tap ? own.map((tool) => tap.tool(tool)) : own;
  let { context } = options;
  const surround = (model: Model) =>
    surroundingsOf(model, { options: { ...options, context }, selected, workspace });
  const prepared = (choice: ModelChoice): ModelChoice => {
    const searching = { ...choice, webSearch: vendorSearches(choice.model, options, selected) };
    return tap?.choice(searching) ?? searching;
  };
  const [first, ...fallbacks] = tap?.sealed?.models ?? chooseModels(options, sources);
  return {
    models: [prepared(first), ...fallbacks.map(prepared)],
    surround,
    get context() {
      return context;
    },
    renew: (next) => {
      context = next;
    },
    connect: (name) => {
      const choice = prepared(connectModel(name, withoutFlags(sources)));
      return { choice, surroundings: surround(choice.model) };
    },
  };
}
