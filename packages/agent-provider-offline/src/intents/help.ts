import type { PlanAnswer } from '../engine/plan.ts';
import type { Intent } from './intent.ts';

const label = 'I am the offline model of Robota: a small set of rules, not AI. I need no key and no network.';
const connect = [
  'For a real model, set a key and start again, for example `ANTHROPIC_API_KEY=… robota`, `OPENAI_API_KEY=… robota` or `GEMINI_API_KEY=… robota`,',
  'or use a local one: `robota --model ollama/NAME`. `--model` chooses; see docs/offline.md.',
].join('\n');

/** Explains the model, its abilities, and how to connect a better one. */
export function helpAnswer(intents: readonly Intent[], request?: string): PlanAnswer {
  const examples = intents.flatMap((intent) => intent.examples.map((example) => `- ${example}`));
  const opening = request === undefined ? label : `${label} I did not understand ${quoted(request)}.`;
  const text = [
    `${opening} What I can do:`,
    '',
    ...examples,
    '- several of these: "first run the tests, then show the diff"',
    '',
    connect,
  ].join('\n');
  return request === undefined ? { text } : { text, failed: true };
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
  const line = request.replace(/\s+/g, ' ').trim();
  return `"${line.length > 80 ? `${line.slice(0, 80)}…` : line}"`;
}
