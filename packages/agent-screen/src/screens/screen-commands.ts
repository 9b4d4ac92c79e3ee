import { type CommandFacts, type InteractiveSession, isOn } from '@robota-sdk/agent-sdk/front-end';
import { toggleTodos } from '../bars/render-todos.ts';
import type { Stage } from '../stage/stage.ts';

/** Opens a screen; false where there is nothing to show, and the command itself answers. */
type OpenScreen = (stage: Stage, session: InteractiveSession, args: string) => Promise<boolean>;

/** The screens that commands name. */
const screens: Readonly<Record<string, OpenScreen>> = {
  models: async (stage, session) => {
    const { openModelPicker } = await import('./model-picker.ts');
    await openModelPicker(stage, session);
    return true;
  },
  modes: async (stage, session) => {
    const { openModePicker } = await import('./mode-picker.ts');
    openModePicker(stage, session);
    return true;
  },
  tasks: async (stage, session) => {
    const { openTasksScreen } = await import('./tasks-screen.ts');
    openTasksScreen(stage, session);
    return true;
  },
  agents: async (stage, session) => {
    const { openAgentsScreen } = await import('./agents-screen.ts');
    openAgentsScreen(stage, session);
    return true;
  },
  sessions: openResume,
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
  usage: async (stage, session) => {
    const { openUsageScreen } = await import('../usage/usage-screen.ts');
    openUsageScreen(stage, session);
    return true;
  },
  receipt: async (stage, session) => {
    const { openReceiptScreen } = await import('./receipt-screen.ts');
    return openReceiptScreen(stage, session);
  },
  recall: async (stage, session) => {
    const { openRecallPicker } = await import('./recall-picker.ts');
    return openRecallPicker(stage, session);
  },
  themes: async (stage, _session, name) => {
    const { theme } = stage;
    if (!theme) return false;
    if (name !== '') return useTheme(stage, name);
    const { openThemePicker } = await import('./theme-picker.ts');
    await openThemePicker(stage, theme);
    return true;
  },
  review: async (stage, session, args) => {
    const { openReviewScreen } = await import('../review/review-screen.ts');
    return openReviewScreen(stage, session, { args, isReadOnly: false });
  },
  diff: async (stage, session, args) => {
    const { openReviewScreen } = await import('../review/review-screen.ts');
    return openReviewScreen(stage, session, { args, isReadOnly: true });
  },
  copy: async (stage, session, args) => {
    const { copyBlock } = await import('../clipboard/copy-answer.ts');
    await copyBlock(stage, session, args);
    return true;
  },
  settings: openSettings,
  vim: async (stage, session) => {
    const isOn = !session.settings?.terminal.vim;
    await session.applySettings({ vim: isOn });
    stage.tell(`Vim keys: ${isOn ? 'on' : 'off'} (this session)`);
    return true;
  },
  todos: async (stage, session) => {
    if (session.todos.every(({ status }) => status === 'completed')) return false;
    stage.tell(toggleTodos(session) ? 'Todo list folded.' : 'Todo list unfolded.');
    return true;
  },
  help: (stage) => openHelp(stage, 'commands'),
  keys: (stage) => openHelp(stage, 'keys'),
};

/** Opens the screen of a command that has one for its arguments; tells whether it did. */
export async function openScreenFor(
  { command, args }: { readonly command: CommandFacts | undefined; readonly args: string },
  stage: Stage,
): Promise<boolean> {
  const { session } = stage;
  const screen = command && screenOf(command, args);
  if (!session || screen === undefined) return false;
  return (await screens[screen]?.(stage, session, args)) ?? false;
}

/** Arguments leave a screen to the command itself, unless a subcommand has one or only the terminal has the command. */
function screenOf(command: CommandFacts, args: string): string | undefined {
  if (args === '' || command.hasScreenArguments || isOn(command, 'terminal')) return command.screen;
  return command.subcommands?.find(({ name }) => name === args)?.screen;
}

async function openResume(stage: Stage, session: InteractiveSession): Promise<boolean> {
  const { openSessionPicker } = await import('./session-picker.ts');
  await openSessionPicker(stage, {
    kept: session.kept,
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

async function useTheme(stage: Stage, name: string): Promise<boolean> {
  const { theme } = stage;
  if (!theme) return false;
  const { saveTheme } = await import('./theme-picker.ts');
  await saveTheme(stage, theme, name);
  return true;
}
