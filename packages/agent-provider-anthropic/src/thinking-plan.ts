import type { JsonObject, Model, ModelRequest, ThinkingLevel } from '@robota-sdk/agent-core';

/** The thinking fields of a request, and their effect on the other fields. */
export interface ThinkingPlan {
  /** Fields of the request body. */
  readonly fields: JsonObject;
  readonly maxTokens: number;
  /** True if earlier thinking of this model is sent back: not while thinking is switched off. */
  readonly sendsThinkingBack: boolean;
  /** An unfinished tool loop must then begin with signed thinking. */
  readonly needsThinkingFirst: boolean;
}

type ThinkingOn = Exclude<ThinkingLevel, 'off'>;

const budgets: Readonly<Record<ThinkingOn, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  xhigh: 32_768,
};

/** `max` for the top level since every adaptive model has it, while `xhigh` is unknown to some. */
const efforts: Readonly<Record<ThinkingOn, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
};

const smallestBudget = 1_024;
/** Room for the answer itself beside a thinking budget. */
const answerRoom = 8_192;
/** Compaction leaves a little more than this share of the window free, so that input and output always fit together. */
const outputShare = 0.16;

/** Decides how a request of this level is put to this model. */
export function planThinking({
  model,
  thinking: level,
  maxOutput,
}: Pick<ModelRequest, 'model' | 'thinking' | 'maxOutput'>): ThinkingPlan {
  const maxTokens = Math.max(1, Math.min(model.maxOutput, maxOutput ?? defaultOutput(model)));
  switch (model.thinking) {
    case 'none':
      return withoutThinking(maxTokens);
    case 'budget':
      return level === 'off' ? withoutThinking(maxTokens) : planBudget(model, level, maxTokens);
    case 'effort':
      return { ...mayThink(maxTokens), fields: level === 'off' ? {} : effortOf(model, level) };
    case 'always':
    case 'adaptive':
      if (level === 'off') return planOff(model, maxTokens);
      return { ...mayThink(maxTokens), fields: { ...adaptive, ...effortOf(model, level) } };
  }
}

/** Thinking is off, by choice or because the tool loop under way began without it. */
export function withoutThinking(maxTokens: number): ThinkingPlan {
  return { fields: {}, maxTokens, sendsThinkingBack: false, needsThinkingFirst: false };
}

/** Newer models hide what they think unless asked for a summary. */
const adaptive = { thinking: { type: 'adaptive', display: 'summarized' } } as const;

/** The model may think and may see what it thought before. */
function mayThink(maxTokens: number): ThinkingPlan {
  return { fields: {}, maxTokens, sendsThinkingBack: true, needsThinkingFirst: false };
}

function effortOf(model: Model, level: ThinkingOn): JsonObject {
  return { output_config: { effort: model.compat?.reasoningEffortMap?.[level] ?? efforts[level] } };
}

/**
 * Models differ in how they are told not to think: some by `disabled`, some by `between_tools`, some think only when
 * asked and refuse both. The model's effort map names the word; without one nothing is sent, which no model refuses.
 * One that always thinks is asked to think little.
 */
function planOff(model: Model, maxTokens: number): ThinkingPlan {
  const type = model.compat?.reasoningEffortMap?.off;
  if (type === 'disabled') return { ...withoutThinking(maxTokens), fields: { thinking: { type } } };
  if (type !== undefined) return { ...mayThink(maxTokens), fields: { thinking: { type } } };
  if (model.thinking === 'adaptive') return mayThink(maxTokens);
  return { ...mayThink(maxTokens), fields: { ...adaptive, ...effortOf(model, 'minimal') } };
}

function planBudget(model: Model, level: ThinkingOn, answerTokens: number): ThinkingPlan {
  const wanted = budgets[level];
  const maxTokens = Math.min(model.maxOutput, Math.max(answerTokens, wanted + answerRoom));
  const budget = Math.min(wanted, maxTokens - smallestBudget);
  if (budget < smallestBudget) return withoutThinking(answerTokens);
  return {
    fields: { thinking: { type: 'enabled', budget_tokens: budget } },
    maxTokens,
    sendsThinkingBack: true,
    needsThinkingFirst: true,
  };
}

function defaultOutput(model: Model): number {
  return Math.floor(model.contextWindow * outputShare);
}
