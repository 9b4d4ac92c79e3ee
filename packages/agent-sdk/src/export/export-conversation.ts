import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import {
  AgentError,
  type CommandContext,
  type CommandOutcome,
  createRedactor,
  type Redactor,
} from '@robota-sdk/agent-core';
import { exportSession, exportTarget, writeExport } from '@robota-sdk/agent-export';
import { type ExportedSession, MemorySessionStore } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';

const flags = ['--all-branches', '--raw', '--force'];

/** `/export`: writes the current session, and asks before replacing a file. */
export async function exportConversation(
  args: string,
  context: CommandContext<InteractiveSession>,
): Promise<CommandOutcome> {
  const { output, given } = readArguments(args);
  const session = await exportedSession(context.session);
  const { file, format } = exportTarget({ session, cwd: context.session.kept.cwd, output });
  if (file === undefined) return { kind: 'error', text: 'Here an export needs a file: /export NAME.html' };
  const isRaw = given.has('--raw');
  if (isRaw && format !== 'jsonl')
    return { kind: 'error', text: 'Only JSONL can be exported with its secrets (--raw).' };
  const pieces = exportSession(session, {
    format,
    allBranches: given.has('--all-branches'),
    ...(isRaw ? {} : { redact: redactorOf(context.session) }),
  });
  const overwrite = given.has('--force') || (existsSync(file) && (await mayReplace(file, context)));
  await writeExport(file, pieces, { overwrite });
  const secrets = isRaw ? 'secrets and all' : 'what looks like a secret is hidden';
  return { kind: 'notice', text: `Exported to ${file} (${secrets}).`, data: { file, format } };
}

/** The active branch of a conversation as Markdown, without secrets, and a name for its file. */
export async function conversationText(
  session: InteractiveSession,
): Promise<{ readonly text: string; readonly fileName: string }> {
  const exported = await exportedSession(session);
  const { file = '' } = exportTarget({ session: exported, cwd: session.kept.cwd, format: 'md' });
  let text = '';
  for await (const piece of exportSession(exported, { format: 'md', redact: redactorOf(session) }))
    text += piece;
  return { text, fileName: basename(file) };
}

/** Flags may be anywhere; the rest is the file, quoted or not. */
function readArguments(args: string): { output: string | undefined; given: ReadonlySet<string> } {
  const words = args.split(/\s+/);
  const unknown = words.find((word) => word.startsWith('--') && !flags.includes(word));
  if (unknown !== undefined)
    throw new AgentError('usage', `Unknown option ${unknown} of /export. Available: ${flags.join(', ')}.`);
  const given = new Set(words.filter((word) => flags.includes(word)));
  const file = args.replace(/(^|\s)--\S+/g, ' ').trim();
  const [, , quoted] = /^(["'])(.*)\1$/.exec(file) ?? [];
  return { output: file === '' ? undefined : (quoted ?? file), given };
}

/** A session that is not saved is exported from memory. */
async function exportedSession(session: InteractiveSession): Promise<ExportedSession> {
  const { branches, messages, id } = session.getSession();
  if (branches.exported) return branches.exported;
  const handle = await new MemorySessionStore().create({ cwd: session.kept.cwd, id });
  await handle.appendAll(messages.map((message) => ({ type: 'message', message })));
  return handle;
}

/** Hides the keys in use, and anything that looks like one. */
function redactorOf(session: InteractiveSession): Redactor {
  const redact = createRedactor();
  return (value) => redact(JSON.parse(session.redact(JSON.stringify(value))));
}

async function mayReplace(
  file: string,
  { ui, signal }: CommandContext<InteractiveSession>,
): Promise<boolean> {
  const answer = await ui.ask(
    {
      kind: 'confirm',
      title: `Replace ${basename(file)}?`,
      detail: `${file} exists already.`,
      prefersNo: true,
    },
    signal,
  );
  return answer.kind === 'confirmed' && answer.yes;
}
