import { mkdir, mkdtemp, realpath, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { Theme } from '@robota-sdk/agent-tui';
import { describe, expect, it, vi } from 'vitest';
import { loadKeybindings } from '../keys/load-keybindings.ts';
import { AppTheme, type AppThemeOptions } from './app-theme.ts';
import { appAnsiTheme, builtInThemes } from './app-themes.ts';
import { appTokens } from './app-tokens.ts';
import { loadThemes, themeFolders } from './load-themes.ts';

async function makeHost() {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'robota-theme-')));
  const put = async (path: string, content: string) => {
    const file = join(home, path);
    await mkdir(dirname(file), { recursive: true });
    // Replaces the file atomically, like editors.
    await writeFile(`${file}.new`, content);
    await rename(`${file}.new`, file);
    return file;
  };
  return { host: { env: {}, home }, put };
}

function themeFile(name: string, accent: string): string {
  const colors = Object.fromEntries(appTokens.required.map((token) => [token, '']));
  return JSON.stringify({ name, vars: { main: accent }, colors: { ...colors, accent: 'main' } });
}

const capabilities = { colours: 'true', isUnicode: true, hasLinks: false } as const;

function openTheme(options: Partial<AppThemeOptions> = {}) {
  const problems: string[] = [];
  const onChange = vi.fn();
  const theme = new AppTheme({
    capabilities,
    folders: [],
    onChange,
    onProblem: (text) => problems.push(text),
    ...options,
  });
  return { theme, problems, onChange };
}

describe('the built-in themes', () => {
  it('have all 51 colours of theme files, and those that files may leave out', () => {
    proves('P-124');
    expect(new Set(appTokens.required).size).toBe(51);
    const tokens = [...appTokens.required, ...Object.keys(appTokens.optional)].sort();
    for (const { colours } of builtInThemes()) expect(Object.keys(colours).sort()).toEqual(tokens);
  });

  it('show dangers of the palette theme in red text, since its grounds may be unreadable', () => {
    const theme = new Theme(appAnsiTheme(), '16');
    expect(theme.paint('dangerBg', 'rm -rf ~')).toBe('\x1b[31mrm -rf ~\x1b[39m');
    expect(theme.paint('selectedBg', 'row')).toBe('\x1b[7mrow\x1b[27m');
  });
});

describe('loadThemes', () => {
  it('colours the diffs of the toolkit as the file colours those of tools', async () => {
    proves('P-124');
    const { host, put } = await makeHost();
    const content = { name: 'mine', colors: { toolDiffAdded: 2 }, export: { pageBg: '#ffffff' } };
    await put('.robota/themes/mine.json', JSON.stringify(content));
    const { themes, problems } = await loadThemes(themeFolders(host));
    expect(problems).toEqual([]);
    expect(themes[0]?.definition.colours.diffAdded).toBe(2);
    expect(themes[0]?.missing).toBe(50);
  });

  it('reads the themes of ours and of rab and pi, ours first, and names what is wrong by file and line', async () => {
    proves('P-124');
    const { host, put } = await makeHost();
    await put('.robota/themes/mine.json', themeFile('mine', '#010203'));
    await put('.rab/themes/mine.json', themeFile('mine', '#ffffff'));
    await put('.rab/themes/other.json', themeFile('other', '#ffffff'));
    const broken = await put('.pi/agent/themes/broken.json', '{\n "name": "broken",\n "colors": \n');
    const { themes, problems } = await loadThemes(themeFolders(host));
    expect(themes.map(({ definition }) => definition.name)).toEqual(['mine', 'other']);
    expect(themes[0]?.definition.colours.accent).toEqual([1, 2, 3]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ path: broken, isTheme: false });
    expect(problems[0]?.text).toContain(`${broken}:`);
    expect(problems[0]?.text).toContain('is used instead');
  });

  it('tells of a file in one line, however much is wrong in it, and takes what is missing from dark', async () => {
    const { host, put } = await makeHost();
    const few = await put('.robota/themes/few.json', '{"name": "few", "colors": {"accent": "#010203"}}');
    const wrong = await put(
      '.robota/themes/wrong.json',
      '{"name": "wrong", "colors": {\n"accent": "no",\n"border": "no",\n"sucess": 1}}',
    );
    const { themes, problems } = await loadThemes(themeFolders(host));
    expect(themes).toMatchObject([
      { path: few, missing: 50 },
      { path: wrong, missing: 49 },
    ]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.text).toMatch(/wrong\.json:2: "no" is not a colour\. .+ \(and 2 more problems\)$/);
  });
});

describe('AppTheme', () => {
  it('follows the terminal where the settings name two themes, with one look for all of them', () => {
    proves('P-124');
    const { theme, onChange } = openTheme();
    const { look } = theme;
    expect(theme.name).toBe('dark');
    const dark = look.paint('accent', 'x');
    theme.setCapabilities({ ...capabilities, scheme: 'light' });
    expect(theme.name).toBe('light');
    expect(look.paint('accent', 'x')).not.toBe(dark);
    expect(theme.look).toBe(look);
    expect(onChange).toHaveBeenCalledTimes(1);
    theme.setCapabilities({ ...capabilities, scheme: 'light' });
    expect(onChange).toHaveBeenCalledTimes(1);
    theme.setCapabilities({ ...capabilities, colours: 'none' });
    expect(look.paint('accent', 'x')).toBe('x');
  });

  it('falls back to dark and says so where a theme is not there', async () => {
    proves('P-124');
    const { host } = await makeHost();
    const { theme, problems } = openTheme({ setting: 'darc', folders: themeFolders(host) });
    await theme.start();
    expect(theme.name).toBe('dark');
    expect(problems).toEqual(['Unknown theme "darc"; using "dark". Did you mean "dark"?']);
    theme.close();
  });

  it('says nothing of files that are not in use', async () => {
    const { host, put } = await makeHost();
    await put('.robota/themes/few.json', '{"name": "few", "colors": {"accent": "#010203"}}');
    await put('.robota/themes/wrong.json', '{"name": "wrong", "colors": {"accent": "no"}}');
    const { theme, problems } = openTheme({ setting: 'few', folders: themeFolders(host) });
    await theme.start();
    expect([theme.name, problems]).toEqual(['few', []]);
    expect(theme.look.paint('accent', 'x')).toContain('38;2;1;2;3');
    theme.close();
  });

  it('names what a setting that names no theme most likely means', async () => {
    const { host, put } = await makeHost();
    await put('.robota/themes/mine.json', themeFile('mine', '#010203'));
    const broken = await put('.robota/themes/broken.json', '{');
    const { theme } = openTheme({ folders: themeFolders(host) });
    expect(await theme.problemOf('light/mine')).toBeUndefined();
    expect(await theme.problemOf('mien')).toBe('Unknown theme "mien". Did you mean "mine"?');
    expect(await theme.problemOf('zzz')).toBe(
      'Unknown theme "zzz". Available: dark, light, colour-blind-dark, colour-blind-light, high-contrast-dark, high-contrast-light, ansi, mine.',
    );
    expect(await theme.problemOf('broken')).toContain(`Invalid theme: ${broken}:1: `);
  });

  it('takes changes of a theme in use over while it runs, and keeps going where one is broken', async () => {
    proves('P-124');
    const { host, put } = await makeHost();
    await put('.robota/themes/mine.json', themeFile('mine', '#010203'));
    const { theme, problems } = openTheme({ setting: 'mine', folders: themeFolders(host) });
    await theme.start();
    const painted = () => theme.look.paint('accent', 'x');
    expect(painted()).toContain('38;2;1;2;3');
    await put('.robota/themes/mine.json', themeFile('mine', '#040506'));
    await vi.waitFor(() => expect(painted()).toContain('38;2;4;5;6'));
    const broken = await put('.robota/themes/mine.json', '{ "name": "mine",\n');
    await vi.waitFor(() => expect(problems.join('\n')).toContain(`${broken}:`));
    expect(theme.name).toBe('dark');
    theme.close();
  });

  it('tries a theme and goes back, and takes one over from the settings', async () => {
    const { theme, problems } = openTheme();
    theme.try('light');
    expect(theme.name).toBe('light');
    theme.try(undefined);
    expect(theme.name).toBe('dark');
    await theme.setSetting('light');
    expect([theme.name, problems]).toEqual(['light', []]);
  });

  it('has no box characters where the terminal knows ASCII only', () => {
    const { theme } = openTheme({ capabilities: { ...capabilities, isUnicode: false } });
    expect(theme.look.glyphs.horizontal).toBe('-');
  });
});

describe('loadKeybindings', () => {
  it('takes keys of the file over, and names what is wrong in it with the line', async () => {
    proves('P-84');
    const { host, put } = await makeHost();
    expect((await loadKeybindings(host)).problems).toEqual([]);
    const file = await put(
      '.robota/keybindings.json',
      '{\n  "app.help": "f2",\n  "app.hlep": "f3",\n  "app.exit": ["ctrl+q", "nokey"]\n}',
    );
    const { keys, problems } = await loadKeybindings(host);
    expect([keys.keysOf('app.help'), keys.keysOf('app.exit')]).toEqual([['f2'], ['ctrl+q']]);
    expect(problems).toEqual([
      `${file}:3: Unknown action "app.hlep". Did you mean "app.help"?`,
      expect.stringContaining(`${file}:4: "app.exit": "nokey" is not a key.`),
    ]);
  });

  it.each(['.pi/agent', '.rab'])('takes the keys of %s over where there are none of ours', async (folder) => {
    proves('P-84');
    const { host, put } = await makeHost();
    const write = (path: string, keys: unknown) => put(`${path}/keybindings.json`, JSON.stringify(keys));
    await write(folder, { 'app.model.select': 'alt+m' });
    expect((await loadKeybindings(host)).keys.keysOf('app.model.select')).toEqual(['alt+m']);
    await write('.robota', { 'app.model.select': 'alt+o' });
    expect((await loadKeybindings(host)).keys.keysOf('app.model.select')).toEqual(['alt+o']);
  });

  it('keeps apart what pi has and Robota lacks, without guesses at what was meant', async () => {
    const { host, put } = await makeHost();
    const file = await put(
      '.pi/agent/keybindings.json',
      '{\n"app.models.save": "ctrl+s",\n"app.models.clearAll": [],\n"app.help": "f2"\n}',
    );
    const { keys, problems, foreign } = await loadKeybindings(host);
    expect([keys.keysOf('app.help'), problems]).toEqual([['f2'], []]);
    expect(foreign).toMatchObject([
      {
        severity: 'warning',
        message: 'Unknown actions "app.models.save", "app.models.clearAll". The help lists the actions.',
        source: { file, line: 2 },
      },
    ]);
  });

  it('keeps the default keys where the file is broken', async () => {
    proves('P-84');
    const { host, put } = await makeHost();
    const file = await put('.robota/keybindings.json', '{ "app.help": ');
    const { keys, problems } = await loadKeybindings(host);
    expect(keys.keysOf('app.help')).toEqual(['f1']);
    expect(problems[0]).toContain(`${file}:1: `);
    expect(problems[0]).toContain('default keys');
  });
});
