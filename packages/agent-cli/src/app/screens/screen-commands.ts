import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { Stage } from '../stage/stage.ts';

/** Opens what a command shows; tells whether there is something, else the command itself answers. */
type OpenScreen = (stage: Stage, session: InteractiveSession) => Promise<boolean>;

/** Commands that open something where nothing is said behind them. */
const screens: Readonly<Record<string, OpenScreen>> = {
  model: async (stage, session) => {
    const { openModelPicker } = await import('./model-picker.ts');
    await openModelPicker(stage, session);
    return true;
  },
  mode: async (stage, session) => {
    const { openModePicker } = await import('./mode-picker.ts');
    openModePicker(stage, session);
    return true;
  },
  resume: openResume,
  tree: async (stage, session) => {
    if ([...session.branches.tree().ids()].length === 0) return false;
    const { openTreeScreen } = await import('./tree-screen.ts');
    openTreeScreen(stage, session);
    return true;
  },
  rewind: async (stage, session) => {
    if (session.isExecuting()) return false;
    const { openRewindPicker } = await import('./rewind-picker.ts');
    return openRewindPicker(stage, session);
  },
  context: async (stage, session) => {
    const { openContextScreen } = await import('./context-screen.ts');
    openContextScreen(stage, session);
    return true;
  },
  'context receipt': async (stage, session) => {
    const { openReceiptScreen } = await import('./receipt-screen.ts');
    return openReceiptScreen(stage, session);
  },
  recall: async (stage, session) => {
    const { openRecallPicker } = await import('./recall-picker.ts');
    return openRecallPicker(stage, session);
  },
  theme: async (stage) => {
    const { theme } = stage;
    if (!theme) return false;
    const { openThemePicker } = await import('./theme-picker.ts');
    await openThemePicker(stage, theme);
    return true;
  },
  config: openSettings,
  settings: openSettings,
  help: (stage) => openHelp(stage, 'commands'),
  keys: (stage) => openHelp(stage, 'keys'),
};

/** Opens the screen of a command that has one; tells whether there is one. */
export async function openScreenFor(text: string, stage: Stage): Promise<boolean> {
  const { session } = stage;
  const [, name = '', args = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text.trim()) ?? [];
  if (name === 'theme' && args !== '') return useTheme(stage, args);
  if (name === 'help' && args !== '') return tellOwn(stage, args.replace(/^\//, ''));
  const wanted = args === '' ? name : `${name} ${args}`;
  if (!session || !Object.hasOwn(screens, wanted)) return false;
  return (await screens[wanted]?.(stage, session)) ?? false;
}

async function openResume(stage: Stage, session: InteractiveSession): Promise<boolean> {
  const { openSessionPicker } = await import('./session-picker.ts');
  const { home, cwd } = session.kept;
  await openSessionPicker(stage, {
    home,
    cwd,
    userHome: session.place.host.home,
    session,
    onEnd: (chosen) => {
      if (chosen) stage.enter(`/resume ${chosen.id}`);
    },
  });
  return true;
}

async function openSettings(stage: Stage, session: InteractiveSession): Promise<boolean> {
  const { openSettingsScreen } = await import('./settings-screen.ts');
  await openSettingsScreen(stage, session);
  return true;
}

async function openHelp(stage: Stage, first: 'commands' | 'keys'): Promise<boolean> {
  const { openHelpScreen } = await import('./help-screen.ts');
  openHelpScreen(stage, first);
  return true;
}

/** The session knows nothing of the commands that only the terminal UI has. */
async function tellOwn(stage: Stage, name: string): Promise<boolean> {
  if (name === 'keys') return openHelp(stage, 'keys');
  const { ownCommands } = await import('./own-commands.ts');
  const command = ownCommands.find((own) => own.name === name);
  if (command) stage.print({ kind: 'notice', level: 'info', text: `/${name}\n${command.description}` });
  return command !== undefined;
}

async function useTheme(stage: Stage, name: string): Promise<boolean> {
  const { theme } = stage;
  if (!theme) return false;
  const { saveTheme } = await import('./theme-picker.ts');
  await saveTheme(stage, theme, name);
  return true;
}
