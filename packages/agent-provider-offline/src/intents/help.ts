import { shortLine } from '@robota-sdk/agent-core';
import type { PlanAnswer } from '../engine/plan.ts';
import { tokenize } from '../language/tokens.ts';
import type { Intent } from './intent.ts';

const label = 'I am the offline model of Robota: a small set of rules, not AI. I need no key and no network.';
const connect = [
  'For a real model, set a key and start again, for example `ANTHROPIC_API_KEY=… robota`, `OPENAI_API_KEY=… robota` or `GEMINI_API_KEY=… robota`,',
  'or use a local one: `robota --model ollama/NAME`. `--model` chooses; see docs/offline.md.',
].join('\n');

/** Explains the model, its abilities, and how to connect a better one. */
export function helpAnswer(intents: readonly Intent[]): PlanAnswer {
  const examples = intents.flatMap((intent) => intent.examples.map((example) => `- ${example}`));
  const text = [
    `${label} What I can do:`,
    '',
    ...examples,
    '- several of these: "first run the tests, then show the diff"',
    '',
    connect,
  ].join('\n');
  return { text };
}

const nearestCount = 3;

/** Says that a request was not understood, with the examples that are nearest to it. */
export function unknownAnswer(intents: readonly Intent[], request: string): PlanAnswer {
  const text = [
    `I am rules, not AI, and I did not understand ${quoted(request)}. Nearest to it:`,
    '',
    ...nearestExamples(intents, request).map((example) => `- ${example}`),
    '',
    '`help` lists all that I understand; `robota login` or `--model ollama/NAME` connects a real model.',
  ].join('\n');
  return { text, failed: true };
}

/** The examples that share most words with a request, one of each kind; of equal ones, those of the more general kinds. */
function nearestExamples(intents: readonly Intent[], request: string): readonly string[] {
  const asked = new Set(wordsOf(request));
  const countAsked = (words: readonly string[]) => words.filter((word) => asked.has(word)).length;
  const scored = intents.flatMap(({ examples, patterns }) => {
    const kind = countAsked([...new Set(wordsOf(patterns.join(' ')))]);
    const rated = examples.map((example) => ({ example, score: 2 * countAsked(wordsOf(example)) + kind }));
    return rated.toSorted(byScore).slice(0, 1);
  });
  return scored
    .toSorted(byScore)
    .slice(0, nearestCount)
    .map(({ example }) => example);
}

function byScore(one: { readonly score: number }, other: { readonly score: number }): number {
  return other.score - one.score;
}

/** Words without a meaning of their own. */
const fillers: ReadonlySet<string> = new Set(
  'a an and are by can could do does for from i in is it me my of on or please that the this to we what with you your'.split(
    ' ',
  ),
);

/** The telling words of a text, without their endings. */
function wordsOf(text: string): readonly string[] {
  return tokenize(text)
    .flatMap(({ text: word }) => word.toLowerCase().match(/\p{L}+/gu) ?? [])
    .filter((word) => !fillers.has(word))
    .map((word) => word.replace(/(?:ing|es|s)$/, ''));
}

/** Greetings and questions about the model itself. */
export const greetingPatterns: readonly string[] = [
  'help [me]',
  '(hello|hi|hey|hola|안녕|안녕하세요|こんにちは|你好|您好) [(there|robota)]',
  '(도움말|도와줘|ヘルプ|助けて|帮助|幫助)',
  '(what can you do|what do you do|who are you|what are you|how does this work|how do you work)',
  '(are you|is this) (ai|real|a real model|claude|chatgpt|gpt|human|bot)',
  'what model are you',
];

export const thanksPatterns: readonly string[] = [
  '(thanks|thank you|thx|great|ok|okay|good|cool|nice|perfect) [(very much|a lot|job|thanks)]',
];

function quoted(request: string): string {
  return `"${shortLine(request, 80)}"`;
}
