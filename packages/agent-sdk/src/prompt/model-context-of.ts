import type { AnyTool, Model, Registries, Workspace } from '@robota-sdk/agent-core';
import { given, namesTool, parseRules } from '@robota-sdk/agent-core';
import type { ProjectContext } from '@robota-sdk/agent-resources';
import { hasSearchBackend } from '@robota-sdk/agent-tools';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { selectTools } from './select-tools.ts';
import { fittingTools, hasSmallWindow, shortenInstructions } from './small-window.ts';
import { buildSystemPrompt } from './system-prompt.ts';

/** The context of a model besides the conversation. */
export interface ModelContext {
  readonly tools: readonly AnyTool[];
  readonly systemMessage: string;
  /** The instruction files as far as the prompt has them. */
  readonly instructions: ProjectContext['instructions'];
  readonly webSearch: boolean;
}

export interface ModelContextInput {
  readonly options: CreateSessionOptions;
  readonly selected: readonly AnyTool[];
  readonly workspace: Workspace;
  /** When the session started: the date in its prompt does not change. */
  readonly start: Date;
}

/** Options that depend on the model: web search, and therefore tools and prompt. */
export function modelContextOf(model: Model, parts: ModelContextInput): ModelContext {
  const { options, selected, workspace, start } = parts;
  const webSearch = vendorSearches(model, options, selected);
  const ours = !webSearch && hasSearchBackend(options.config.host.env);
  const isChosen = (options.tools?.only ?? options.config.settings.tools) !== undefined;
  const offered = selected.filter((tool) => tool.name !== 'WebSearch' || ours);
  const tools = fittingTools(offered, { model, isChosen });
  const context = shortenInstructions(options.context, model);
  return {
    tools,
    webSearch,
    instructions: context.instructions,
    systemMessage: systemMessageOf({ ...options, context }, { model, tools, workspace, webSearch, start }),
  };
}

/** Uses the vendor's search if WebSearch is enabled and no rule requires asking, which a vendor cannot do. */
export function vendorSearches(
  model: Model,
  options: CreateSessionOptions,
  selected: readonly AnyTool[],
): boolean {
  if (model.vendor !== 'anthropic' || model.api !== 'anthropic') return false;
  if (!selected.some((tool) => tool.name === 'WebSearch')) return false;
  const { deny, ask } = options.config.settings.permissions;
  const restricted = [
    ...[...deny, ...ask].map((rule) => rule.tool),
    ...[...(options.rules?.deny ?? []), ...(options.rules?.ask ?? [])].map((text) =>
      text.split('(')[0]?.trim(),
    ),
  ];
  return !restricted.some((tool) => tool === 'WebSearch' || tool === 'web_search');
}

/** The tools that the settings and the command line leave; one that a rule denies altogether is not offered. */
export function selectedTools(
  options: CreateSessionOptions,
  { tools }: Registries<InteractiveSession>,
): readonly AnyTool[] {
  const { settings } = options.config;
  const { rules } = parseRules({ deny: options.rules?.deny ?? [] }, { source: 'command line' });
  const whole = [...settings.permissions.deny, ...rules.deny].filter(
    ({ specifier }) => specifier === undefined,
  );
  const all = tools.values();
  const denied = all.map(({ name }) => name).filter((name) => whole.some((rule) => namesTool(rule, name)));
  return selectTools(all, {
    only: options.tools?.only ?? settings.tools,
    exclude: [...settings.excludeTools, ...(options.tools?.exclude ?? []), ...denied],
    aliases: options.tools?.aliases,
    none: options.tools?.none,
  });
}

function systemMessageOf(
  options: CreateSessionOptions,
  parts: Pick<ModelContextInput, 'workspace' | 'start'> &
    Pick<ModelContext, 'tools' | 'webSearch'> & { readonly model: Model },
): string {
  const { config, context } = options;
  const { model, tools, workspace, webSearch, start } = parts;
  const ofPlugins = (config.plugins ?? []).map(({ systemPrompt }) => systemPrompt);
  const append = [...ofPlugins, context.appendSystemPrompt, options.appendSystemPrompt]
    .filter(Boolean)
    .join('\n\n');
  return buildSystemPrompt({
    cwd: workspace.cwd,
    tools,
    webSearch,
    now: start,
    isShort: hasSmallWindow(model),
    movesEnvironment: options.movesEnvironment,
    context: {
      ...context,
      ...given('systemPrompt', options.systemPrompt ?? context.systemPrompt),
      ...(append === '' ? {} : { appendSystemPrompt: append }),
    },
    ...given('project', options.projectInfo),
    ...given('language', config.settings.language),
  });
}
