import {
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  writeTitle,
} from '@robota-sdk/agent-sdk/front-end';
import { type ControlHandler, type ControlSubject, requiredText, settingsSource } from './control-subject.ts';
import { workspaceDiff } from './workspace-diff.ts';

/** Requests about the session itself. */
export const sessionRequests: Readonly<Record<string, ControlHandler>> = {
  get_settings: async (subject) => settingsOf(subject),
  list_permission_rules: async (subject) => ({ state: rulesOf(subject) }),
  rename_session: async ({ session }, { title }) => {
    await session.branches.setName(requiredText('rename_session', 'title', title));
    return {};
  },
  generate_session_title: generateTitle,
  get_plan: async ({ session }) => planOf(session),
  get_workspace_diff: async ({ session }) => workspaceDiff(session),
  get_binary_version: async ({ version }) => ({ version }),
  background_tasks: async ({ session }) => ({ backgrounded: session.tasks.moveToBackground() > 0 }),
};

/** The plan that was presented last, or approved, perhaps with changes of the user. */
function planOf(session: InteractiveSession): JsonObject {
  const calls = session
    .getMessages()
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .filter((block) => block.type === 'tool-call');
  const last = calls.findLast(({ name }) => name === 'ExitPlanMode')?.input;
  const presented = isJsonObject(last) && typeof last.plan === 'string' ? last.plan : undefined;
  const content = session.permissions.mode === 'plan' ? presented : (session.context.plan ?? presented);
  return content === undefined ? { exists: false } : { exists: true, content };
}

const longestTitle = 60;

/** Titles the session by what was said, or by a description where there is no small model; kept unless `persist` is false. */
async function generateTitle(
  { session }: ControlSubject,
  { description, persist }: JsonObject,
): Promise<JsonObject> {
  const described = typeof description === 'string' ? description.trim().replace(/\s+/g, ' ') : '';
  const written = await writeTitle(session, new AbortController().signal);
  const title = written ?? ([...described].slice(0, longestTitle).join('') || null);
  if (title !== null && persist !== false) await session.branches.setName(title);
  return { title };
}

/** Settings that are in force, in the names of the requests that change them. */
function settingsOf({ session }: ControlSubject): JsonObject {
  const { model, thinking, permissions } = session;
  const name = `${model.vendor}/${model.id}`;
  const texts = (kind: 'allow' | 'ask' | 'deny') => permissions.rules[kind].map(({ text }) => text);
  const defaultMode = permissions.dontAsk ? 'dontAsk' : permissions.mode;
  return {
    effective: {
      model: name,
      effortLevel: thinking,
      permissions: {
        defaultMode,
        allow: texts('allow'),
        ask: texts('ask'),
        deny: texts('deny'),
        additionalDirectories: [...permissions.directories],
      },
    },
    sources: [],
    applied: { model: name, effort: thinking },
    errors: [],
  };
}

/** The rules of a session, each with the file or the flag that it is from. */
function rulesOf({ session }: ControlSubject): JsonObject {
  const { rules, directories } = session.permissions;
  const entries = (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
    rules[behavior].map(({ text, origin }) => ({
      behavior,
      rule: text,
      source: settingsSource(origin.source, session.place.cwd),
      origin: origin.line === undefined ? origin.source : `${origin.source}:${origin.line}`,
      editability: 'readonly',
    })),
  );
  return {
    rules: entries,
    workspaceDirectories: directories.map((path) => ({ path, source: 'session' })),
    originalCwd: session.place.cwd,
    managedOnly: false,
  };
}
