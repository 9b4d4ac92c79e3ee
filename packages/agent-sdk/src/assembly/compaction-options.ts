import type { CompactionSettings } from '@robota-sdk/agent-config';
import type { Model } from '@robota-sdk/agent-core';
import { describeProblems, givenFields } from '@robota-sdk/agent-core';
import type {
  CompactionPolicy,
  Conversation,
  ConversationOptions,
  ModelDependentOptions,
} from '@robota-sdk/agent-sessions';
import { type Todo, todos } from '@robota-sdk/agent-tools';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { ModelKit } from './model-kit.ts';

type CompactionOptions = Pick<
  ConversationOptions,
  'compaction' | 'compactInstructions' | 'reloadInstructions' | 'summaryModel' | 'todos'
>;

/** How a session keeps its conversation within the window, and what survives a compaction. */
export function compactionOptions(
  options: CreateSessionOptions,
  kit: ModelKit,
  session: () => Conversation,
): CompactionOptions {
  const { config, context, reloadContext } = options;
  const { model } = config.settings.compaction;
  return {
    compaction: (each) => policyFor(each, config.settings.compaction),
    todos: () => todoText(session().state.get(todos).items),
    ...givenFields({
      compactInstructions: context.compactInstructions,
      summaryModel: model === undefined ? undefined : () => kit.connect(model).choice,
      reloadInstructions: reloadContext && (() => reload(reloadContext, kit, session())),
    }),
  };
}

function policyFor(
  { vendor, id }: Model,
  { models, model, ...general }: CompactionSettings,
): CompactionPolicy {
  return { ...general, ...models[id], ...models[`${vendor}/${id}`] };
}

async function reload(
  reloadContext: NonNullable<CreateSessionOptions['reloadContext']>,
  kit: ModelKit,
  session: Conversation,
): Promise<ModelDependentOptions> {
  const context = await reloadContext();
  const known = new Set(describeProblems(kit.context.problems ?? []));
  for (const text of describeProblems(context.problems ?? []))
    if (!known.has(text)) session.notify({ level: 'warning', text });
  kit.renew(context);
  const { systemMessage, instructions } = kit.surround(session.model);
  return {
    systemMessage,
    instructions,
    compactInstructions: context.compactInstructions ?? '',
  };
}

const marks = { pending: ' ', in_progress: '>', completed: 'x' } as const;

function todoText(items: readonly Todo[]): string {
  return items.map(({ content, status }) => `- [${marks[status]}] ${content}`).join('\n');
}
