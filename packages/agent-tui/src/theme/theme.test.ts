import { proves } from '@robota-sdk/agent-testing/proves';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../text/styled-text.ts';
import {
  ansiTheme,
  colourBlindDarkTheme,
  colourBlindLightTheme,
  darkTheme,
  highContrastDarkTheme,
  highContrastLightTheme,
  lightTheme,
} from './built-in-themes.ts';
import { chooseTheme } from './choose-theme.ts';
import { type Colour, colourParameters, isTextColour, paletteColour } from './colour.ts';
import { readTheme } from './read-theme.ts';
import { Theme } from './theme.ts';
import { type ToolkitToken, toolkitTokens } from './theme-tokens.ts';

const dark = { ...darkTheme(), colours: { ...darkTheme().colours, glow: 3 } } as const;
const tokens = { required: toolkitTokens, optional: { glow: 'accent' } } as const;
const schema = { tokens, fallback: dark } as const;
const builtIn = [darkTheme(), lightTheme()] as const;

/** A whole theme file in which every colour is given, some of them as told. */
function file(colours: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): string {
  const all = Object.fromEntries(toolkitTokens.map((token) => [token, '#102030']));
  return JSON.stringify({ name: 'mine', ...rest, colors: { ...all, ...colours } }, null, 2);
}

describe('themes', () => {
  it('has a colour for each token in both built-in themes', () => {
    for (const definition of builtIn)
      for (const token of toolkitTokens) expect(definition.colours[token], token).toBeDefined();
  });

  it('shows colours as exactly as the terminal can', () => {
    proves('P-124');
    const colour = [255, 0, 0] as const;
    expect(colourParameters(colour, 'true', 'text')).toBe('38;2;255;0;0');
    expect(colourParameters(colour, '256', 'background')).toBe('48;5;196');
    expect(colourParameters(colour, '16', 'text')).toBe('91');
    expect(colourParameters([0, 0, 0], '16', 'background')).toBe('40');
    expect(colourParameters(3, '16', 'text')).toBe('33');
    expect(colourParameters(3, 'true', 'text')).toBe('38;5;3');
    expect(colourParameters(colour, 'none', 'text')).toBe('');
    expect(colourParameters('default', 'true', 'text')).toBe('');
  });

  it.each([
    [
      'dark',
      [darkTheme(), colourBlindDarkTheme(), highContrastDarkTheme()],
      ['#000000', '#181818', '#282c34'],
    ],
    [
      'light',
      [lightTheme(), colourBlindLightTheme(), highContrastLightTheme()],
      ['#ffffff', '#f5f5f5', '#fdf6e3'],
    ],
  ] as const)('shows every text with enough contrast on %s terminals', (_, themes, terminals) => {
    for (const { name, colours } of themes) {
      const least = name.startsWith('high-contrast') ? 7 : 4.5;
      for (const token of textTokens)
        for (const terminal of terminals)
          expect(contrast(exact(colours[token]), hex(terminal)), `${name} ${token}`).toBeGreaterThanOrEqual(
            least,
          );
    }
  });

  it.each(
    [
      darkTheme(),
      lightTheme(),
      colourBlindDarkTheme(),
      colourBlindLightTheme(),
      highContrastDarkTheme(),
      highContrastLightTheme(),
    ].map((theme) => [theme.name, theme.colours] as const),
  )('shows what is drawn on the grounds of the %s theme with enough contrast', (_, colours) => {
    const code = textTokens.filter((token) => token.startsWith('syntax') || token === 'text');
    const on = (ground: ToolkitToken, tokens: readonly ToolkitToken[]) => {
      for (const token of tokens) {
        const exactly = contrast(exact(colours[token]), exact(colours[ground]));
        expect(exactly, `${token} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        const nearly = contrast(ofPalette(colours[token], 'text'), ofPalette(colours[ground], 'background'));
        expect(nearly, `${token} on ${ground} with 256 colours`).toBeGreaterThanOrEqual(4.5);
      }
    };
    on('diffAddedBg', [...code, 'diffAdded', 'warning']);
    on('diffRemovedBg', [...code, 'diffRemoved', 'warning']);
    on('diffAddedWordBg', ['text']);
    on('diffRemovedWordBg', ['text']);
    on('selectedBg', ['text', 'accent', 'muted', 'dim']);
  });

  it('shows a white ground as white with 256 colours', () => {
    expect(ofPalette([255, 255, 255], 'background')).toEqual([255, 255, 255]);
  });

  it('finds a colour of the palette again that is in it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 255 }), (index) => {
        const found = Number(colourParameters(paletteColour(index), '256', 'text').split(';')[2]);
        expect(paletteColour(found)).toEqual(paletteColour(index));
      }),
    );
  });

  it('continues after what a text in it ends, and leaves no colour behind', async () => {
    const theme = new Theme(dark, 'true');
    const inner = theme.foreground('error', 'bad');
    const text = `${theme.background('selectedBg', `${theme.foreground('accent', `a ${inner} b`)}\x1b[0m c`)} d`;
    expect(plainText(text)).toBe('a bad b c d');
    const emulator = new xterm.Terminal({ cols: 20, rows: 2, allowProposedApi: true });
    await new Promise<void>((resolve) => emulator.write(text, resolve));
    const line = emulator.buffer.active.getLine(0);
    const colours = Array.from({ length: 11 }, (_, column) => line?.getCell(column)?.getFgColor());
    expect(colours[0]).toBe(colours[6]);
    expect(colours[2]).not.toBe(colours[0]);
    const backgrounds = Array.from({ length: 11 }, (_, column) => line?.getCell(column)?.isBgDefault());
    expect(backgrounds.slice(0, 9).every((isDefault) => !isDefault)).toBe(true);
    expect(backgrounds[10]).toBe(true);
  });

  it('uses faint and reversed text of the terminal itself, ends each for itself, and reverses no colour', () => {
    const theme = new Theme(ansiTheme(), '16');
    expect(theme.paint('dim', `a${theme.bold('b')}c`)).toBe('\x1b[2ma\x1b[1mb\x1b[22m\x1b[2mc\x1b[22m');
    expect(theme.paint('selectedBg', theme.bold(theme.paint('accent', 'x')))).toBe(
      '\x1b[7m\x1b[1mx\x1b[22m\x1b[27m',
    );
    expect(theme.paint('diffAddedBg', 'x')).toBe('x');
  });

  it('writes no colour where there is to be none, but weight', () => {
    const theme = new Theme(dark, 'none');
    expect(theme.paint('accent', 'x') + theme.paint('selectedBg', 'y')).toBe('xy');
    expect(theme.bold('x')).toBe('\x1b[1mx\x1b[22m');
  });
});

describe('chooseTheme', () => {
  const mine = { ...darkTheme(), name: 'mine' };

  it('follows the terminal, or a name, and falls back to dark', () => {
    proves('P-124');
    expect(chooseTheme({ builtIn }).definition.name).toBe('dark');
    expect(chooseTheme({ builtIn, scheme: 'light' }).definition.name).toBe('light');
    expect(chooseTheme({ builtIn, scheme: 'light', setting: 'mine / dark', themes: [mine] }).definition).toBe(
      mine,
    );
    expect(chooseTheme({ builtIn, scheme: 'dark', setting: 'light' }).definition.name).toBe('light');
    const { definition, problem } = chooseTheme({ builtIn, setting: 'mien', themes: [mine] });
    expect(definition.name).toBe('dark');
    expect(problem).toBe('Unknown theme "mien"; using "dark". Did you mean "mine"?');
  });
});

describe('readTheme', () => {
  it('takes colours, palette numbers, variables of variables and the terminal’s own', async () => {
    proves('P-124');
    const { definition, problems } = await readTheme(
      file({ accent: 'one', text: '', dim: 240, glow: '#ffffff' }, { vars: { one: 'two', two: '#ff8000' } }),
      schema,
    );
    expect(problems).toEqual([]);
    expect(definition?.name).toBe('mine');
    expect(definition?.colours).toMatchObject({
      accent: [255, 128, 0],
      text: 'default',
      dim: 240,
      glow: [255, 255, 255],
    });
    const plain = await readTheme(file({}, { export: { pageBg: '#ffffff' } }), schema);
    expect([plain.definition?.colours.glow, plain.problems]).toEqual([[16, 32, 48], []]);
  });

  it('names what is wrong by its line, and uses the rest', async () => {
    proves('P-124');
    const text = file(
      { accent: 'a', border: 'ble', dim: 300, success: undefined, sucess: 1 },
      { vars: { a: 'b', b: 'a', blue: 4 } },
    );
    const { definition, problems } = await readTheme(text, schema);
    const lineOf = (token: string) => text.split('\n').findIndex((line) => line.includes(`"${token}":`)) + 1;
    expect(problems).toHaveLength(4);
    expect(problems[0]).toEqual({
      line: lineOf('accent'),
      message: 'The variables "a" → "b" → "a" lead in a circle.',
    });
    expect(problems[1]).toEqual({
      line: lineOf('border'),
      message: '"ble" is not a colour. Did you mean "blue"?',
    });
    expect(problems[2]?.line).toBe(lineOf('dim'));
    expect(problems[3]?.message).toBe('Unknown colour "sucess". Did you mean "success"?');
    expect(definition?.colours.accent).toEqual(dark.colours.accent);
    expect(definition?.colours.success).toEqual(dark.colours.success);
  });

  it('ignores colours of newer programs, which are no mistyped ones', async () => {
    const { problems } = await readTheme(file({ glow: '#ffffff', glowTrack: '#000000', future: 3 }), schema);
    expect(problems).toEqual([]);
  });

  it('takes what is missing from the other theme, and names files that are no theme at all', async () => {
    const { definition, missing, problems } = await readTheme(
      '{"name": "few", "colors": {"accent": 1}}',
      schema,
    );
    expect([missing.length, problems]).toEqual([toolkitTokens.length - 1, []]);
    expect(missing).not.toContain('accent');
    expect(definition?.colours.error).toEqual(dark.colours.error);
    for (const wrong of [
      '',
      '[]',
      '{"name": "x"}',
      '{"colors": {}}',
      '{"name": "a/b", "colors": {}}',
      '{"name": ',
    ]) {
      const read = await readTheme(wrong, schema);
      expect(read.definition, wrong).toBeUndefined();
      expect(read.problems.length, wrong).toBe(1);
    }
  });

  it('never throws, and what it reads can be used', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constantFrom('a', 'b', 'toString', '__proto__', null, ''),
    );
    const colours = fc.dictionary(fc.constantFrom('accent', 'text', 'toString', 'x'), value);
    const variables = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value);
    await fc.assert(
      fc.asyncProperty(colours, variables, async (given, vars) => {
        const { definition } = await readTheme(file(given, { vars }), schema);
        if (!definition) throw new Error('A theme with a name and colours can be used.');
        const theme = new Theme(definition, '256');
        for (const token of toolkitTokens) expect(plainText(theme.paint(token, 'x'))).toBe('x');
      }),
    );
  });
});

/** As WCAG 2 defines it. */
function luminance(colour: readonly [number, number, number]): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Tokens of text; borders and backgrounds need less. */
const textTokens = toolkitTokens.filter((token) => !/Bg$|[bB]order|^mdHr$/.test(token));

type ExactColour = readonly [number, number, number];

function exact(colour: Colour): ExactColour {
  if (typeof colour !== 'object' || isTextColour(colour)) throw new Error('not an exact colour');
  return colour;
}

/** The colour that a terminal with 256 colours shows. */
function ofPalette(colour: Colour, layer: 'text' | 'background'): ExactColour {
  return paletteColour(Number(colourParameters(colour, '256', layer).split(';')[2]));
}

function hex(colour: string): ExactColour {
  const digit = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return [digit(1), digit(3), digit(5)];
}

function contrast(one: ExactColour, other: ExactColour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
