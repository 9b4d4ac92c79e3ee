import { textOf, type UserContent } from '../message/content.ts';
import type { Hooks } from './run-hook.ts';

/** The outcome for a user message: it proceeds, perhaps changed, or a hook blocks it. */
type HookedInput =
  | { readonly kind: 'accepted'; readonly content: readonly UserContent[] }
  | { readonly kind: 'blocked'; readonly reason: string };

/** Shows a message to the hooks, which may replace its text, add to it or keep it back. */
export async function applyInputHooks(
  hooks: Hooks,
  content: readonly UserContent[],
  signal: AbortSignal,
): Promise<HookedInput> {
  if (!hooks.has('input')) return { kind: 'accepted', content };
  const { text, block, context } = await hooks.run('input', { text: textOf(content) }, signal);
  if (block !== undefined) return { kind: 'blocked', reason: block };
  const images = content.filter(({ type }) => type === 'image');
  const replaced = text === undefined ? content : [{ type: 'text', text } as const, ...images];
  return { kind: 'accepted', content: withReminder(replaced, context) };
}

/** Puts what a hook has to say behind a prompt, marked as what the user did not say: front ends do not show it. */
export function withReminder(
  content: readonly UserContent[],
  context: string | undefined,
): readonly UserContent[] {
  if (context === undefined || context === '') return content;
  return withContext(content, `<system-reminder>\nContext from a hook:\n${context}\n</system-reminder>`);
}

/** Puts what a hook has to say behind a result. */
export function withContext(
  content: readonly UserContent[],
  context: string | undefined,
): readonly UserContent[] {
  return context === undefined || context === '' ? content : [...content, { type: 'text', text: context }];
}
