import type { HookAnswer } from '@robota-sdk/agent-core';

const strictness = ['deny', 'ask', 'allow'];

/** Merges the answers of parallel hooks: the strictest verdict, all contexts, the last changed input and output. */
export function mergeAnswers(answers: readonly HookAnswer[]): HookAnswer {
  const output = answers.findLast((answer) => answer.output !== undefined)?.output;
  const input = answers.findLast((answer) => answer.input !== undefined)?.input;
  return {
    ...joinText('block', '\n', answers),
    ...joinText('stop', '\n', answers),
    ...joinText('context', '\n\n', answers),
    ...strictest(answers),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
  };
}

function joinText(
  field: 'block' | 'stop' | 'context',
  separator: string,
  answers: readonly HookAnswer[],
): HookAnswer {
  const present = answers.map((answer) => answer[field]).filter((text) => text !== undefined);
  return present.length === 0 ? {} : { [field]: present.join(separator) };
}

function strictest(answers: readonly HookAnswer[]): HookAnswer {
  const ranked = answers.flatMap(({ verdict, reason }) =>
    verdict === undefined ? [] : [{ verdict, ...(reason === undefined ? {} : { reason }) }],
  );
  const [first] = ranked.toSorted((a, b) => strictness.indexOf(a.verdict) - strictness.indexOf(b.verdict));
  return first ?? {};
}
