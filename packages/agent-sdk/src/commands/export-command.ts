import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { AgentError, type Command, type CommandContext } from '@robota-sdk/agent-core';
import type { ExportedSession, Redactor } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../interactive-session.ts';

const flags = ['--all-branches', '--raw', '--force'];

/** Writes the conversation to a file for others to read. */
export const exportCommand: Command<InteractiveSession> = {
  name: 'export',
  description: 'Write the session to a file: .html (a page of its own), .md or .jsonl',
  argumentHint: '[FILE] [--all-branches] [--raw] [--force]',
  run: async (args, context) => {
    const { exportSession, exportTarget, writeExport } = await import('@robota-sdk/agent-sessions');
    const { output, given } = readArguments(args);
    const exported = await exportedSession(context.session);
    const { file, format } = exportTarget({ session: exported, cwd: context.session.kept.cwd, output });
    if (file === undefined) return { kind: 'error', text: 'Here an export needs a file: /export NAME.html' };
    const isRaw = given.has('--raw');
    if (isRaw && format !== 'jsonl')
      return { kind: 'error', text: 'Only JSONL can be exported with its secrets (--raw).' };
    const redact = isRaw ? undefined : await redactorOf(context.session);
    const allBranches = given.has('--all-branches');
    const pieces = exportSession(exported, { format, allBranches, ...(redact ? { redact } : {}) });
    const overwrite = given.has('--force') || (existsSync(file) && (await mayReplace(file, context)));
    await writeExport(file, pieces, { overwrite });
    const hidden = isRaw ? 'secrets and all' : 'what looks like a secret is hidden';
    return { kind: 'notice', text: `Exported to ${file} (${hidden}).`, data: { file, format } };
  },
};

/** Flags stand anywhere; the rest is the file, in quotes or not. */
function readArguments(args: string): { output: string | undefined; given: ReadonlySet<string> } {
  const words = args.split(/\s+/);
  const given = new Set(words.filter((word) => flags.includes(word)));
  const unknown = words.find((word) => word.startsWith('--') && !flags.includes(word));
  if (unknown !== undefined)
    throw new AgentError('usage', `/export knows no ${unknown}; there is ${flags.join(', ')}.`);
  const file = flags
    .reduce((text, flag) => text.replace(new RegExp(`(^|\\s)${flag}(?=\\s|$)`, 'g'), ' '), args)
    .trim();
  const [, quoted] = /^(["'])(.*)\1$/.exec(file)?.slice(1) ?? [];
  return { output: file === '' ? undefined : (quoted ?? file), given };
}

/** A session that is not kept is exported as far as it is remembered. */
async function exportedSession(session: InteractiveSession): Promise<ExportedSession> {
  const { branches, messages, id } = session.getSession();
  if (branches.exported) return branches.exported;
  const { MemorySessionStore } = await import('@robota-sdk/agent-sessions');
  const handle = await new MemorySessionStore().create({ cwd: session.kept.cwd, id });
  await handle.appendAll(messages.map((message) => ({ type: 'message', message })));
  return handle;
}

/** Hides the keys in use, and whatever looks like one. */
async function redactorOf(session: InteractiveSession): Promise<Redactor> {
  const { createRedactor } = await import('@robota-sdk/agent-sessions');
  const redact = createRedactor();
  return (value) => redact(JSON.parse(session.redact(JSON.stringify(value))));
}

async function mayReplace(
  file: string,
  { ui, signal }: CommandContext<InteractiveSession>,
): Promise<boolean> {
  const answer = await ui.ask(
    { kind: 'confirm', title: `Replace ${basename(file)}?`, detail: `${file} exists already.` },
    signal,
  );
  return answer.kind === 'confirmed' && answer.yes;
}
