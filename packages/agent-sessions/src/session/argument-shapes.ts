import {
  abortSignal,
  amount,
  callback,
  checked,
  count,
  flag,
  having,
  list,
  numberWithin,
  object,
  objectInstance,
  optional,
  text,
  thinkingLevels,
  userContentShape,
  words,
} from '@robota-sdk/agent-core';

/** Shapes of what programs give to a conversation. */
const provider = having({ vendor: text, stream: callback });
const modelShape = having({ vendor: text, id: text, contextWindow: amount });
export const modelChoices = checked(
  list(having({ model: modelShape, provider })),
  'a list with a model and its provider',
  (choices) => choices.length > 0,
);
export const noticeShape = having({ level: words('info', 'warning', 'error'), text });
export const totalsShape = having({ usage: objectInstance, cost: amount, modelCalls: amount });
export const abortShape = object({}, { keepsParked: optional(flag) });

const tool = having({ name: text, input: objectInstance, access: callback, execute: callback });
export const conversationShape = having({
  tools: list(tool),
  systemMessage: text,
  models: optional(modelChoices),
  provider: optional(provider),
  model: optional(modelShape),
  terminal: optional(objectInstance),
  workspace: optional(having({ cwd: text, additional: list(text), home: text })),
  handle: optional(having({ id: text, entries: callback, append: callback })),
  logger: optional(having({ log: callback, flush: callback, close: callback })),
  hooks: optional(having({ run: callback, add: callback })),
  queue: optional(having({ steer: callback, follow: callback })),
  thinking: optional(words(...thinkingLevels)),
  maxTurns: optional(count),
  maxCost: optional(numberWithin({ exclusiveMinimum: 0 })),
  budget: optional(objectInstance),
  env: optional(objectInstance),
  outputDir: optional(text),
  authorize: optional(callback),
  onCompact: optional(callback),
  onPrompt: optional(callback),
});

export const promptShape = object(
  {},
  {
    maxTurns: optional(count),
    maxCost: optional(numberWithin({ exclusiveMinimum: 0 })),
    answerSchema: optional(objectInstance),
    signal: optional(abortSignal),
    origin: optional(words('command')),
    shown: optional(text),
    attachments: optional(userContentShape),
    resumesParked: optional(flag),
    jsonSchema: optional(objectInstance),
    joinsRun: optional(flag),
  },
);
