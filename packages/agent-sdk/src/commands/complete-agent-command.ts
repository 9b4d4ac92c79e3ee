import type { InteractiveSession } from '../session/interactive-session.ts';
import { agentActions } from './parse-agent-command.ts';

const isolations = ['none', 'worktree'];

/** What may follow `/agent`, as the whole of its arguments. */
export function completeAgentCommand(prefix: string, session: InteractiveSession): readonly string[] {
  const before = prefix.slice(0, prefix.length - lastWord(prefix).length);
  const words = wordsAfter(before.trim(), session);
  return words.map((word) => before + word).filter((line) => line.startsWith(prefix));
}

function wordsAfter(before: string, session: InteractiveSession): readonly string[] {
  const names = session.listAgentDefinitions().map(({ name }) => name);
  const ids = session.listAgentJobs().map(({ id }) => id);
  if (before === '') return [...agentActions, ...names];
  if (/^run\b/.test(before)) return afterRun(before, names, session);
  if (before === 'wait') return [...session.listBackgroundJobGroups().map(({ id }) => id), ...ids];
  if (/^(read|send|stop|cancel|close|open)$/.test(before)) return ids;
  if (/^parallel\b/.test(before)) return ['--wait', '--detach'];
  return [];
}

function afterRun(before: string, names: readonly string[], session: InteractiveSession): readonly string[] {
  if (/(--agent|--type|-a)$/.test(before)) return names;
  if (/--isolation$/.test(before)) return isolations;
  if (/--model$/.test(before)) return session.listModels().map(({ vendor, id }) => `${vendor}/${id}`);
  return ['--agent', '--model', '--isolation'];
}

function lastWord(prefix: string): string {
  return /(?<!\S)\S*$/.exec(prefix)?.[0] ?? '';
}
