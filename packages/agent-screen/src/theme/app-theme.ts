import { basename } from 'node:path';
import { builtInThemeNames, didYouMean, themesIn } from '@robota-sdk/agent-sdk/front-end';
import {
  type Capabilities,
  chooseTheme,
  createRenderStyle,
  Theme,
  type ThemeDefinition,
} from '@robota-sdk/agent-tui';
import { appAnsiTheme, builtInThemes } from './app-themes.ts';
import type { AppStyle, AppToken } from './app-tokens.ts';
import type { LoadedThemes, UserTheme } from './load-themes.ts';

export interface AppThemeOptions {
  readonly capabilities: Pick<Capabilities, 'colours' | 'isUnicode' | 'hasLinks' | 'scheme'>;
  /** The setting: a theme, or one for light and one for dark terminals. */
  readonly setting?: string | undefined;
  /** The folders of user themes. Not read while a built-in one is used. */
  readonly folders: readonly string[];
  /** Colours are others now: what was drawn with the former ones is to be drawn again. */
  onChange(): void;
  /** Something about themes is to be said, such as a file that can't be used. */
  onProblem(text: string): void;
}

const builtInNames: ReadonlySet<string> = new Set(builtInThemeNames);

/** The colours in use: those of a theme that the settings name and the terminal fits. Its look stays the same object. */
export class AppTheme {
  readonly look: AppStyle;
  readonly #options: AppThemeOptions;
  #capabilities: AppThemeOptions['capabilities'];
  #setting: string | undefined;
  /** A theme that is only tried. */
  #tried: string | undefined;
  #themes: readonly UserTheme[] = [];
  #theme: Theme<AppToken>;
  #told = new Set<string>();
  #watcher: { close(): void } | undefined;
  #isClosed = false;

  constructor(options: AppThemeOptions) {
    this.#options = options;
    this.#capabilities = options.capabilities;
    this.#setting = options.setting;
    this.#theme = new Theme(this.#choose().definition, this.#capabilities.colours);
    const paint: AppStyle['paint'] = (token, text) => this.#theme.paint(token, text);
    const { isUnicode, hasLinks } = options.capabilities;
    this.look = createRenderStyle({ paint, isAscii: !isUnicode, hasLinks });
  }

  /** The name of the theme in use. */
  get name(): string {
    return this.#theme.name;
  }

  /** The setting. */
  get setting(): string {
    return themesIn(this.#setting ?? 'light/dark').join('/');
  }

  /** Loads the user's themes if one of them is selected, and watches them. */
  async start(): Promise<void> {
    if (this.#isBuiltIn()) return;
    await this.#read();
    await this.#watch();
  }

  /** The terminal answered, or changed its own colours. */
  setCapabilities(capabilities: AppThemeOptions['capabilities']): void {
    const { colours, scheme } = this.#capabilities;
    this.#capabilities = capabilities;
    if (colours !== capabilities.colours || scheme !== capabilities.scheme) this.#apply();
  }

  /** The settings name another theme. */
  async setSetting(setting: string | undefined): Promise<void> {
    this.#setting = setting;
    this.#tried = undefined;
    this.#told.clear();
    if (this.#isBuiltIn()) this.#stopWatching();
    else await this.start();
    this.#apply();
  }

  /** Shows how another theme looks; nothing brings the one of the settings back. */
  try(setting: string | undefined): void {
    this.#tried = setting;
    this.#apply();
  }

  /** All themes; reads the user's again. */
  async list(): Promise<LoadedThemes> {
    const { loadThemes } = await import('./load-themes.ts');
    const loaded = await loadThemes(this.#options.folders);
    this.#themes = loaded.themes;
    return loaded;
  }

  /** Why a setting names no theme that there is; nothing if it does. */
  async problemOf(setting: string): Promise<string | undefined> {
    const { themes, problems } = await this.list();
    const known = [...builtInNames, ...themes.map(({ definition }) => definition.name)];
    const wrong = themesIn(setting).find((name) => !known.includes(name));
    if (wrong === undefined) return undefined;
    const broken = problems.find(({ path }) => basename(path) === `${wrong}.json`);
    if (broken && !broken.isTheme) return `Invalid theme: ${broken.text}`;
    const advice = didYouMean(wrong, known, '"') ?? `Available: ${known.join(', ')}.`;
    return `Unknown theme "${wrong}". ${advice}`;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWatching();
  }

  #choose(): { readonly definition: ThemeDefinition<AppToken>; readonly problem?: string } {
    const themes = this.#themes.map(({ definition }) => definition);
    const written = this.#tried ?? this.#setting;
    const setting = written && themesIn(written).join('/');
    const { scheme, colours } = this.#capabilities;
    const chosen = chooseTheme({ setting, scheme, themes, builtIn: builtInThemes() });
    // Tints need more than sixteen colours: the nearest of those would be black or white.
    const isTinted = colours === '16' && builtInNames.has(chosen.definition.name);
    return isTinted ? { ...chosen, definition: { ...appAnsiTheme(), name: chosen.definition.name } } : chosen;
  }

  #isBuiltIn(): boolean {
    return themesIn(this.setting).every((name) => builtInNames.has(name));
  }

  #apply(): void {
    const { definition, problem } = this.#choose();
    this.#theme = new Theme(definition, this.#capabilities.colours);
    if (problem !== undefined && this.#tried === undefined) this.#tell(problem);
    this.#options.onChange();
  }

  async #read(): Promise<void> {
    const { themes, problems } = await this.list();
    if (this.#isClosed) return;
    const used = new Set(this.setting.split('/').map((name) => name.trim()));
    const isUsed = ({ definition }: UserTheme) => used.has(definition.name);
    const paths = themes.filter(isUsed).map(({ path }) => path);
    const builtIn = [...used].filter((name) => builtInNames.has(name));
    // A broken file may be the very theme that is missing.
    const isMissing = paths.length + builtIn.length < used.size;
    for (const { path, text, isTheme } of problems)
      if (paths.includes(path) || (isMissing && !isTheme)) this.#tell(text);
    this.#apply();
  }

  /** Once each, until it is corrected. */
  #tell(problem: string): void {
    if (this.#told.has(problem)) return;
    this.#told.add(problem);
    this.#options.onProblem(problem);
  }

  async #watch(): Promise<void> {
    if (this.#watcher || this.#isClosed) return;
    const { watchFolders } = await import('./watch-folders.ts');
    this.#watcher = watchFolders(this.#options.folders, () => {
      this.#told.clear();
      void this.#read();
    });
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
