import { type Hooks, noUsage, type RunOutcome, textOf, type UserContent } from '@robota-sdk/agent-core';

/** What becomes of a person's input: it goes on, perhaps changed, or a hook keeps it back. */
export type HookedInput =
  | { readonly kind: 'accepted'; readonly content: readonly UserContent[] }
  | { readonly kind: 'blocked'; readonly reason: string };

/** Shows an input to the hooks, which may replace its text, add to it or keep it back. */
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
  return { kind: 'accepted', content: withContext(replaced, context) };
}

/** Puts what a hook has to say behind an input. */
export function withContext(
  content: readonly UserContent[],
  context: string | undefined,
): readonly UserContent[] {
  return context === undefined || context === '' ? content : [...content, { type: 'text', text: context }];
}

/** The outcome of a prompt that never reached the model. */
export function blockedOutcome(reason: string): RunOutcome {
  const error = { code: 'session', message: `A hook stopped the prompt: ${reason}` } as const;
  return { status: 'failed', text: '', turns: 0, usage: noUsage, cost: 0, denials: [], error };
}
