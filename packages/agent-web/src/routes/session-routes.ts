import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { AgentError, isPermissionMode, type JsonObject, permissionModes } from '@robota-sdk/agent-core';
import {
  completeInput,
  type HostEnvironment,
  type InteractiveSession,
  modelInUse,
  rewindTurns,
} from '@robota-sdk/agent-sdk/front-end';
import type { WebReply, WebRequest, WebRoute } from '../contract/route.ts';
import type { CompletionsPage } from '../contract/session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { answerRoute } from './answer-route.ts';
import { bodyFields, bodyText, idOf } from './read-body.ts';
import { trustedDirectory } from './trusted-directory.ts';

const mostEntries = 500;
const usualEntries = 100;

/** Sessions: what they say, and everything a page does to one. */
export function sessionRoutes(live: LiveSessions, host: HostEnvironment): readonly WebRoute[] {
  return [
    get('/api/sessions/:id', (id) => live.page(id)),
    get('/api/sessions/:id/entries', (id, request) => live.entries(id, rangeOf(request))),
    { method: 'POST', path: '/api/sessions', handle: (request) => createSession(live, host, request) },
    post('/api/sessions/:id/prompt', async (id, body) => ({
      json: await live.send(id, { text: bodyText(body, 'text'), as: wayIn(body) }),
    })),
    post('/api/sessions/:id/stop', async (id) => {
      const session = live.peek(id);
      if (!session && (await live.holder(id)) === 'elsewhere') await live.open(id);
      await session?.abort();
      return { json: {} };
    }),
    post('/api/sessions/:id/model', async (id, body) => {
      await (await live.open(id)).setModel(bodyText(body, 'model'));
      live.changed(id);
      return { json: {} };
    }),
    post('/api/sessions/:id/mode', async (id, body) => {
      const mode = bodyText(body, 'mode');
      if (!isPermissionMode(mode))
        throw new AgentError('usage', `Unknown mode "${mode}". Available: ${permissionModes.join(', ')}.`);
      (await live.open(id)).permissions.choose(mode);
      return { json: {} };
    }),
    post('/api/sessions/:id/rewind', async (id, body) => {
      const json = await rewindSession(await live.open(id), body);
      live.changed(id);
      return { json };
    }),
    post('/api/sessions/:id/complete', async (id, body) => ({
      json: await pageCompletions(await live.open(id), bodyText(body, 'text')),
    })),
    post('/api/sessions/:id/queue/remove', (id, body) => removeQueued(live, id, bodyText(body, 'id'))),
    post('/api/sessions/:id/take-over', (id, body) => takeOver(live, id, body.stop === true)),
    answerRoute(live),
  ];
}

function get(path: WebRoute['path'], read: (id: string, request: WebRequest) => Promise<unknown>): WebRoute {
  return {
    method: 'GET',
    path,
    handle: async (request) => ({ json: await read(idOf(request.params.id), request) }),
  };
}

function post(path: WebRoute['path'], change: (id: string, body: JsonObject) => Promise<WebReply>): WebRoute {
  const handle = async ({ params, body }: WebRequest) => {
    try {
      return await change(idOf(params.id), bodyFields(body));
    } catch (thrown) {
      if (!AgentError.is(thrown) || thrown.code !== 'session-in-use') throw thrown;
      const { code, message } = thrown;
      return { json: { code, message, hint: 'Take it over, or continue there.' }, status: 409 };
    }
  };
  return { method: 'POST', path, handle };
}

async function createSession(
  live: LiveSessions,
  host: HostEnvironment,
  { body }: WebRequest,
): Promise<WebReply> {
  const fields = bodyFields(body);
  const prompt = bodyText(fields, 'prompt');
  const { cwd, config } = await trustedDirectory(bodyText(fields, 'cwd'), { live, host });
  // The settings of the directory may name a model; without any, there is one that needs no key.
  const usual = modelInUse(config).ok ? undefined : 'offline';
  const chosen = fields.model === undefined ? usual : bodyText(fields, 'model');
  const model = chosen === undefined ? {} : { model: chosen };
  return { json: { id: await live.create({ cwd, prompt, ...model }) }, status: 201 };
}

async function removeQueued(live: LiveSessions, id: string, queuedId: string): Promise<WebReply> {
  const session = live.peek(id);
  const queued = (await live.linked(id))?.facts().queue.findIndex((each) => each.id === queuedId) ?? -1;
  if (!session || queued < 0)
    return { json: { code: 'gone', message: 'The message is not queued any more.' }, status: 409 };
  const { steering } = session.queue;
  for (const [at, content] of session.cancelQueue().entries()) {
    if (at === queued) continue;
    if (at < steering.length) session.queue.steer(content);
    else session.queue.follow(content);
  }
  live.changed(id);
  return { json: {} };
}

async function takeOver(live: LiveSessions, id: string, stop: boolean): Promise<WebReply> {
  const outcome = await live.takeOver(id, { stop });
  if (outcome.isFree) return { json: {} };
  return { json: { code: outcome.why, message: outcome.text }, status: 409 };
}

function wayIn({ as }: JsonObject): 'prompt' | 'steer' | 'queue' {
  if (as === undefined || as === 'prompt') return 'prompt';
  if (as === 'steer' || as === 'queue') return as;
  throw new AgentError('usage', 'Expected "prompt", "steer" or "queue" as "as".');
}

function rangeOf({ query }: WebRequest): { readonly before?: string; readonly limit: number } {
  const limit = Number(query.get('limit') ?? usualEntries);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostEntries)
    throw new AgentError('usage', `limit must be a whole number from 1 to ${mostEntries}.`);
  const before = query.get('before');
  return before === null ? { limit } : { before, limit };
}

const mostCompletions = 50;

/** Completes what is typed on a page. Files are those of the project, without hidden ones; a terminal names any. */
async function pageCompletions(session: InteractiveSession, text: string): Promise<CompletionsPage> {
  const { start, items } = await completeInput(session, text);
  const root = await realpath(session.place.cwd);
  const shown = await Promise.all(
    items.slice(0, mostCompletions).map(async (item) => ((await isPrivate(item.value, root)) ? [] : [item])),
  );
  return { start, items: shown.flat() };
}

/** True for files outside of a folder, also behind a link in it, and for hidden ones; commands and agents are no files. */
async function isPrivate(value: string, root: string): Promise<boolean> {
  const path = value.replace(/^@(?:file:)?/, '').replaceAll('"', '');
  if (path.startsWith('~')) return true;
  const real = await realpath(resolve(root, path)).catch(() => undefined);
  return real !== undefined && [path, relative(root, real)].some(isHiddenOrOutside);
}

function isHiddenOrOutside(path: string): boolean {
  return resolve(path) === path || path.split(sep).some((part) => part.startsWith('.') && part !== '.');
}

const scopes = ['both', 'conversation', 'files'];

/** Goes back to before a prompt: as `/rewind` does on the branch that is shown, as `/tree` does on others. */
async function rewindSession(session: InteractiveSession, body: JsonObject): Promise<JsonObject> {
  const entry = bodyText(body, 'entry');
  const scope = bodyText(body, 'scope');
  if (!scopes.includes(scope))
    throw new AgentError('usage', `Expected one of ${scopes.join(', ')} as "scope".`);
  if (session.isRunning)
    throw new AgentError('session', 'A run is active.', { hint: 'Stop it before you go back.' });
  const turn = (await rewindTurns(session))?.find(({ entryId }) => entryId === entry);
  if (!turn) return moveBefore(session, entry);
  const result = await session.executeCommand('rewind', `${turn.number} ${scope}`);
  if (!result?.success) throw new AgentError('session', result?.message ?? 'Nothing was rewound.');
  return { message: result.message, ...(result.edit === undefined ? {} : { edit: result.edit }) };
}

async function moveBefore(session: InteractiveSession, entry: string): Promise<JsonObject> {
  const tree = session.branches.tree();
  const edit = tree.promptOf(entry);
  if (edit === undefined) throw new AgentError('usage', 'That prompt is not part of this session.');
  const { problem } = await session.moveTo(tree.view(entry)?.parentId ?? null, { summarize: false });
  if (problem !== undefined) throw new AgentError('session', problem);
  return { message: 'The conversation continues from before that prompt.', edit };
}
