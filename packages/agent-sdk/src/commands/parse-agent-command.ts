import {
  AgentError,
  given,
  givenFields,
  nearest,
  readWord,
  splitWords,
  type Word,
} from '@robota-sdk/agent-core';
import type { AgentJobRequest } from '../tasks/task-registry.ts';

export type AgentRunRequest = Omit<AgentJobRequest, 'mode'>;

/** A parsed `/agent …` command. */
export type AgentCommand =
  | { readonly kind: 'run'; readonly request: AgentRunRequest }
  | { readonly kind: 'list' }
  | { readonly kind: 'parallel'; readonly detach: boolean; readonly requests: readonly AgentRunRequest[] }
  | { readonly kind: 'wait'; readonly id: string }
  | { readonly kind: 'read'; readonly id: string; readonly offset: number }
  | { readonly kind: 'send'; readonly id: string; readonly prompt: string }
  | { readonly kind: 'cancel'; readonly id: string; readonly reason?: string }
  | { readonly kind: 'close'; readonly id: string }
  | { readonly kind: 'open'; readonly id: string };

/** True if the arguments of `/agent` start agents without waiting. */
export function isDetached(line: string): boolean {
  try {
    const command = parseAgentCommand(line, []);
    return command.kind === 'parallel' && command.detach;
  } catch {
    // The command itself reports the problem.
    return false;
  }
}

/** Parses the arguments of `/agent`. `agents` are the available names. */
export function parseAgentCommand(line: string, agents: readonly string[]): AgentCommand {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  if (first === '') return { kind: 'list' };
  const parse = Object.hasOwn(parsers, first) ? parsers[first] : undefined;
  if (parse) return parse(rest.trim());
  const agentType = agents.find((name) => name.toLowerCase() === first.toLowerCase());
  if (agentType === undefined) {
    assertNoSlip(first, { line: line.trim(), agents });
    return { kind: 'run', request: { prompt: promptOf(line) } };
  }
  if (rest.trim() === '') throw new AgentError('usage', `Missing prompt: /agent ${agentType} PROMPT.`);
  return { kind: 'run', request: { agentType, prompt: promptOf(rest) } };
}

/** A typo must not start an agent that costs money; a prompt that looks like one can be sent with `run`. */
function assertNoSlip(
  first: string,
  { line, agents }: { readonly line: string; readonly agents: readonly string[] },
): void {
  const [near] = nearest(first, [...Object.keys(parsers), ...agents], 1);
  if (near === undefined) return;
  throw new AgentError(
    'usage',
    `Unknown subcommand: /agent ${first}. Did you mean /agent ${near}? To send it as a prompt: /agent run ${line}`,
  );
}

/** One per subcommand of `/agent`; anything else starts a prompt or names an agent. */
const parsers: Readonly<Record<string, (rest: string) => AgentCommand>> = {
  run: (rest) => ({ kind: 'run', request: parseRun(rest) }),
  list: (rest) => {
    if (rest === '') return { kind: 'list' };
    throw new AgentError('usage', `/agent list takes no arguments. /agent run list ${rest} starts an agent.`);
  },
  parallel: parseParallel,
  wait: (rest) => ({ kind: 'wait', id: onlyId('wait GROUP_ID', rest) }),
  read: (rest) => {
    const { id, more } = idAndMore('read ID [OFFSET]', rest);
    if (/^\d*$/.test(more)) return { kind: 'read', id, offset: Number(more) };
    throw new AgentError('usage', `"${more}" is not a position. Write /agent read ID [OFFSET].`);
  },
  send: (rest) => {
    const { id, more } = idAndMore('send ID PROMPT', rest);
    if (more === '') throw new AgentError('usage', 'Missing prompt. Use /agent send ID PROMPT.');
    return { kind: 'send', id, prompt: promptOf(more) };
  },
  stop: parseCancel,
  cancel: parseCancel,
  close: (rest) => ({ kind: 'close', id: onlyId('close ID', rest) }),
  open: (rest) => ({ kind: 'open', id: onlyId('open ID', rest) }),
};

function parseCancel(rest: string): AgentCommand {
  const { id, more } = idAndMore('stop ID [REASON]', rest);
  return { kind: 'cancel', id, ...given('reason', more === '' ? undefined : promptOf(more)) };
}

const flags: Readonly<Record<string, 'agentType' | 'model' | 'isolation'>> = {
  '--agent': 'agentType',
  '--type': 'agentType',
  '-a': 'agentType',
  '--model': 'model',
  '--isolation': 'isolation',
};

/** Options come before the prompt, which starts with the first other word. */
function parseRun(rest: string): AgentRunRequest {
  const options: Record<string, string> = {};
  let left = rest;
  for (;;) {
    const [, flag = '', inline] = /^(--?[a-z]+)(?:=(\S+))?(?=\s|$)/.exec(left) ?? [];
    const name = flags[flag];
    if (name === undefined) {
      if (/^--[a-z]/.test(left) && flag !== '') throw unknownOption(flag);
      break;
    }
    left = left.slice(flag.length + (inline === undefined ? 0 : inline.length + 1)).trimStart();
    const word = inline === undefined ? readWord(left, 0) : undefined;
    const value = inline ?? word?.value;
    if (value === undefined || value === '') throw new AgentError('usage', `${flag} needs a value.`);
    options[name] = value;
    left = left.slice(word?.end ?? 0).trimStart();
  }
  const { agentType, model, isolation } = options;
  if (left === '') throw new AgentError('usage', 'Missing prompt: /agent run [options] PROMPT.');
  return {
    prompt: promptOf(left),
    ...givenFields({ agentType, model, isolation: isolationOf(isolation) }),
  };
}

function isolationOf(value: string | undefined): AgentRunRequest['isolation'] {
  if (value === undefined || value === 'none' || value === 'worktree') return value;
  throw new AgentError('usage', `Unknown isolation "${value}". Available: none, worktree.`);
}

function unknownOption(flag: string): AgentError {
  return new AgentError(
    'usage',
    `Unknown option ${flag}. Available: ${Object.keys(flags).join(', ')}. Quote a prompt that starts with a dash.`,
  );
}

function parseParallel(rest: string): AgentCommand {
  const words = splitWords(rest);
  const isFlag = ({ value, quoteAt }: Word) => quoteAt === undefined && /^--\w+$/.test(value);
  const given = words.filter(isFlag).map(({ value }) => value);
  const unknown = given.find((flag) => flag !== '--wait' && flag !== '--detach');
  if (unknown !== undefined)
    throw new AgentError('usage', `Unknown option ${unknown}. Available: --wait, --detach.`);
  const requests = words
    .filter((word) => !isFlag(word))
    .map((word, index) => parseJob(rest, word, String(index + 1)));
  if (requests.length === 0)
    throw new AgentError('usage', 'Name the jobs: /agent parallel LABEL:"PROMPT" LABEL=AGENT:"PROMPT" …');
  const labels = requests.map(({ label }) => label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice !== undefined) throw new AgentError('usage', `Two jobs are named ${twice}; use different names.`);
  return { kind: 'parallel', detach: given.includes('--detach'), requests };
}

/** `LABEL:"PROMPT"`, `LABEL=AGENT:"PROMPT"`, or a prompt alone. The name of an agent may contain colons. */
function parseJob(line: string, word: Word, number: string): AgentRunRequest {
  const raw = line.slice(word.start, word.end);
  const headEnd = word.quoteAt === undefined ? raw.indexOf(':') + 1 : word.quoteAt - word.start;
  const head = raw.slice(0, headEnd);
  const prompt = word.value.slice(head.length).trim();
  if (prompt === '') throw new AgentError('usage', `The job ${raw} has no prompt. Write ${raw}"PROMPT".`);
  if (head === '') return { label: number, prompt };
  const [, label, agentType] = /^([^=]+)(?:=(.+))?:$/.exec(head) ?? [];
  if (label === undefined)
    throw new AgentError('usage', `${raw} is not a job. Write LABEL:"PROMPT" or LABEL=AGENT:"PROMPT".`);
  return { label, prompt, ...given('agentType', agentType) };
}

function onlyId(form: string, rest: string): string {
  const { id, more } = idAndMore(form, rest);
  if (more === '') return id;
  throw new AgentError('usage', `"${more}" is too much. Write /agent ${form}.`);
}

function idAndMore(form: string, rest: string): { readonly id: string; readonly more: string } {
  const [, id = '', more = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (id === '') throw new AgentError('usage', `Write /agent ${form}; /agent list shows the ids.`);
  return { id, more: more.trim() };
}

/** A prompt as it was written; quotes around all of it are not a part of it. */
function promptOf(text: string): string {
  const prompt = text.trim();
  const isQuoted = /^(["'])(?:(?!\1)[^\\]|\\[\s\S])*\1$/.test(prompt);
  return isQuoted ? readWord(prompt, 0).value : prompt;
}
