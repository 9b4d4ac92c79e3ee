import { nearestName } from '../text/nearest-name.ts';
import { darkTheme, lightTheme } from './built-in-themes.ts';
import type { ThemeDefinition } from './theme.ts';

/** What a theme is chosen by. */
export interface ThemeChoice {
  /** A name, or two with a slash between them: for light and for dark terminals. */
  readonly setting?: string | undefined;
  /** What the terminal looks like, if it is known. */
  readonly scheme?: 'dark' | 'light' | undefined;
  /** The themes of the person, which come before those built in. */
  readonly themes?: readonly ThemeDefinition[];
}

/** The theme to use, and what is to be said if it is not the one that was asked for. */
export function chooseTheme(choice: ThemeChoice): {
  readonly definition: ThemeDefinition;
  readonly problem?: string;
} {
  const { setting, scheme, themes = [] } = choice;
  const known = [...themes, darkTheme(), lightTheme()];
  const named = (name: string) => known.find((theme) => theme.name === name);
  const wanted = nameOf(setting ?? 'light/dark', scheme);
  const definition = named(wanted);
  if (definition) return { definition };
  const near = nearestName(
    wanted,
    known.map(({ name }) => name),
  );
  const advice =
    near === undefined ? `There are ${known.map(({ name }) => name).join(', ')}.` : `Did you mean "${near}"?`;
  return { definition: darkTheme(), problem: `There is no theme "${wanted}", so "dark" is used. ${advice}` };
}

function nameOf(setting: string, scheme: ThemeChoice['scheme']): string {
  const [light = '', dark] = setting.split('/');
  if (dark === undefined) return setting;
  return (scheme === 'light' ? light : dark).trim();
}
