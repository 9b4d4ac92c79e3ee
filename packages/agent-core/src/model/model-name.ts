import type { Model } from './model.ts';

/** The display name of a model: "Claude Opus 4.6". */
export function modelDisplayName(model: Pick<Model, 'name' | 'id'>): string {
  return model.name === '' ? model.id : model.name;
}

/** The name with the size of the window, for lists: "Claude Opus 4.6 (1M)". */
export function modelMenuName(model: Pick<Model, 'name' | 'id' | 'contextWindow'>): string {
  return `${modelDisplayName(model)} (${windowText(model.contextWindow)})`;
}

/** Formats a token count as vendors do: "200K", "1M"; powers of two are rounded to thousands. */
export function windowText(tokens: number): string {
  const thousands = tokens % 1000 === 0 || tokens % 1024 !== 0 ? tokens / 1000 : tokens / 1024;
  if (thousands < 1) return String(tokens);
  if (thousands < 1000) return `${Math.round(thousands)}K`;
  const millions = tokens % 1024 === 0 && tokens % 1000 !== 0 ? thousands / 1024 : thousands / 1000;
  return `${Number(millions.toFixed(2))}M`;
}

/** True if a model was assigned to Ollama only because its name matched nothing else. */
export function guessedName(name: string, { vendor, id }: Pick<Model, 'vendor' | 'id'>): boolean {
  return vendor === 'ollama' && id === name && !/[/:]/.test(name) && name.toLowerCase() !== vendor;
}

/** Says that the model was guessed, and how to choose another. */
export function guessHint(name: string): string {
  return `"${name}" is not a known name, so it is used as an Ollama model; write vendor/${name} for a model of another vendor.`;
}
