import {
  type AssistantContent,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  storedArguments,
  toOwnCall,
  type UserContent,
} from '@robota-sdk/agent-core';
import { stringOf } from '../source/foreign-session.ts';
import { parseObject } from '../source/read-json-lines.ts';
import { codexTools } from './foreign-calls.ts';
import { imageContent, textContent } from './row-session.ts';

/** Messages that Codex puts into the user's mouth: surroundings, instructions, notices. */
const contexts =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|permissions instructions|collaboration_mode|subagent_notification|skill)\b|# AGENTS\.md instructions)/;

/** True if a message of the user is none. */
export function isContext({ content }: JsonObject): boolean {
  const blocks = codexContent(content);
  return blocks.length > 0 && blocks.every((block) => block.type === 'text' && contexts.test(block.text));
}

/** Content of the user, or of a result. */
export function codexContent(content: JsonValue | undefined): UserContent[] {
  if (typeof content === 'string') return textContent(content);
  if (!Array.isArray(content)) return [];
  return content.filter(isJsonObject).flatMap((block: JsonObject): UserContent[] => {
    if (typeof block.image_url === 'string') return imageContent(block.image_url);
    return textContent(stringOf(block.text));
  });
}

/** One item of an answer. */
export function answerContent(item: JsonObject): AssistantContent[] {
  switch (item.type) {
    case 'message':
      return textContent(textsIn(item.content).join('\n'));
    case 'reasoning':
      return thinking(item);
    case 'web_search_call':
      return search(item);
    default:
      return call(item);
  }
}

/** Our name for the tool of a call. */
export function nameOfCall(item: JsonObject): string {
  return ownCall(item).name;
}

/** The result of a call: text, images, and how a command exited. */
export function codexResult(output: JsonValue | undefined): {
  content: UserContent[];
  isError: boolean;
  exitCode?: number;
} {
  const stored = isJsonObject(output) ? output : parseObject(stringOf(output) ?? '');
  // Older versions wrap the output of a command into JSON.
  const inner = stored && (stored.output ?? stored.content) !== undefined ? stored : undefined;
  const content = codexContent(inner ? (inner.output ?? inner.content) : output);
  const exitCode = exitCodeOf(inner, content);
  const isError = inner?.success === false || (exitCode ?? 0) !== 0;
  return { content, isError, ...(exitCode === undefined ? {} : { exitCode }) };
}

function exitCodeOf(stored: JsonObject | undefined, content: readonly UserContent[]): number | undefined {
  const metadata = isJsonObject(stored?.metadata) ? stored.metadata : {};
  if (typeof metadata.exit_code === 'number') return metadata.exit_code;
  const [first] = content;
  const head = first?.type === 'text' ? first.text.slice(0, 300) : '';
  const found = /^(?:Exit code: |Process exited with code )(\d{1,5})$/m.exec(head)?.[1];
  return found === undefined ? undefined : Number(found);
}

function textsIn(content: JsonValue | undefined): string[] {
  if (!Array.isArray(content)) return [];
  return content.filter(isJsonObject).flatMap((block: JsonObject) => stringOf(block.text) ?? []);
}

/** Encrypted thinking goes back to the model that made it, in the shape in which its vendor gives it. */
function thinking({ summary, content, encrypted_content: encrypted }: JsonObject): AssistantContent[] {
  const texts = textsIn(summary);
  const text = (texts.length > 0 ? texts : textsIn(content)).join('\n\n');
  const kept = Array.isArray(summary) ? summary : [];
  const sealed =
    typeof encrypted === 'string' && encrypted !== ''
      ? { vendorData: { type: 'reasoning', summary: kept, encrypted_content: encrypted } }
      : undefined;
  if (text === '' && sealed === undefined) return [];
  return [{ type: 'thinking', text, ...(text === '' ? { redacted: true } : {}), ...sealed }];
}

function search({ id, ...item }: JsonObject): AssistantContent[] {
  const action = isJsonObject(item.action) ? item.action : {};
  const summary = stringOf(action.query) ?? stringOf(action.url) ?? '';
  return [
    {
      type: 'server-tool',
      phase: 'call',
      name: 'web_search',
      id: stringOf(id) ?? '',
      summary,
      vendorData: item,
    },
  ];
}

function call(item: JsonObject): AssistantContent[] {
  const id = stringOf(item.call_id) ?? stringOf(item.id);
  return id === undefined ? [] : [{ type: 'tool-call', id, ...ownCall(item) }];
}

function ownCall({ type, name, namespace, arguments: written, input, action }: JsonObject) {
  if (type === 'local_shell_call') return toOwnCall(codexTools, 'shell', isJsonObject(action) ? action : {});
  const plain = stringOf(name) ?? '';
  if (type === 'custom_tool_call') return { name: plain, input: { input: stringOf(input) ?? '' } };
  const full = typeof namespace === 'string' && namespace !== '' ? `${namespace}__${plain}` : plain;
  return toOwnCall(codexTools, full, storedArguments(written));
}
