import { nearest } from '@robota-sdk/agent-diff';
import type { ThemeDefinition } from './theme.ts';

/** The wish of the user, and the themes to choose from. */
export interface ThemeChoice<Token extends string> {
  /** A name, or two names for light and for dark terminals: `light/dark`. */
  readonly setting?: string | undefined;
  /** The terminal's colour scheme, if known. */
  readonly scheme?: 'dark' | 'light' | undefined;
  /** The user's themes, which override built-in ones of the same name. */
  readonly themes?: readonly ThemeDefinition<Token>[];
  /** The built-in themes. The first one is used if the wanted one is missing. */
  readonly builtIn: readonly [ThemeDefinition<Token>, ...ThemeDefinition<Token>[]];
}

/** The theme to use, and the problem to report if it is not the wanted one. */
export function chooseTheme<Token extends string>(
  choice: ThemeChoice<Token>,
): { readonly definition: ThemeDefinition<Token>; readonly problem?: string } {
  const { setting = 'light/dark', scheme, themes = [], builtIn } = choice;
  const known = [...themes, ...builtIn];
  const [light = '', dark] = setting.split('/');
  const wanted = dark === undefined ? setting : (scheme === 'light' ? light : dark).trim();
  const found = known.find(({ name }) => name === wanted);
  if (found) return { definition: found };
  const names = known.map(({ name }) => name);
  const [near] = nearest(wanted, names);
  const advice = near === undefined ? `Available: ${names.join(', ')}.` : `Did you mean "${near}"?`;
  const [fallback] = builtIn;
  const problem = `Unknown theme "${wanted}"; using "${fallback.name}". ${advice}`;
  return { definition: fallback, problem };
}
