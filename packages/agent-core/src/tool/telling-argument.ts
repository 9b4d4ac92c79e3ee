import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';
import { toolAlias } from './tool-aliases.ts';

/** The arguments that best describe a call of a built-in tool, the best first. */
const tellingKeys: Readonly<Record<string, readonly string[]>> = {
  bash: ['command'],
  read: ['file_path', 'path'],
  write: ['file_path', 'path'],
  edit: ['file_path', 'path', 'notebook_path'],
  glob: ['pattern', 'path'],
  grep: ['pattern'],
  webfetch: ['url'],
  websearch: ['query'],
  agent: ['description', 'prompt'],
  skill: ['skill', 'command'],
  askuser: ['question'],
};

/** The same for other tools; the action comes before its description. */
const usualKeys = ['command', 'file_path', 'pattern', 'url', 'query', 'path'];

/** The argument that best describes a call, in any order of arguments; the first scalar if none is known. */
export function tellingArgument(call: { readonly name: string; readonly input: JsonValue }): string {
  const { input } = call;
  if (!isJsonObject(input)) return textOfValue(input);
  const keys = Object.hasOwn(tellingKeys, keyOf(call.name)) ? tellingKeys[keyOf(call.name)] : usualKeys;
  const key = keys?.find((one) => typeof input[one] === 'string' && input[one] !== '');
  if (key !== undefined) return String(input[key]);
  const values = Object.values(input);
  return jobText(input) ?? textOfValue(values.find((value) => typeof value !== 'object') ?? values[0]);
}

/** Normalizes tool names of Robota, Claude Code, pi and XNL. */
function keyOf(name: string): string {
  return toolAlias(name.replace(/^SysBuiltIn\./, '')).tool.toLowerCase();
}

/** The action on a background job. */
function jobText({ job }: JsonObject): string | undefined {
  if (!isJsonObject(job) || typeof job['action'] !== 'string') return undefined;
  return job['id'] === undefined ? job['action'] : `${job['action']} bash-${textOfValue(job['id'])}`;
}

function textOfValue(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
