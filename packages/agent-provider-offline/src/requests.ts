import { shortLine } from '@robota-sdk/agent-core';
import { type Captures, matchPattern, partsOf, withoutCourtesy } from './pattern.ts';
import type { Plan, PlanAnswer } from './plan.ts';
import {
  create,
  doParts,
  keepTodos,
  list,
  namesOf,
  overview,
  read,
  replace,
  run,
  runTask,
  search,
} from './plans.ts';

interface Row {
  /** For the help text; every one of them is understood. */
  readonly examples?: readonly string[];
  readonly patterns: readonly string[];
  plan(captures: Captures): Plan;
}

const project = 'project|repo|repository|codebase|code|app';
const place = 'in|under|inside|within|of folder|directory? {path:word} folder|directory?';
const placed = (pattern: string) => [`${pattern} ${place}`, pattern];
const replacing = 'replace|substitute text|word? {from:text} with|by {to:text}';
const show = 'show|print|open|view|display|see';

/** Everything the model understands; the first row that fits is taken, so the special come before the general. */
const rows: readonly Row[] = [
  {
    examples: ['what is this project'],
    patterns: [
      `explain|describe|summarize ${project}`,
      `what|what's is|does? ${project} about|do?`,
      "what|what's is?",
      'overview',
    ],
    plan: () => overview(),
  },
  {
    examples: ['run the tests', 'build the project', 'run the linter'],
    patterns: ['run|execute|start unit? tests|test|suite', `test ${project}`],
    plan: () => runTask('test'),
  },
  { patterns: ['run|start build', `build|compile ${project}`, 'build'], plan: () => runTask('build') },
  { patterns: ['run linter|lint', `lint ${project}`, 'lint'], plan: () => runTask('lint') },
  {
    examples: ['what changed', 'show the diff', 'show the recent commits'],
    patterns: ['what has|did? changed|change', 'git status', `${show}|list changes`],
    plan: () => run('git status --short --branch'),
  },
  { patterns: [`${show} git? diff`, 'git? diff'], plan: () => run('git diff') },
  {
    patterns: [`${show}|list recent|last|latest? commits|log|history`, 'git log'],
    plan: () => run('git log --oneline -20'),
  },
  {
    examples: ['create hello.txt with the text "hi"', 'write "hi" to hello.txt'],
    patterns: [
      'create|make|add|write new? empty? file? {path:file} with|containing|saying text|content? {content:text}',
      'create|make|add|touch new? empty? file? {path:file}',
      'write|put|save text? {content:text} to|into|in new? file? {path:file}',
    ],
    plan: ({ path = '', content }) => create(path, content),
  },
  {
    examples: ['replace foo with bar in src', 'replace "old text" with "new text" everywhere'],
    patterns: [
      `${replacing} everywhere`,
      `${replacing} in|across files|project|repo`,
      `${replacing} in|under|inside|within|across file|folder? {path:word} folder|directory?`,
      replacing,
    ],
    plan: ({ from = '', to = '', path }) => replace(from, to, path),
  },
  {
    examples: ['read package.json', 'show lines 10-20 of src/index.ts'],
    patterns: [
      `read|cat|${show} line|lines {lines:lines} of|in|from file? {path:word}`,
      'read|cat file? {path:word}',
      `${show} file? {path:file}`,
      "what|what's is? in {path:file}",
    ],
    plan: ({ path = '', lines }) => read(path, lines),
  },
  {
    examples: ['list the files in src', 'list the markdown files'],
    patterns: [
      ...placed(`list|get|${show} files|folders|tree|structure|contents`),
      ...placed('what|which files are there|here?'),
      ...placed(`list|${show} {kind:word} files`),
      "what|what's is? in {path:word} folder|directory?",
      'list|ls|tree {path:word} folder|directory?',
      'list|ls|tree',
    ],
    plan: ({ path, kind }) => list(path, kind && namesOf(kind)),
  },
  {
    examples: ['find the file config.ts'],
    patterns: ['find|locate file|files named|called? {name:word}'],
    plan: ({ name = '' }) => list('.', `*${name}*`),
  },
  {
    examples: ['find "connection refused"', 'search for TODO in src'],
    patterns: [
      ...placed('find|grep|search|locate|look for? text|string|word? {what:text}'),
      ...placed('where is {what:text} defined|declared|used|called'),
      ...placed('who|what calls|uses|imports {what:text}'),
    ],
    plan: ({ what = '', path }) => search(what, path),
  },
  {
    examples: ['run npm run lint', 'run `git log --oneline -5`'],
    patterns: ['run|execute command? {command:text}', '$ {command:text}'],
    plan: ({ command = '' }) => run(command),
  },
  { patterns: [`${show} {path:word} folder|directory?`], plan: ({ path = '' }) => read(path) },
];

const helpPatterns = [
  'help',
  'hello|hi|hey there|robota?',
  'what can you do',
  'who|what are you',
  'how does work',
];
const planPattern = 'plan|todo|todos {text:text}';
/** Matching takes time that grows with the square of the length. */
const longestRequest = 1_000;

/** Finds what to do about a request. */
export function choosePlan(request: string, tools: ReadonlySet<string>): Plan {
  const text = withoutCourtesy(request);
  if (text.length > longestRequest) return answer(notUnderstood(request));
  if (text === '' || helpPatterns.some((pattern) => matchPattern(pattern, text)))
    return answer({ text: help });
  const toPlan = matchPattern(planPattern, text)?.text;
  if (toPlan !== undefined) return keepTodos(partsOf(toPlan));
  const parts = partsOf(request);
  const plans = parts.flatMap((part) => planFor(part) ?? []);
  if (plans.length > 1 && plans.length === parts.length) return doParts(parts, plans, tools.has('TodoWrite'));
  return planFor(text) ?? answer(notUnderstood(request));
}

function planFor(text: string): Plan | undefined {
  for (const { patterns, plan } of rows)
    for (const pattern of patterns) {
      const captures = matchPattern(pattern, text);
      if (captures) return plan(captures);
    }
  return undefined;
}

/** Requests of which every one is understood. */
export const examples = [
  ...rows.flatMap((row) => row.examples ?? []),
  'first run the tests, then show the diff',
  'plan: read the code; write a test; fix it',
];

const help = [
  'I am the offline model of Robota: a small set of rules, not AI. I need no key and no network. What I can do:',
  '',
  ...examples.map((example) => `- ${example}`),
  '',
  'For a real model, set a key and start again, for example `ANTHROPIC_API_KEY=… robota`, `OPENAI_API_KEY=… robota` or `GEMINI_API_KEY=… robota`,',
  'or use a local one: `robota --model ollama/NAME`. `--model` chooses; see docs/offline.md.',
].join('\n');

function notUnderstood(request: string): PlanAnswer {
  return {
    text: [
      `I did not understand "${shortLine(request, 80)}": I am the offline model, a set of rules and not AI, that can list, read, search, replace and create files, and run commands.`,
      '`help` shows how to ask; `robota login` or `--model ollama/NAME` connects a real model.',
    ].join(' '),
    failed: true,
  };
}

// biome-ignore lint/correctness/useYield: an answer that needs no tool is a plan without steps
function* answer(value: PlanAnswer): Plan {
  return value;
}
