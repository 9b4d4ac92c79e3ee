import type { Model } from './model.ts';

/** True if a model is one of Ollama only because nothing else explains its name. */
export function guessedName(name: string, { vendor, id }: Pick<Model, 'vendor' | 'id'>): boolean {
  return vendor === 'ollama' && id === name && !/[/:]/.test(name) && name.toLowerCase() !== vendor;
}

/** Says so, and how to say otherwise. */
export function guessHint(name: string): string {
  return `"${name}" is no name we know, so it was taken for a model of Ollama; write vendor/${name} for a model of another vendor.`;
}
