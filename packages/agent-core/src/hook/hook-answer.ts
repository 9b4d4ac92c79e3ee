import { decodeJson, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../shape/json.ts';

/** The answer of a hook, for any executor. An empty answer changes nothing. */
export interface HookAnswer {
  /** Refuses the action, with this reason. */
  readonly block?: string;
  /** Ends the run, with this reason. */
  readonly stop?: string;
  readonly verdict?: 'allow' | 'ask' | 'deny';
  /** Explains the verdict. */
  readonly reason?: string;
  /** Replaces the input of a tool. */
  readonly input?: JsonObject;
  /** Replaces the output of a tool. */
  readonly output?: string;
  /** Fields of the answer that have no effect here. */
  readonly unsupported?: readonly string[];
  /** For the model. */
  readonly context?: string;
  /** A message for the user. */
  readonly message?: string;
  /** Printed text that is not a JSON answer; some events use it as context. */
  readonly text?: string;
  /** A problem of a hook that did not fail. */
  readonly warning?: string;
  /** Set while the hook continues in the background: its answer when it ends. */
  readonly later?: Promise<HookAnswer>;
}

/** The reason of a hook that gives none. */
export const noReason = 'it gave no reason';

/** Longer hook texts are cut. */
const maxTextLength = 30_000;

/** Parses a hook's output: JSON if it starts with `{`, otherwise plain text. Throws on invalid JSON. */
export function parseHookOutput(output: string): HookAnswer {
  const text = output.trim();
  if (text === '') return {};
  if (!text.startsWith('{')) return { text: cut(text) };
  return answerOf(parseObject(text));
}

/** The time limit in seconds if this first line announces a background hook; otherwise undefined. */
export function backgroundLimit(line: string, usual: number): number | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  const value = parseJson(line);
  if (!isJsonObject(value) || value.async !== true) return undefined;
  const { asyncTimeout } = value;
  return typeof asyncTimeout === 'number' && asyncTimeout > 0 ? asyncTimeout / 1000 : usual;
}

/** Parses the output of a background hook: one JSON object, or the first line that is one. */
export function parseLateOutput(output: string): HookAnswer {
  const text = output.trim();
  const line = text.split('\n').find((each) => each.trimStart().startsWith('{'));
  if (line === undefined) return {};
  try {
    return answerOf(parseObject(text));
  } catch {
    return answerOf(parseObject(line));
  }
}

/** Parses a model's verdict: `{"ok": …, "reason": …}`, possibly in a code fence or after other text. */
export function parseVerdict(reply: string): HookAnswer {
  const object = reply.slice(Math.max(reply.indexOf('{'), 0), reply.lastIndexOf('}') + 1);
  if (!object.startsWith('{')) throw new Error(`expected {"ok": true} or {"ok": false, "reason": "…"}`);
  const value = parseObject(object);
  if (typeof value.ok !== 'boolean') throw new Error('the field "ok" is missing in its verdict');
  return answerOf(value);
}

function parseObject(text: string): JsonObject {
  const read = decodeJson(text);
  if (!read.ok) throw new Error(`it answered with invalid JSON (${read.error})`);
  if (isJsonObject(read.value)) return read.value;
  throw new Error('it answered with JSON that is not an object');
}

function answerOf(value: JsonObject): HookAnswer {
  const specific = isJsonObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
  const reason = textIn(specific.permissionDecisionReason) ?? textIn(value.reason);
  const context = textIn(specific.additionalContext) ?? textIn(value.additionalContext);
  const message = textIn(value.systemMessage);
  const output = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
  const unsupported = [
    ...unknownIn(value, answerFields),
    ...unknownIn(specific, specificFields, 'hookSpecificOutput.'),
    ...(isJsonObject(specific.decision) ? unknownIn(specific.decision, decisionFields, 'decision.') : []),
  ];
  const stopReason = textIn(value.stopReason) ?? reason ?? noReason;
  return {
    ...(value.continue === false ? { stop: stopReason } : {}),
    ...decisionOf(value, specific, reason),
    ...(isJsonObject(specific.updatedInput) ? { input: specific.updatedInput } : {}),
    ...(output === undefined || output === null ? {} : { output: outputText(output) }),
    ...(unsupported.length === 0 ? {} : { unsupported }),
    ...(context === undefined ? {} : { context }),
    ...(message === undefined ? {} : { message }),
  };
}

const fieldSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** The fields of Claude Code's answers that have an effect here, or say nothing that could be missed. */
const answerFields = fieldSet(
  'continue stopReason suppressOutput systemMessage decision reason hookSpecificOutput additionalContext ok async asyncTimeout',
);
const specificFields = fieldSet(
  'hookEventName permissionDecision permissionDecisionReason updatedInput additionalContext decision updatedToolOutput updatedMCPToolOutput',
);
const decisionFields = fieldSet('behavior message updatedInput');

function unknownIn(value: JsonObject, known: ReadonlySet<string>, prefix = ''): string[] {
  return Object.keys(value).flatMap((key) => (known.has(key) ? [] : [`${prefix}${key}`]));
}

/** The text of a tool's output as hooks write it: a text, the result of a command, blocks, or a file. */
function outputText(output: JsonValue): string {
  if (typeof output === 'string') return output;
  const blocks = Array.isArray(output) ? output : isJsonObject(output) ? output.content : undefined;
  if (typeof blocks === 'string') return blocks;
  if (Array.isArray(blocks)) {
    const texts = blocks.flatMap((block: JsonValue) =>
      isJsonObject(block) && typeof block.text === 'string' ? [block.text] : [],
    );
    if (texts.length > 0) return texts.join('\n');
  }
  if (!isJsonObject(output)) return JSON.stringify(output);
  const { stdout, stderr, file, text } = output;
  const streams = [stdout, stderr].filter((each) => typeof each === 'string');
  if (streams.length > 0) return streams.filter((each) => each !== '').join('\n');
  if (typeof text === 'string') return text;
  if (isJsonObject(file) && typeof file.content === 'string') return file.content;
  return JSON.stringify(output, null, 2);
}

const verdicts: Readonly<Record<string, NonNullable<HookAnswer['verdict']>>> = {
  allow: 'allow',
  approve: 'allow',
  ask: 'ask',
  defer: 'ask',
  deny: 'deny',
};

function decisionOf(value: JsonObject, specific: JsonObject, reason: string | undefined): HookAnswer {
  const refusal = { block: reason ?? noReason };
  if (value.ok === false) return refusal;
  if (isJsonObject(specific.decision)) return requestDecision(specific.decision);
  const decision = specific.permissionDecision ?? value.decision;
  if (decision === undefined || decision === null) return {};
  if (decision === 'block') return refusal;
  const verdict = typeof decision === 'string' ? verdicts[decision] : undefined;
  if (verdict === undefined)
    throw new Error(`it answered with the unknown decision ${JSON.stringify(decision)}`);
  return { verdict, ...(reason === undefined ? {} : { reason }) };
}

/** The answer to a permission request: `{"behavior": "allow"}` or `{"behavior": "deny", "message": "…"}`. */
function requestDecision({ behavior, message, updatedInput }: JsonObject): HookAnswer {
  const reason = textIn(message);
  const input = isJsonObject(updatedInput) ? { input: updatedInput } : {};
  if (behavior === 'allow' || behavior === 'deny')
    return { verdict: behavior, ...(reason === undefined ? {} : { reason }), ...input };
  throw new Error(`it answered with the unknown behavior ${JSON.stringify(behavior)}`);
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? cut(value) : undefined;
}

function cut(text: string): string {
  if (text.length <= maxTextLength) return text;
  return `${text.slice(0, maxTextLength)}\n[the rest was cut off: ${text.length - maxTextLength} characters]`;
}
