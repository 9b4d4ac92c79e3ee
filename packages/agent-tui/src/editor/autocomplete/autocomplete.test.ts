import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRenderStyle } from '../../components/render-style.ts';
import { characterKey } from '../../input/text-key.ts';
import type { KeyEvent } from '../../keys/key-event.ts';
import { Keybindings } from '../../keys/keybindings.ts';
import { toolkitActions } from '../../keys/toolkit-actions.ts';
import { textWidth } from '../../text/styled-text.ts';
import { Editor } from '../editor.ts';
import type { AutocompleteProvider, Completion } from './autocomplete-provider.ts';
import { type CommandChoice, commandCompletions } from './command-completions.ts';
import { type WordCompletionOptions, wordCompletions } from './word-completions.ts';

const modes = ['plan', 'default', 'acceptEdits', 'bypassPermissions'];
const commands: readonly CommandChoice[] = [
  { name: 'modernise', description: 'Modernises a module', group: 'skills', origin: 'tidy-kit' },
  { name: 'help', description: 'Lists commands' },
  { name: 'mode', description: 'Show or change the mode', subcommands: modes.map((name) => ({ name })) },
  {
    name: 'model',
    description: 'Choose the model',
    subcommands: async () => [{ name: 'opus' }, { name: 'sonnet' }],
  },
  { name: 'name', description: 'Names the session', needsArguments: true },
  { name: 'review', description: '검토', group: 'skills' },
];

describe('commands', () => {
  it('opens with a slash as first character and filters as one types', () => {
    proves('C-37');
    const { editor } = stage();
    press(editor, '/');
    expect(names(editor)).toEqual(['/help', '/mode', '/model', '/name', '/modernise', '/review']);
    press(editor, 'm', 'o', 'd', 'e');
    expect(names(editor)).toEqual(['/mode', '/model', '/modernise']);
    press(editor, 'x');
    expect(names(editor)).toEqual([]);
    press(editor, 'backspace', 'l');
    expect(names(editor)).toEqual(['/model']);
  });

  it('does not open for a slash elsewhere', () => {
    proves('C-37');
    const { editor } = stage();
    press(editor, 'a', '/');
    expect(names(editor)).toEqual([]);
    editor.clear();
    press(editor, 'ctrl+j', '/');
    expect(names(editor)).toEqual([]);
  });

  it('offers names that are like what was typed if none begins with it', () => {
    proves('C-37');
    const { editor } = stage();
    press(editor, ...'/view');
    expect(names(editor)).toEqual(['/review']);
    editor.clear();
    press(editor, ...'/mdl');
    expect(names(editor)).toEqual(['/model']);
  });

  it('moves with up and down, round the ends', () => {
    proves('C-38');
    const { editor } = stage();
    press(editor, '/', 'down', 'down');
    expect(selected(editor)).toBe('/model');
    press(editor, 'up', 'up', 'up');
    expect(selected(editor)).toBe('/review');
    press(editor, 'down');
    expect(selected(editor)).toBe('/help');
  });

  it('enter inserts and runs a command that needs nothing more', () => {
    proves('C-39');
    const { editor, sent } = stage();
    press(editor, '/', 'h', 'enter');
    expect(sent).toEqual(['/help']);
    expect(editor.isEmpty).toBe(true);
  });

  it('enter only inserts a command that needs arguments', () => {
    proves('C-39');
    const { editor, sent } = stage();
    press(editor, '/', 'n', 'enter');
    expect(sent).toEqual([]);
    expect(editor.text).toBe('/name ');
    press(editor, 'x', 'enter');
    expect(sent).toEqual(['/name x']);
  });

  it('tab completes to the common prefix, then takes what is selected without running it', () => {
    proves('C-40');
    const { editor, sent } = stage();
    press(editor, '/', 'm', 'tab');
    expect(editor.text).toBe('/mode');
    expect(names(editor)).toEqual(['/mode', '/model', '/modernise']);
    press(editor, 'tab');
    expect(editor.text).toBe('/mode ');
    editor.clear();
    press(editor, '/', 'h', 'tab');
    expect(editor.text).toBe('/help');
    expect(sent).toEqual([]);
  });

  it('escape closes, keeps the text, and the popup stays away until it is asked for', () => {
    proves('C-41');
    const { editor } = stage();
    press(editor, '/', 'm', 'escape');
    expect(editor.text).toBe('/m');
    expect(names(editor)).toEqual([]);
    press(editor, 'o');
    expect(names(editor)).toEqual([]);
    expect(editor.handleInput(pressKey('escape'))).toBe(false);
    press(editor, 'tab');
    expect(names(editor)).toEqual(['/mode', '/model', '/modernise']);
  });

  it('backspace past the slash closes', () => {
    proves('C-42');
    const { editor } = stage();
    press(editor, '/', 'backspace');
    expect(names(editor)).toEqual([]);
    expect(editor.isEmpty).toBe(true);
    press(editor, '/');
    expect(names(editor).length).toBe(6);
  });

  it('opens a nested menu, and runs the word that is chosen there', () => {
    proves('C-43');
    const { editor, sent } = stage();
    press(editor, '/', 'down', 'enter');
    expect(editor.text).toBe('/mode ');
    expect(names(editor)).toEqual(modes);
    expect(selected(editor)).toBeUndefined();
    press(editor, 'a');
    expect(names(editor)).toEqual(['acceptEdits']);
    press(editor, 'enter');
    expect(sent).toEqual(['/mode acceptEdits']);
  });

  it('opens a nested menu whose words must be looked for first', async () => {
    proves('C-43');
    const { editor, sent } = stage();
    press(editor, ...'/model', 'tab');
    await vi.waitFor(() => expect(names(editor)).toEqual(['opus', 'sonnet']));
    press(editor, 'up', 'enter');
    expect(sent).toEqual(['/model sonnet']);
  });

  it('enter runs what was typed to its end; a word of the menu is chosen by going to it', () => {
    proves('C-39', 'C-43');
    const { editor, sent } = stage();
    press(editor, ...'/mode', 'enter');
    expect(sent).toEqual(['/mode']);
    press(editor, ...'/mode', ' ', 'enter');
    press(editor, ...'/mode', 'tab', 'enter');
    expect(sent.map((text) => text.trim())).toEqual(['/mode', '/mode', '/mode']);
    press(editor, ...'/mode', ' ', 'down', 'enter');
    press(editor, ...'/mode', ' ', 'up', 'enter');
    expect(sent.slice(3)).toEqual(['/mode plan', '/mode bypassPermissions']);
    press(editor, ...'/mode', ' ', 'tab');
    expect(editor.text.trim()).toBe('/mode plan');
    editor.clear();
    press(editor, ...'/name', 'enter');
    expect(sent.at(-1)).toBe('/name');
  });

  it('enter completes the beginning of a listed word, and sends other arguments as they were typed', () => {
    proves('C-39', 'C-43');

    const { editor, sent } = stage();
    press(editor, ...'/mode a', 'enter', ...'/mode plan', 'enter', ...'/mode PL', 'enter');
    expect(sent).toEqual(['/mode acceptEdits', '/mode plan', '/mode plan']);
    press(editor, ...'/mode pn', 'enter', ...'/mode x', 'enter', ...'/mode planned', 'enter');
    expect(sent.slice(3)).toEqual(['/mode pn', '/mode x', '/mode planned']);
    press(editor, ...'/mode d', 'down', 'enter');
    expect(sent.at(-1)).toBe('/mode default');
  });

  it('enter sends the beginning of a word that must be looked for as it was typed', async () => {
    proves('C-39');
    const { editor, sent } = stage();
    press(editor, ...'/model op');
    await vi.waitFor(() => expect(names(editor)).toEqual(['opus']));
    expect(selected(editor)).toBeUndefined();
    press(editor, 'enter');
    expect(sent).toEqual(['/model op']);
  });

  it('enter never replaces a name by one that is only similar, unless the user moved to it', () => {
    proves('C-37', 'C-39');
    const { editor, sent } = stage();
    press(editor, ...'/mdl');
    expect([names(editor), selected(editor)]).toEqual([['/model'], undefined]);
    press(editor, 'enter');
    expect(sent).toEqual(['/mdl']);
    press(editor, ...'/view', 'down', 'enter');
    expect(sent.at(-1)).toBe('/review');
  });

  it('never offers an empty suggestion', () => {
    proves('C-37');
    const provider: AutocompleteProvider = {
      find: ({ before }) => ({ start: 0, end: before.length, query: before }),
      complete: () => [{ value: '' }, { value: ' ' }],
    };
    const { editor, sent } = stage({ providers: [provider] });
    press(editor, 'a', 'enter');
    expect(sent).toEqual(['a']);
  });

  it('groups by source, built-in ones first, and shows where plugin skills are from', () => {
    proves('C-44', 'C-46');
    const { editor } = stage();
    press(editor, '/');
    expect(popup(editor).map(plain)).toEqual([
      '> /help    Lists commands',
      '  /mode    Show or change the mode ▸',
      '  /model   Choose the model ▸',
      '  /name    Names the session',
      '  ── skills ──',
      '  /modernise (tidy-kit) Modernises a module',
      '  /review  검토',
    ]);
  });

  it('scrolls to what is selected and highlights it', () => {
    proves('C-45');
    const many = Array.from({ length: 30 }, (_, index) => ({ name: `command-${index}` }));
    const { editor } = stage({ providers: [commandCompletions({ trigger: '/', commands: () => many })] });
    editor.popupRows = 5;
    press(editor, '/', ...Array<string>(20).fill('down'));
    const lines = popup(editor);
    expect(lines.length).toBe(6);
    expect(lines[2]).toMatch(/^> .*\/command-20/);
    expect(lines[5]).toBe('  21/30');
    press(editor, 'pageUp');
    expect(selected(editor)).toBe('/command-15');
    press(editor, 'pageDown', 'pageDown', 'pageDown', 'pageDown');
    expect(selected(editor)).toBe('/command-29');
  });

  it('is never wider than the terminal', () => {
    proves('C-45');
    const { editor } = stage();
    press(editor, '/');
    for (const width of [20, 33, 60])
      for (const line of editor.render(width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
  });

  it('shows no control characters of names and descriptions', () => {
    proves('C-37');
    const bad = [{ name: 'x', description: 'a\u001b[2Jb\nc', group: '\u001b]0;t\u0007g' }];
    const { editor } = stage({ providers: [commandCompletions({ trigger: '/', commands: () => bad })] });
    press(editor, '/');
    expect(popup(editor).join('|')).toContain('ab c');
    expect(popup(editor).map(plain).join('|')).not.toContain('\u001b');
  });
});

describe('mentions', () => {
  it('completes commands and mentions in one editor', async () => {
    proves('P-94', 'P-106', 'C-37');
    const { editor } = stage({
      providers: [commandCompletions({ trigger: '/', commands: () => commands }), files('@src/a.ts')],
    });
    press(editor, ...'/na', 'enter', '@', 's');
    await vi.waitFor(() => expect(names(editor)).toEqual(['@src/a.ts']));
    press(editor, 'enter');
    expect(editor.text).toBe('/name @src/a.ts ');
  });

  it('replaces the nearest token, also what follows the caret', async () => {
    proves('P-94');
    const { editor } = stage({ providers: [files('@file:src/a.ts', '@file:src/b.ts')] });
    press(editor, ...'see @file:sr/x.ts, and 한국', ...Array<string>(14).fill('left'), 's');
    await vi.waitFor(() => expect(names(editor)).toEqual(['@file:src/a.ts', '@file:src/b.ts']));
    press(editor, 'down', 'enter');
    expect(editor.text).toBe('see @file:src/b.ts and 한국');
  });

  it('continues inside a directory, also one with blanks in its name', async () => {
    proves('P-94');
    const { editor } = stage({ providers: [files('@"my dir/"', '@"my dir/b.ts"')] });
    press(editor, '@', 'm');
    await vi.waitFor(() => expect(names(editor).length).toBe(2));
    press(editor, 'enter');
    expect(editor.text).toBe('@"my dir/"');
    await vi.waitFor(() => expect(names(editor).length).toBe(2));
    press(editor, 'down', 'enter');
    expect(editor.text).toBe('@"my dir/b.ts" ');
  });

  it('sends on enter what was typed to its end', async () => {
    proves('P-94');
    const { editor, sent } = stage({ providers: [files('@agent:검토')] });
    press(editor, ...'@agent:검토');
    await vi.waitFor(() => expect(names(editor)).toEqual(['@agent:검토']));
    press(editor, 'enter');
    expect(sent).toEqual(['@agent:검토']);
  });

  it('starts commands and words as the program says', () => {
    proves('P-94', 'C-37');
    const words = wordCompletions({
      wordBefore: (text) => /#\w*$/.exec(text)?.[0],
      restOfWord: /^\w*/,
      complete: () => [],
      isOnDemand: true,
    });
    expect(words.isOnDemand).toBe(true);
    expect(words.find({ before: 'a #b', after: 'c d', line: 3 })).toEqual({ start: 2, end: 5, query: '#b' });
    expect(words.find({ before: '@b', after: '', line: 0 })).toBeUndefined();
    const { editor } = stage({ providers: [commandCompletions({ trigger: ':', commands: () => commands })] });
    press(editor, ...':he');
    expect(names(editor)).toEqual([':help']);
    press(editor, 'tab');
    expect(editor.text).toBe(':help');
  });
});

describe('slow providers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are asked once typing rests, and aborted by the next key', async () => {
    proves('P-94');
    const { provider, asked } = slow();
    const { editor } = stage({ providers: [provider] });
    press(editor, '@', 'a');
    await vi.advanceTimersByTimeAsync(29);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked.map(({ query }) => query)).toEqual(['@a']);
    press(editor, 'b');
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(editor.text).toBe('@ab');
  });

  it('never show an answer to an older question', async () => {
    proves('P-94');
    const { provider, asked } = slow();
    const { editor } = stage({ providers: [provider] });
    press(editor, '@', 'a');
    await vi.advanceTimersByTimeAsync(30);
    press(editor, 'b');
    await vi.advanceTimersByTimeAsync(30);
    asked[1]?.answer([{ value: '@ab-new' }]);
    asked[0]?.answer([{ value: '@a-old' }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(names(editor)).toEqual(['@ab-new']);
  });

  it('keep what still fits in sight while the next answer is awaited', async () => {
    proves('P-94');
    const { provider, asked } = slow();
    const { editor } = stage({ providers: [provider] });
    press(editor, '@', 'a');
    await vi.advanceTimersByTimeAsync(30);
    asked[0]?.answer([{ value: '@ab' }, { value: '@ac' }]);
    await vi.advanceTimersByTimeAsync(0);
    press(editor, 'c');
    expect(names(editor)).toEqual(['@ac']);
  });

  it('are stopped after two seconds, and may then tell what they found; no timer is left', async () => {
    proves('P-94');
    const { provider, asked } = slow();
    const { editor } = stage({ providers: [provider] });
    press(editor, '@');
    await vi.advanceTimersByTimeAsync(2029);
    expect(asked[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked[0]?.signal.aborted).toBe(true);
    asked[0]?.answer([{ value: '@found' }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(names(editor)).toEqual(['@found']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are waited for by tab and what is typed after it', async () => {
    proves('P-94');
    const { provider, asked } = slow();
    const { editor, sent } = stage({ providers: [provider] });
    press(editor, ...'@with', 'tab', ...' now', 'enter');
    expect([editor.text, sent]).toEqual(['@with', []]);
    await vi.advanceTimersByTimeAsync(30);
    asked[0]?.answer([{ value: '@"with blank.txt"' }]);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(['@"with blank.txt"  now']);
    press(editor, ...'@late', 'tab', 'x');
    await vi.advanceTimersByTimeAsync(5000);
    expect(editor.text).toBe('@latex');
  });

  it('that fail have found nothing', async () => {
    proves('P-94');
    const failing: AutocompleteProvider = {
      find: ({ before }) => ({ start: 0, end: before.length, query: before }),
      complete: async () => {
        throw new Error('no such folder');
      },
    };
    const { editor } = stage({ providers: [failing] });
    press(editor, 'a');
    await vi.advanceTimersByTimeAsync(5000);
    expect(names(editor)).toEqual([]);
    expect(editor.text).toBe('a');
    expect(vi.getTimerCount()).toBe(0);
  });
});

function stage({
  providers = [commandCompletions({ trigger: '/', commands: () => commands })],
}: {
  providers?: AutocompleteProvider[];
} = {}) {
  const sent: string[] = [];
  const editor = new Editor({
    keybindings: new Keybindings(toolkitActions),
    look: createRenderStyle(),
    onSubmit: (text) => sent.push(text),
    providers,
  });
  return { editor, sent };
}

function files(...values: readonly string[]): AutocompleteProvider {
  const next = (value: string) => (/[/:]"?$/.test(value) ? 'continue' : 'end');
  return mentions(() => values.map((value) => ({ value, next: next(value) })));
}

interface Question {
  readonly query: string;
  readonly signal: AbortSignal;
  readonly answer: (items: readonly Completion[]) => void;
}

function slow() {
  const asked: Question[] = [];
  const provider = mentions(
    (query, signal) => new Promise((answer) => asked.push({ query, signal, answer })),
  );
  return { provider, asked };
}

function mentions(complete: WordCompletionOptions['complete']): AutocompleteProvider {
  const wordBefore = (text: string) => /@(?:"[^"\n]*|[^\s"]*)$/.exec(text)?.[0];
  return wordCompletions({ wordBefore, restOfWord: /^[^\s"]*"?/, complete, delayMs: 30 });
}

/** The lines below the editor. */
function popup(editor: Editor): string[] {
  const lines = editor.render(60);
  const border = lines.findIndex((line, index) => index > 0 && /^─+$/.test(line));
  return lines.slice(border + 1).map((line) => line.trimEnd());
}

function names(editor: Editor): string[] {
  const isItem = (line: string) => !/^ {2}(?:──|\d+\/)/.test(line);
  return popup(editor)
    .filter(isItem)
    .map(
      (line) =>
        plain(line)
          .slice(2)
          .match(/^@"[^"]*"|^\S+/)?.[0] ?? '',
    );
}

function selected(editor: Editor): string | undefined {
  const line = popup(editor).find((one) => plain(one).startsWith('>'));
  return line && plain(line).slice(2).split(' ')[0];
}

function plain(line: string): string {
  return line.replaceAll('\u001b[1m', '').replaceAll('\u001b[22m', '');
}

function press(editor: Editor, ...keys: readonly string[]): void {
  for (const key of keys) editor.handleInput(pressKey(key));
}

/** A typed character, or a key by its id. */
function pressKey(key: string): KeyEvent {
  const isCharacter = [...key].length === 1;
  return isCharacter ? characterKey(key) : { type: 'key', id: key, otherIds: [], text: '', action: 'press' };
}
