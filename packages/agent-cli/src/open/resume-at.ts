import { AgentError, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { Arguments } from '../arguments/args.ts';

/** Continues a resumed session after a certain message; what came later stays in its file, on another branch. */
export async function resumeAt(session: InteractiveSession, args: Arguments): Promise<void> {
  const message = args.value('resume-session-at');
  if (message === undefined) return;
  if (!(['continue', 'resume', 'session'] as const).some((name) => args.has(name)))
    throw new AgentError('usage', '--resume-session-at needs the session: -r ID, -c or --session PATH.');
  const entry = session.branches.entryIdOf(message);
  if (entry === undefined)
    throw new AgentError(
      'usage',
      `No message "${message}" in this session. Give the uuid of an assistant or user line.`,
    );
  await session.moveTo(entry);
}
