import type { JsonObject, Model, ThinkingFormatName, ThinkingLevel } from '@robota-sdk/agent-core';
import { reasoningEffort } from '../wire/reasoning-effort.ts';

interface Wish {
  readonly on: boolean;
  readonly effort: string | undefined;
}

/** How a vendor is told to think, and how its thinking comes and goes back. */
export interface ThinkingFormat {
  readonly parameters: (wish: Wish) => JsonObject;
  /** The field in which past thinking is returned; elsewhere it is dropped. */
  readonly returnedIn?: 'reasoning_content' | 'reasoning_details';
}

const effortField = ({ effort }: Wish): JsonObject =>
  effort === undefined ? {} : { reasoning_effort: effort };
const thinkingType = ({ on }: Wish): JsonObject => ({ type: on ? 'enabled' : 'disabled' });

const openai: ThinkingFormat = { parameters: effortField };

const formats: Readonly<Record<ThinkingFormatName, ThinkingFormat>> = {
  openai,
  openrouter: {
    parameters: ({ effort }) => ({ reasoning: { effort: effort ?? 'none' } }),
    returnedIn: 'reasoning_details',
  },
  deepseek: {
    parameters: (wish) => ({ thinking: thinkingType(wish), ...(wish.on ? effortField(wish) : {}) }),
    returnedIn: 'reasoning_content',
  },
  zai: {
    // Without this its server throws away the thinking that is returned to it.
    parameters: (wish) => ({
      thinking: { ...thinkingType(wish), ...(wish.on ? { clear_thinking: false } : {}) },
    }),
    returnedIn: 'reasoning_content',
  },
  qwen: { parameters: ({ on }) => ({ enable_thinking: on }) },
  'qwen-chat-template': { parameters: ({ on }) => ({ chat_template_kwargs: { enable_thinking: on } }) },
  'chat-template': { parameters: ({ on }) => ({ chat_template_kwargs: { enable_thinking: on } }) },
  baseten: { parameters: ({ on }) => ({ chat_template_args: { enable_thinking: on } }) },
  together: {
    parameters: (wish) => ({ reasoning: { enabled: wish.on }, ...(wish.on ? effortField(wish) : {}) }),
  },
  'string-thinking': { parameters: ({ on, effort }) => ({ thinking: on && effort ? effort : 'none' }) },
  'ant-ling': { parameters: ({ on, effort }) => (on && effort ? { reasoning: { effort } } : {}) },
  'think-tags': { parameters: () => ({}) },
};

/** The format a model's `compat` names; OpenAI's own where it names none. */
export function thinkingFormatOf(model: Model): ThinkingFormat {
  return formats[model.compat?.thinkingFormat ?? 'openai'];
}

/** The request fields that ask for a thinking level; none for a model that cannot be told. */
export function thinkingParameters(model: Model, level: ThinkingLevel): JsonObject {
  const format = thinkingFormatOf(model);
  const canBeTold =
    format === openai ? model.thinking === 'effort' : !['none', 'always'].includes(model.thinking);
  if (!canBeTold) return {};
  const takesEffort = model.compat?.supportsReasoningEffort !== false;
  const effort = takesEffort ? reasoningEffort(model, level) : undefined;
  return format.parameters({ on: level !== 'off', effort });
}
