import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { httpFetch } from '@robota-sdk/agent-http';
import { headersOf, listAddress, readLimited, type ServerAddress } from './list-models.ts';

/** How much fits a model as its server runs it. */
export interface ServerWindow {
  /** Tokens. */
  readonly tokens: number;
  /** The trained context size, if the server uses less. */
  readonly trained?: number;
  /** The server program, which decides how to raise the limit. */
  readonly server: 'ollama' | 'llama.cpp' | 'lmstudio' | 'other';
  /** The server did not say it: it is what such servers do. */
  readonly isAssumed?: boolean;
}

export interface WindowQuestion {
  readonly address: ServerAddress;
  readonly model: string;
  /** A server that anybody may run has other ways to ask it. */
  readonly isOwn: boolean;
}

const patienceMs = 5_000;
/** Ollama's default context size. */
const ollamaDefault = 4_096;

/** Asks a server for the window it really gives a model; nothing where it does not tell. */
export async function findWindow(question: WindowQuestion): Promise<ServerWindow | undefined> {
  const ways = question.isOwn ? [ofOllama, ofLlamaCpp, ofLmStudio, ofList] : [ofList];
  const found = await Promise.all(ways.map((way) => way(question)));
  return found.find((window) => window !== undefined);
}

async function ofOllama({ address, model }: WindowQuestion): Promise<ServerWindow | undefined> {
  const root = rootOf(address);
  const shown = await ask(address, `${root}/api/show`, { model });
  if (!isJsonObject(shown?.model_info)) return undefined;
  const trained = countIn(
    Object.entries(shown.model_info).find(([key]) => key.endsWith('.context_length'))?.[1],
  );
  const running = rowsOf(await ask(address, `${root}/api/ps`), 'models').find(
    ({ name, model: id }) => sameOllamaModel(model, name) || sameOllamaModel(model, id),
  );
  const written = /^num_ctx\s+(\d+)/m.exec(String(shown.parameters ?? ''))?.[1];
  const told = countIn(running?.context_length) ?? countIn(Number(written));
  const tokens = told ?? Math.min(ollamaDefault, trained ?? ollamaDefault);
  return {
    tokens,
    server: 'ollama',
    ...(trained === undefined ? {} : { trained }),
    ...(told === undefined ? { isAssumed: true } : {}),
  };
}

function sameOllamaModel(wanted: string, name: JsonValue | undefined): boolean {
  return name === wanted || name === `${wanted}:latest`;
}

async function ofLlamaCpp({ address }: WindowQuestion): Promise<ServerWindow | undefined> {
  const props = await ask(address, `${rootOf(address)}/props`);
  const settings = props?.default_generation_settings;
  const tokens = countIn(isJsonObject(settings) ? settings.n_ctx : undefined) ?? countIn(props?.n_ctx);
  return tokens === undefined ? undefined : { tokens, server: 'llama.cpp' };
}

async function ofLmStudio({ address, model }: WindowQuestion): Promise<ServerWindow | undefined> {
  const row = rowsOf(await ask(address, `${rootOf(address)}/api/v0/models`), 'data').find(
    ({ id }) => id === model,
  );
  const trained = countIn(row?.max_context_length);
  const tokens = countIn(row?.loaded_context_length) ?? trained;
  if (tokens === undefined) return undefined;
  return { tokens, server: 'lmstudio', ...(trained === undefined ? {} : { trained }) };
}

const listFields = [
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'inputTokenLimit',
];

/** Many servers say it in the list of their models: vLLM, OpenRouter, Groq, Google and others. */
async function ofList({ address, model }: WindowQuestion): Promise<ServerWindow | undefined> {
  const list = await ask(address, listAddress(address));
  const rows = [...rowsOf(list, 'data'), ...rowsOf(list, 'models')];
  const row = rows.find(({ id, name }) => id === model || name === model || name === `models/${model}`);
  const tokens = listFields.map((field) => countIn(row?.[field])).find((count) => count !== undefined);
  return tokens === undefined ? undefined : { tokens, server: 'other' };
}

function rootOf({ baseUrl }: ServerAddress): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
}

function rowsOf(answer: JsonObject | undefined, field: string): readonly JsonObject[] {
  const rows = answer?.[field];
  return Array.isArray(rows) ? rows.filter(isJsonObject) : [];
}

function countIn(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** The JSON object a server answers; undefined for anything else. */
async function ask(address: ServerAddress, url: string, body?: JsonObject): Promise<JsonObject | undefined> {
  try {
    const response = await httpFetch(url, {
      headers: {
        ...(await headersOf(address)),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    const text = await readLimited(response);
    const answer: unknown = response.ok ? JSON.parse(text) : undefined;
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
