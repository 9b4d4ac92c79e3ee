import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  AgentError,
  callServerTool,
  callTool,
  completePath,
  conversationText,
  editSetting,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  openRegularFile,
  thinkingOfEffort,
} from '@robota-sdk/agent-sdk/front-end';
import { type ControlHandler, type ControlSubject, requiredText } from './control-subject.ts';
import { hooksListing } from './hooks-listing.ts';

/** Requests of editors and other hosts: texts, files, settings and tasks beside the conversation. */
export const hostRequests: Readonly<Record<string, ControlHandler>> = {
  side_question: async ({ session }, { question }, signal) => ({
    response: await run(session, ['btw', requiredText('side_question', 'question', question)], signal),
    synthetic: false,
  }),
  export_conversation: async ({ session }) => {
    const { text, fileName } = await conversationText(session);
    return { text, default_filename: fileName };
  },
  get_session_cost: async ({ session }) => ({ text: await run(session, ['cost', '']) }),
  get_status: async (subject) => ({ sections: [{ title: 'Session', rows: statusRows(subject) }] }),
  get_hooks_listing: async ({ session }) => hooksListing(session),
  update_settings: updateSettings,
  seed_read_state: seedReadState,
  read_file: readForHost,
  file_suggestions: async ({ session }, { query }) => {
    const found = await completePath(session, typeof query === 'string' ? query : '');
    return { suggestions: found.map(({ value }) => ({ path: value })), cwd: session.place.cwd };
  },
  get_task_output: taskOutput,
  mcp_call: callMcpTool,
  register_repo_root: async ({ session }, { directory }) => {
    await run(session, ['add-dir', requiredText('register_repo_root', 'directory', directory)]);
    return {};
  },
  // The colour of a session concerns the host alone.
  set_color: async () => ({}),
  // Lines are never held back, so there is nothing to change.
  set_has_subscribers: async (_, { has_subscribers: watched }) => {
    if (watched === null || typeof watched === 'boolean') return {};
    throw new AgentError('usage', 'set_has_subscribers needs "has_subscribers": true, false or null.');
  },
};

/** Runs a command of ours for a program, and gives its text. */
async function run(
  session: InteractiveSession,
  [name, args]: readonly [string, string],
  signal?: AbortSignal,
): Promise<string> {
  const result = await session.executeCommand(name, args, signal ? { signal } : {});
  if (result?.success) return result.message;
  throw new AgentError('usage', result?.message ?? `This session has no /${name}.`);
}

function statusRows({ session, version }: ControlSubject): JsonObject[] {
  const { model, permissions, place } = session;
  const rows = {
    Version: version,
    'Session ID': session.id,
    Directory: place.cwd,
    Model: `${model.vendor}/${model.id}`,
    'Permission mode': permissions.dontAsk ? 'dontAsk' : permissions.mode,
  };
  return Object.entries(rows).map(([label, value]) => ({ label, value }));
}

const scopes: Readonly<Record<string, 'user' | 'local'>> = { userSettings: 'user', localSettings: 'local' };

/** Writes a setting into a file: the level of thinking, or the output style, of which there is one. The open session stays as it is. */
async function updateSettings({ session }: ControlSubject, { source, settings }: JsonObject) {
  const scope = typeof source === 'string' ? scopes[source] : undefined;
  if (scope === undefined || !isJsonObject(settings))
    throw new AgentError(
      'usage',
      'update_settings needs "source" (userSettings or localSettings) and "settings".',
    );
  const { effortLevel, outputStyle, ...rest } = settings;
  const others = Object.keys(rest);
  if (others.length > 0)
    throw new AgentError(
      'usage',
      `update_settings writes effortLevel and outputStyle, not ${others.join(', ')}.`,
    );
  if (outputStyle !== undefined && outputStyle !== 'default')
    throw new AgentError('usage', 'There is one output style: default.');
  if (effortLevel === undefined) return {};
  const level = typeof effortLevel === 'string' ? thinkingOfEffort(effortLevel) : undefined;
  if (level === undefined)
    throw new AgentError('usage', `Unknown effortLevel ${JSON.stringify(effortLevel)}.`);
  await editSetting({ path: ['thinking'], scope, action: 'set', text: level }, session.place);
  return {};
}

/** Reads a file on behalf of the model, as the program says that it did before; one that changed since is left to the model. */
async function seedReadState({ session }: ControlSubject, { path, mtime }: JsonObject) {
  const file = resolve(session.place.cwd, requiredText('seed_read_state', 'path', path));
  if (typeof mtime !== 'number') throw new AgentError('usage', 'seed_read_state needs "mtime".');
  const { mtimeMs } = await stat(file);
  if (Math.floor(mtimeMs) > Math.floor(mtime)) return {};
  const signal = new AbortController().signal;
  const { isError, content } = await callTool(session, { name: 'Read', input: { file_path: file }, signal });
  const [first] = content;
  if (isError) throw new AgentError('tool', first?.type === 'text' ? first.text : `${file} cannot be read.`);
  return {};
}

const mostBytes = 1024 * 1024;

/** A file for the host, under the rules of Read; what would need a question is refused. */
async function readForHost({ session }: ControlSubject, request: JsonObject) {
  const path = resolve(session.place.cwd, requiredText('read_file', 'path', request.path));
  const { verdict, reason } = await session.permissions.check({ tool: 'Read', path });
  if (verdict !== 'allow') throw new AgentError('usage', reason);
  const wanted = typeof request.max_bytes === 'number' ? Math.floor(request.max_bytes) : mostBytes;
  const room = Math.max(0, Math.min(wanted, 64 * mostBytes));
  const handle = await openRegularFile(path);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(room, size)), { position: 0 });
    const isBase64 = request.encoding === 'base64';
    return {
      contents: buffer.toString(isBase64 ? 'base64' : 'utf8', 0, bytesRead),
      absPath: path,
      ...(size > bytesRead ? { truncated: true } : {}),
      ...(isBase64 ? { encoding: 'base64' } : {}),
    };
  } finally {
    await handle.close();
  }
}

const longestTail = 8 * 1024;

/** The end of what a background task wrote. */
async function taskOutput({ session }: ControlSubject, { task_id: id }: JsonObject) {
  const task = session.tasks.require(requiredText('get_task_output', 'task_id', id));
  const size =
    task.logPath === undefined ? 0 : ((await stat(task.logPath).catch(() => undefined))?.size ?? 0);
  const { text } = await session.tasks.readLog(task.id, { offset: Math.max(0, size - longestTail) });
  const bytes = Buffer.from(text);
  const total = task.logPath === undefined ? bytes.length : size;
  const output = bytes
    .subarray(-longestTail)
    .toString('utf8')
    .replace(/^\uFFFD+/, '');
  return { output, total_bytes: total, truncated: total > longestTail };
}

/** Calls a tool of an MCP server for the host, which asks for it itself: only what is denied is refused. */
async function callMcpTool(
  { session }: ControlSubject,
  { tool: name, arguments: given }: JsonObject,
  signal?: AbortSignal,
) {
  const tool = requiredText('mcp_call', 'tool', name);
  const { verdict, reason } = await session.permissions.check({ tool });
  if (verdict === 'deny') throw new AgentError('usage', reason);
  const text = await callServerTool(session, { tool, arguments: isJsonObject(given) ? given : {} }, signal);
  return { content: [{ type: 'text', text }], isError: false };
}
