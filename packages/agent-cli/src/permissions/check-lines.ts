import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  AgentError,
  checkPermission,
  decodeJson,
  errorMessage,
  isJsonObject,
  isLostGuard,
  type JsonObject,
  type JsonValue,
  type PermissionSubject,
  parseRules,
} from '@robota-sdk/agent-sdk/front-end';
import { modeOf } from './project-policy.ts';

/** A case is judged by what it says alone, so that its answer is the same on every machine. */
const defaultPlace = { cwd: '/ws', home: '/home/u' };

/** Answers one case per line, in order; an invalid line gets an error and the rest continue. */
export async function checkLines(input: Readable, output: Writable): Promise<number> {
  let code = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const answer = await answerLine(line);
    if ('error' in answer) code = 2;
    if (!output.write(`${JSON.stringify(answer)}\n`)) await drained(output);
  }
  return code;
}

async function answerLine(line: string): Promise<JsonObject> {
  let id: JsonObject = {};
  try {
    const value = parseLine(line);
    if (value.id !== undefined) id = { id: value.id };
    return { ...id, ...(await answerCase(value)) };
  } catch (thrown) {
    return { ...id, error: errorMessage(thrown) };
  }
}

async function answerCase(value: JsonObject): Promise<JsonObject> {
  const texts = ruleTexts(value.rules ?? {});
  const { rules, problems } = parseRules(texts, { source: 'rules' });
  // A session refuses to start without a rule that protects, so an answer without it would be wrong.
  for (const list of ['ask', 'deny'] as const) {
    const lost = parseRules({ [list]: texts[list] }, { source: 'rules' }).problems.find((problem) =>
      isLostGuard(problem, list),
    );
    if (lost) throw new AgentError('usage', `Invalid ${list} rule: ${lost.message}`, { hint: lost.hint });
  }
  const cwd = text(value, 'cwd') ?? defaultPlace.cwd;
  const home = text(value, 'home') ?? defaultPlace.home;
  const mode = modeOf(text(value, 'mode')) ?? 'default';
  const policy = { mode, rules, workspace: { cwd, additional: [], home } };
  const { verdict, rule, reason } = await checkPermission(policy, subjectOf(value));
  return {
    decision: verdict,
    rule: rule?.text ?? null,
    why: reason,
    ...(problems.length === 0 ? {} : { problems: problems.map(({ message }) => message) }),
  };
}

function parseLine(line: string): JsonObject {
  const read = decodeJson(line);
  if (!read.ok) throw new Error(read.error);
  if (isJsonObject(read.value)) return read.value;
  throw new Error('A case is a JSON object such as {"rules": {}, "mode": "default", "command": "npm test"}.');
}

function subjectOf(value: JsonObject): PermissionSubject {
  const command = text(value, 'command');
  if (command !== undefined) return { command };
  const tool = text(value, 'tool');
  if (tool === undefined) throw new Error('A case needs "command", or "tool" and "path".');
  const [path, url] = [text(value, 'path'), text(value, 'url')];
  return { tool, ...(path === undefined ? {} : { path }), ...(url === undefined ? {} : { url }) };
}

function ruleTexts(value: JsonValue): Record<'allow' | 'ask' | 'deny', string[]> {
  const wrong = new Error('"rules" is an object with lists of texts: {"allow": [], "ask": [], "deny": []}.');
  if (!isJsonObject(value)) throw wrong;
  const list = (name: string): string[] => {
    const texts = value[name] ?? [];
    if (!Array.isArray(texts) || !texts.every((one) => typeof one === 'string')) throw wrong;
    return texts as string[];
  };
  return { allow: list('allow'), ask: list('ask'), deny: list('deny') };
}

function text(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  if (found === undefined || typeof found === 'string') return found;
  throw new Error(`"${key}" must be a text.`);
}

function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed) return resolve();
    output.once('drain', resolve).once('error', () => resolve());
  });
}
