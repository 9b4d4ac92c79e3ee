import type { Model } from './model.ts';

/** The display name of a model: "Claude Opus 4.6". */
export function modelDisplayName(model: Pick<Model, 'name' | 'id'>): string {
  return model.name === '' ? model.id : model.name;
}

/** The name with the size of the window, for lists: "Claude Opus 4.6 (1M)". */
export function modelMenuName(model: Pick<Model, 'name' | 'id' | 'contextWindow'>): string {
  return `${modelDisplayName(model)} (${windowText(model.contextWindow)})`;
}

/** A number of tokens as vendors write it: "200K", "1M"; powers of two by the thousands they stand for. */
export function windowText(tokens: number): string {
  const thousands = tokens % 1000 === 0 || tokens % 1024 !== 0 ? tokens / 1000 : tokens / 1024;
  if (thousands < 1) return String(tokens);
  if (thousands < 1000) return `${Math.round(thousands)}K`;
  const millions = tokens % 1024 === 0 && tokens % 1000 !== 0 ? thousands / 1024 : thousands / 1000;
  return `${Number(millions.toFixed(2))}M`;
}
