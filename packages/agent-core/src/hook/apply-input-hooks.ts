import { textOf, type UserContent } from '../message/content.ts';
import type { HookRegistry } from './run-hook.ts';

/** The outcome for a user message: it proceeds, perhaps changed, or a hook blocks it. */
type HookedInput =
  | { readonly kind: 'accepted'; readonly content: readonly UserContent[] }
  | { readonly kind: 'blocked'; readonly reason: string };

/** Passes a message to the hooks, which may replace its text, add to it or block it. */
export async function applyInputHooks(
  hooks: HookRegistry,
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

/** Appends a hook's text to a prompt, marked as not written by the user: front ends do not show it. */
export function withReminder(
  content: readonly UserContent[],
  context: string | undefined,
): readonly UserContent[] {
  if (context === undefined || context === '') return content;
  return withHookContext(content, `<system-reminder>\nContext from a hook:\n${context}\n</system-reminder>`);
}

/** Appends a hook's text to a result. */
export function withHookContext(
  content: readonly UserContent[],
  context: string | undefined,
): readonly UserContent[] {
  return context === undefined || context === '' ? content : [...content, { type: 'text', text: context }];
}
