import { basename } from 'node:path';
import { builtInThemeNames, errorMessage, pluralize } from '@robota-sdk/agent-sdk/front-end';
import { type SelectItem, truncateText } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';
import type { AppTheme } from '../theme/app-theme.ts';
import type { LoadedThemes } from '../theme/load-themes.ts';
import { ListPanel } from './list-panel.ts';

/** Opens the theme picker; each theme is previewed while selected. */
export async function openThemePicker(stage: Stage, theme: AppTheme): Promise<void> {
  const loaded = await theme.list();
  const panel = new ListPanel<string>({
    stage,
    title: 'Theme',
    items: themeItems(loaded, theme.setting),
    search: 'list',
    hints: [
      { action: 'tui.select.confirm', text: 'select' },
      { action: 'tui.select.cancel', text: 'cancel' },
    ],
    head: (width) =>
      problemLines(loaded).map((text) => truncateText(` ${text}`, width, stage.look.glyphs.ellipsis)),
    detail: (_, width) =>
      sample(stage).map((line) => truncateText(`  ${line}`, width, stage.look.glyphs.ellipsis)),
    onChange: (name) => theme.try(name),
    onSelect: (name) => {
      open.close();
      void saveTheme(stage, theme, name);
    },
    onCancel: () => {
      theme.try(undefined);
      open.close();
    },
  });
  panel.select(theme.setting);
  const open = stage.openPanel(panel);
}

/** Files that can't be used must not take the room of the list: their names are enough. */
function problemLines({ problems }: LoadedThemes): readonly string[] {
  const [only] = problems;
  if (!only) return [];
  if (problems.length === 1) return [`! ${only.text}`];
  const names = problems.map(({ path }) => basename(path)).join(', ');
  return [`! ${only.text}`, `! ${problems.length} files have problems: ${names}`];
}

/** Uses a theme from now on, and in later sessions, if there is one of that name. */
export async function saveTheme(stage: Stage, theme: AppTheme, name: string): Promise<void> {
  try {
    const problem = await theme.problemOf(name);
    if (problem !== undefined) throw new Error(problem);
    const result = await stage.session?.executeCommand('config', `set theme ${name}`);
    if (result && !result.success) throw new Error(result.message);
    await theme.setSetting(name);
    stage.tell(`The theme is ${name}.`);
  } catch (thrown) {
    theme.try(undefined);
    stage.print({ kind: 'notice', level: 'error', text: errorMessage(thrown) });
  }
}

function themeItems({ themes }: LoadedThemes, setting: string): readonly SelectItem<string>[] {
  const builtIn = [
    { value: 'light/dark', label: 'light or dark', description: 'as the terminal is' },
    ...builtInThemeNames.map((name) => ({ value: name, label: name, description: 'built in' })),
  ];
  const own = themes.map(({ definition: { name }, path, missing }) => ({
    value: name,
    label: name,
    description: missing === 0 ? path : `${path}, ${pluralize(missing, 'colour')} of dark`,
  }));
  const all = [...builtIn.filter(({ value }) => !own.some((theme) => theme.value === value)), ...own];
  return all.map((item) =>
    item.value === setting ? { ...item, description: `current, ${item.description}` } : item,
  );
}

/** A little of everything that has a colour. */
function sample({ look: { paint, glyphs } }: Stage): readonly string[] {
  return [
    `${paint('accent', glyphs.pointer)} ${paint('userMessageBg', paint('userMessageText', 'fix the failing test'))}`,
    `${paint('success', 'done')} ${paint('warning', 'waiting')} ${paint('error', 'failed')} ${paint('muted', 'muted')} ${paint('dim', 'dim')}`,
    `${paint('mdHeading', 'Heading')} ${paint('mdLink', 'link')} ${paint('mdCode', 'code')} ${paint('thinkingText', 'thinking')}`,
    `${paint('syntaxKeyword', 'const')} ${paint('syntaxVariable', 'sum')} = ${paint('syntaxNumber', '42')} ${paint('syntaxComment', '// why')}`,
    paint('diffRemovedBg', paint('toolDiffRemoved', '- removed ')),
    paint('diffAddedBg', paint('toolDiffAdded', '+ added ')),
  ];
}
