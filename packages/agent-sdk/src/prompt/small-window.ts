import { type AnyTool, type Model, type Problem, warning } from '@robota-sdk/agent-core';
import type { ProjectContext } from '@robota-sdk/agent-resources';

/** A smaller window hardly fits the usual prompt, all tools and a file. */
const smallWindow = 16_384;

/** The tools that work on files needs. */
const essential: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'Bash', 'Glob', 'Grep']);

/** The part of a small window that one result, or all instruction files together, may fill. */
const share = 1 / 8;
const charactersPerToken = 4;

/** True if a model has so little room that its prompt, tools and results are cut down. */
export function hasSmallWindow({ contextWindow }: Pick<Model, 'contextWindow'>): boolean {
  return contextWindow < smallWindow;
}

/** Characters that a result may have with a model; undefined for the usual limits. */
export function resultRoom(model: Model): number | undefined {
  return hasSmallWindow(model) ? Math.floor(model.contextWindow * share * charactersPerToken) : undefined;
}

/** The instructions that fit a small window; omissions are mentioned. */
export function shortenInstructions(context: ProjectContext, model: Model): ProjectContext {
  let room = resultRoom(model) ?? Infinity;
  const instructions = context.instructions.map((file) => {
    const kept = file.text.slice(0, Math.max(0, room));
    const isCut = kept.length < file.text.length;
    const text = isCut ? `${kept}\n[The rest is left out; read ${file.path}.]`.trimStart() : kept;
    room -= file.text.length;
    return { ...file, text };
  });
  return { ...context, instructions };
}

/** The tools that fit a small window: the essential ones, or those requested by name. */
export function fittingTools(
  tools: readonly AnyTool[],
  { model, isChosen }: { readonly model: Model; readonly isChosen: boolean },
): readonly AnyTool[] {
  return hasSmallWindow(model) && !isChosen ? tools.filter(({ name }) => essential.has(name)) : tools;
}

/** Warns about a small window, and how to enlarge it. */
export function smallWindowProblems(model: Model): Problem[] {
  if (!hasSmallWindow(model)) return [];
  const message = `${model.vendor}/${model.id} has a window of ${model.contextWindow.toLocaleString('en')} tokens: it gets fewer tools, a short prompt and short results, and the conversation is compacted at half of it.`;
  const hint = `robota doctor --model ${model.vendor}/${model.id} says how to make it larger.`;
  return [warning('model.small-window', message, { subject: `${model.vendor}/${model.id}`, hint })];
}
