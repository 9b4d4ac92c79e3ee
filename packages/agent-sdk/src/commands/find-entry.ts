import { AgentError } from '@robota-sdk/agent-core';
import type { SessionTree } from '@robota-sdk/agent-sessions';

/** The beginning of the session, before everything that was said. */
const beginning = 'root';

/** Fewer characters of an id fit too much by chance. */
const shortestId = 4;

/** Finds an entry by the number of a prompt, an id or its prefix, or a label; null is the beginning. */
export function findEntry(tree: SessionTree, reference: string): string | null {
  const wanted = reference.trim();
  if (wanted === beginning) return null;
  if (tree.kindOf(wanted)) return wanted;
  if (/^\d+$/.test(wanted)) return findPrompt(tree, Number(wanted));
  const ids = [...tree.ids()];
  const labelled = ids.filter((id) => tree.labelOf(id) === wanted);
  const matches = labelled.length > 0 ? labelled : idsLike(wanted, ids);
  const [match, other] = matches;
  if (match !== undefined && other === undefined) return match;
  if (match === undefined)
    throw new AgentError(
      'session',
      `There is no prompt, entry or label "${wanted}" here. /tree shows what there is.`,
    );
  const choices = matches.slice(0, 5).join(', ');
  throw new AgentError('session', `"${wanted}" could be ${choices}. Give more of the id.`);
}

/** Everything that names an entry, for completion. */
export function entryNames(tree: SessionTree): string[] {
  const ids = [...tree.ids()];
  const labels = ids.flatMap((id) => tree.labelOf(id) ?? []);
  const numbers = [...tree.promptNumbers().values()].map(String);
  return [...new Set([...labels, ...numbers, ...ids])];
}

/** Why a text can't be a label: it means something else already. */
export function labelProblem(tree: SessionTree, label: string): string | undefined {
  if (/^\d+$/.test(label)) return 'A label cannot be a number: those are the numbers of prompts.';
  if ([beginning, 'all', 'label'].includes(label)) return `A label cannot be "${label}", which /tree knows.`;
  if (/(^|\s)--/.test(label)) return 'A label cannot have a part that begins with --, as options do.';
  return tree.kindOf(label) ? `A label cannot be ${label}: that is the id of an entry.` : undefined;
}

function findPrompt(tree: SessionTree, number: number): string {
  const numbers = tree.promptNumbers();
  for (const [id, each] of numbers) if (each === number) return id;
  const { size } = numbers;
  const which = size === 0 ? 'there are none yet' : size === 1 ? 'there is only prompt 1' : undefined;
  throw new AgentError(
    'session',
    `There is no prompt ${number}: ${which ?? `there are prompts 1 to ${size}`}.`,
  );
}

function idsLike(wanted: string, ids: readonly string[]): readonly string[] {
  return wanted.length < shortestId ? [] : ids.filter((id) => id.startsWith(wanted.toLowerCase()));
}
