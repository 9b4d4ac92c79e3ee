import { basename } from 'node:path';
import { given, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@robota-sdk/agent-core';
import { httpFetch } from '@robota-sdk/agent-http';
import {
  countIn,
  headersOf,
  listAddress,
  readLimited,
  rowsIn,
  type ServerAddress,
  serverInRow,
  windowInRow,
} from './list-models.ts';

/** A model as its server runs it. */
export interface ServedModel {
  /** Tokens that fit it. */
  readonly tokens: number;
  /** The trained context size, where the server tells it. */
  readonly trained?: number;
  /** The server program, which decides how to raise the limit. */
  readonly server: 'ollama' | 'llama.cpp' | 'lmstudio' | 'vllm' | 'other';
  /** The name of the model that a server of one model has loaded. */
  readonly name?: string;
  /** The server did not say the window: it is what such servers do. */
  readonly isAssumed?: boolean;
  /** True if it sees images; unknown where absent, as for the two below. */
  readonly images?: boolean;
  /** True if its template has tools. */
  readonly tools?: boolean;
  /** `effort`: it thinks as much as it is told to. */
  readonly thinking?: 'none' | 'adaptive' | 'effort' | 'always';
}

export interface ServedQuestion {
  readonly address: ServerAddress;
  readonly model: string;
  /** A server that any user may run has other ways to ask it. */
  readonly isOwn: boolean;
  /** How long an answer may take, in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Answers of the server so far, where it is asked about several models; each question about it is sent once. */
  readonly asked?: Map<string, Promise<JsonObject | undefined>>;
}

const defaultPatienceMs = 5_000;
/** Ollama's default context size. */
const ollamaDefault = 4_096;

/** Asks a server how it runs a model; nothing where it does not tell. */
export async function describeServed(question: ServedQuestion): Promise<ServedModel | undefined> {
  const found = await Promise.all(waysOf(question).map((way) => way(question)));
  return found.find((served) => served !== undefined);
}

type Way = (question: ServedQuestion) => Promise<ServedModel | undefined>;

function waysOf({ address, isOwn, asked }: ServedQuestion): readonly Way[] {
  if (address.api === 'ollama') return [ofOllama];
  if (!isOwn) return [ofList];
  // The list was read before the models in it are asked about.
  return asked ? [ofOllama, ofLlamaCpp, ofLmStudio] : [ofOllama, ofLlamaCpp, ofLmStudio, ofList];
}

async function ofOllama(question: ServedQuestion): Promise<ServedModel | undefined> {
  const { model, asked } = question;
  if (asked && !(await ask(question, '/api/ps'))) return undefined;
  const [shown, running] = await Promise.all([
    ask(question, '/api/show', { model }),
    ask(question, '/api/ps'),
  ]);
  if (!isJsonObject(shown?.model_info)) return undefined;
  const trained = countIn(
    Object.entries(shown.model_info).find(([key]) => key.endsWith('.context_length'))?.[1],
  );
  const loaded = rowsOf(running, 'models').find(
    ({ name, model: id }) => sameOllamaModel(model, name) || sameOllamaModel(model, id),
  );
  const written = /^num_ctx\s+(\d+)/m.exec(String(shown.parameters ?? ''))?.[1];
  const told = countIn(loaded?.context_length) ?? countIn(Number(written));
  const tokens = told ?? Math.min(ollamaDefault, trained ?? ollamaDefault);
  return {
    tokens,
    server: 'ollama',
    ...(trained === undefined ? {} : { trained }),
    ...(told === undefined ? { isAssumed: true } : {}),
    ...ollamaAbilities(shown),
  };
}

/** Older servers do not list what a model can do. */
function ollamaAbilities({ capabilities, details }: JsonObject): Partial<ServedModel> {
  if (!Array.isArray(capabilities)) return {};
  const isGraded = isJsonObject(details) && details.family === 'gptoss';
  const thinking = isGraded ? 'effort' : 'adaptive';
  return {
    images: capabilities.includes('vision'),
    tools: capabilities.includes('tools'),
    thinking: capabilities.includes('thinking') ? thinking : 'none',
  };
}

function sameOllamaModel(wanted: string, name: JsonValue | undefined): boolean {
  return name === wanted || name === `${wanted}:latest`;
}

async function ofLlamaCpp(question: ServedQuestion): Promise<ServedModel | undefined> {
  if (question.asked && !(await isLlamaCpp(question, question.asked))) return undefined;
  // A router of several models wants the name; a single server ignores it.
  const props = await ask(question, `/props?model=${encodeURIComponent(question.model)}`);
  const settings = props?.default_generation_settings;
  const tokens = countIn(isJsonObject(settings) ? settings.n_ctx : undefined) ?? countIn(props?.n_ctx);
  if (tokens === undefined || props === undefined) return undefined;
  const { modalities, chat_template_caps: caps, chat_template: template } = props;
  return {
    tokens,
    server: 'llama.cpp',
    ...given('name', loadedName(props)),
    ...(typeof template === 'string' ? { thinking: thinkingIn(template) } : {}),
    ...(isJsonObject(modalities) && typeof modalities.vision === 'boolean'
      ? { images: modalities.vision }
      : {}),
    ...(isJsonObject(caps) && typeof caps.supports_tools === 'boolean' ? { tools: caps.supports_tools } : {}),
  };
}

/** A server that does not answer for the first model is another program. */
function isLlamaCpp(
  question: ServedQuestion,
  asked: NonNullable<ServedQuestion['asked']>,
): Promise<JsonObject | undefined> {
  const known = asked.get('/props');
  const answer = known ?? ask(question, `/props?model=${encodeURIComponent(question.model)}`);
  asked.set('/props', answer);
  return answer;
}

/** Its alias, or else its file. */
function loadedName({ model_alias: alias, model_path: path }: JsonObject): string | undefined {
  const name = [alias, path].find((each) => typeof each === 'string' && each !== '');
  return typeof name === 'string' ? basename(name.replaceAll('\\', '/'), '.gguf') : undefined;
}

/** A template with a switch can be told not to think; one that only has the tags thinks always. */
function thinkingIn(template: string): NonNullable<ServedModel['thinking']> {
  if (template.includes('enable_thinking')) return 'adaptive';
  return template.includes('</think>') ? 'always' : 'none';
}

/** The list of LM Studio's own API: since version 0.4, or the one before that. */
async function ofLmStudio(question: ServedQuestion): Promise<ServedModel | undefined> {
  const { model } = question;
  const [now, before] = await Promise.all([ask(question, '/api/v1/models'), ask(question, '/api/v0/models')]);
  const row = rowsOf(now, 'models').find(
    (each) => each.key === model || rowsOf(each, 'loaded_instances').some(({ id }) => id === model),
  );
  const older = rowsOf(before, 'data').find(({ id }) => id === model);
  const trained = countIn(row?.max_context_length ?? older?.max_context_length);
  const tokens = instanceWindow(row, model) ?? countIn(older?.loaded_context_length) ?? trained;
  if (tokens === undefined) return undefined;
  const { capabilities } = row ?? {};
  return {
    tokens,
    server: 'lmstudio',
    ...(trained === undefined ? {} : { trained }),
    ...(isJsonObject(capabilities) && typeof capabilities.vision === 'boolean'
      ? { images: capabilities.vision }
      : {}),
  };
}

/** The window of a loaded model; of several instances, that of the named one, or else the smallest. */
function instanceWindow(row: JsonObject | undefined, model: string): number | undefined {
  const instances = rowsOf(row, 'loaded_instances');
  const named = instances.filter(({ id }) => id === model);
  const windows = (named.length > 0 ? named : instances).flatMap(
    ({ config }) => countIn(isJsonObject(config) ? config.context_length : undefined) ?? [],
  );
  return windows.length === 0 ? undefined : Math.min(...windows);
}

/** Many servers say it in the list of their models: vLLM, OpenRouter, Groq, Google and others. */
async function ofList({ address, model, patienceMs }: ServedQuestion): Promise<ServedModel | undefined> {
  const rows = rowsIn(await textAt(listAddress(address), { address, patienceMs }));
  const row = rows.find(({ id, name }) => id === model || name === model || name === `models/${model}`);
  const tokens = row && windowInRow(row);
  return tokens === undefined ? undefined : { tokens, server: serverInRow(row) };
}

function rootOf({ baseUrl }: ServerAddress): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}

function rowsOf(answer: JsonObject | undefined, field: string): readonly JsonObject[] {
  const rows = answer?.[field];
  return Array.isArray(rows) ? rows.filter(isJsonObject) : [];
}

/** The JSON object a server answers at an address below its root; undefined for anything else. */
function ask(question: ServedQuestion, path: string, body?: JsonObject): Promise<JsonObject | undefined> {
  const url = `${rootOf(question.address)}${path}`;
  const known = body ? undefined : question.asked?.get(url);
  if (known !== undefined) return known;
  const answer = textAt(url, question, body).then((text) => {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  });
  if (!body) question.asked?.set(url, answer);
  return answer;
}

/** The text of an answer; empty where there is none. */
async function textAt(
  url: string,
  { address, patienceMs = defaultPatienceMs }: Pick<ServedQuestion, 'address' | 'patienceMs'>,
  body?: JsonObject,
): Promise<string> {
  try {
    const response = await httpFetch(url, {
      headers: { ...(await headersOf(address)), ...(body ? { 'content-type': 'application/json' } : {}) },
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const text = await readLimited(response);
    return response.ok ? text : '';
  } catch {
    return '';
  }
}
