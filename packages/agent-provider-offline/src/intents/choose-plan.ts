import type { Plan, PlanAnswer } from '../engine/plan.ts';
import { compilePattern } from '../language/pattern.ts';
import { splitRequest, withoutCourtesy } from '../language/split-request.ts';
import { tokenize } from '../language/tokens.ts';
import { allIntents } from './all-intents.ts';
import { doParts, planTodos } from './do-parts.ts';
import { explainLog } from './explain-log.ts';
import { greetingPatterns, helpAnswer, thanksPatterns, unknownAnswer } from './help.ts';
import type { IntentContext } from './intent.ts';
import { isRecord, summarizeRecord } from './summarize-record.ts';

interface Asked extends IntentContext {
  readonly request: string;
}

const planPatterns = [
  'plan {text:text}',
  '(make|write|create) (plan|todo list|todos|list of todos) (for|to|with|of) {text:text}',
];
const longestRequest = 4_000;
const longPasteLines = 8;

/** Finds what to do about a request. */
export function choosePlan(asked: Asked): Plan {
  if (asked.tools.size === 0 && asked.attached.some(isRecord)) return answer(summarizeRecord(asked.attached));
  const text = withoutCourtesy(asked.request);
  if (asked.attached.length > 0 && !findPlan(text, asked)) return answer(explainLog(asked.attached));
  if (text === '' || matches(greetingPatterns, text)) return answer(helpAnswer(allIntents));
  if (matches(thanksPatterns, text)) return answer({ text: 'You are welcome.' });
  if (text.length > longestRequest) return answer(notUnderstood(asked.request));
  const toPlan = matches(planPatterns, text)?.text;
  if (toPlan !== undefined) return planTodos(splitRequest(toPlan)[1] ?? [toPlan], asked);
  for (const parts of splitRequest(asked.request)) {
    const plans = parts.map((part) => ({ part, plan: findPlan(part, asked) }));
    if (plans.length > 1 && plans.every(({ plan }) => plan)) return doParts(plans, asked);
  }
  return findPlan(text, asked) ?? answer(notUnderstood(asked.request));
}

/** Many lines without a request are probably pasted text. */
function notUnderstood(request: string): PlanAnswer {
  return request.split('\n').length > longPasteLines
    ? explainLog([request])
    : unknownAnswer(allIntents, request);
}

function findPlan(text: string, context: IntentContext): Plan | undefined {
  for (const intent of allIntents) {
    const captures = matches(intent.patterns, text);
    if (captures) return intent.plan(captures, context);
  }
  return undefined;
}

function matches(patterns: readonly string[], text: string) {
  const phrase = { text, tokens: tokenize(text) };
  for (const pattern of patterns) {
    const captures = compilePattern(pattern)(phrase);
    if (captures) return captures;
  }
  return undefined;
}

// biome-ignore lint/correctness/useYield: an answer that needs no tool is a plan without steps
function* answer(value: PlanAnswer): Plan {
  return value;
}
