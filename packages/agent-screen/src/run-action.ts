import {
  errorMessage,
  type PermissionMode,
  pluralize,
  thinkingLevels,
} from '@robota-sdk/agent-sdk/front-end';
import { type InputEvent, type KeyEvent, oneLine } from '@robota-sdk/agent-tui';
import { modeNames } from './bars/render-footer.ts';
import type { AppAction } from './keys/app-actions.ts';
import type { TuiApp } from './tui-app.ts';

type Action = (app: TuiApp) => void | Promise<void>;

/** How long a second Ctrl+C or Escape counts as such, if nothing else is pressed in between. */
const twiceMs = 2000;
const lastPressed = new WeakMap<
  TuiApp,
  { readonly key: string; readonly at: number; readonly stroke: number }
>();

/** Actions of keys that neither the editor nor a panel handles. */
const actions = {
  'app.clear': clear,
  'app.interrupt': interrupt,
  'app.exit': (app) => app.exit(),
  'app.suspend': (app) => app.suspend(),
  'app.background': moveToBackground,
  'app.help': (app) => app.enter('/keys'),
  'app.tools.expand': async (app) => {
    const { openPager } = await import('./pager/open-pager.ts');
    openPager(app);
  },
  'app.thinking.toggle': (app) => {
    app.isThinkingHidden = !app.isThinkingHidden;
    app.tell(app.isThinkingHidden ? 'Thinking is hidden.' : 'Thinking is shown.');
  },
  'app.mode.cycle': cycleMode,
  'app.thinking.cycle': cycleThinking,
  'app.model.select': (app) => app.enter('/model'),
  'app.model.cycleForward': (app) => cycleModel(app, 1),
  'app.model.cycleBackward': (app) => cycleModel(app, -1),
  'app.message.dequeue': (app) => {
    if (!app.takeBack()) app.tell('Nothing is queued.');
  },
  'app.message.copy': async (app) => {
    const { copyAnswer } = await import('./clipboard/copy-answer.ts');
    await copyAnswer(app);
  },
  'app.compact.toggle': toggleCompaction,
  'app.session.new': (app) => app.enter('/new'),
  'app.session.tree': (app) => app.enter('/tree'),
  'app.session.fork': (app) => app.enter('/fork'),
  'app.session.resume': (app) => app.enter('/resume'),
} as const satisfies Partial<Record<AppAction, Action>>;

const actionIds = Object.keys(actions) as (keyof typeof actions)[];

/**
 * The action of a key that comes before the editor: a question mark where nothing is written yet, and the key for the
 * background while there is something to move.
 */
export function earlyAction(app: TuiApp, event: InputEvent): keyof typeof actions | undefined {
  if (event.type !== 'key' || event.action === 'release') return undefined;
  if (event.text === '?' && app.editor.isEmpty) return 'app.help';
  const canMove = (app.session?.tasks.movable ?? 0) > 0;
  return canMove ? app.keys.find(event, ['app.background']) : undefined;
}

/** Does what a key stands for. */
export async function runAction(app: TuiApp, key: KeyEvent | keyof typeof actions): Promise<void> {
  const id = typeof key === 'string' ? key : app.keys.find(key, actionIds);
  if (!id) return;
  try {
    await actions[id](app);
  } catch (thrown) {
    app.print({ kind: 'notice', level: 'error', text: errorMessage(thrown) });
  }
}

/** Interrupts the run, otherwise clears the editor, otherwise exits on the second press. */
function clear(app: TuiApp): void {
  if (app.interrupt()) return;
  if (!app.editor.isEmpty) {
    app.editor.putAside();
    return;
  }
  if (isSecond(app, 'clear')) return app.exit();
  app.tellUntilStroke('Press Ctrl+C again to exit.');
}

/** Interrupts the run; twice while idle, it opens the rewind list. */
function interrupt(app: TuiApp): void {
  if (app.interrupt() || !app.editor.isEmpty) return;
  if (isSecond(app, 'interrupt')) return app.enter('/rewind');
  if (app.session && app.session.getMessages().length > 0) app.tellUntilStroke('Esc again to rewind.');
}

function moveToBackground(app: TuiApp): void {
  const count = app.session?.tasks.moveToBackground() ?? 0;
  if (count > 0) app.tell(`Moved to the background: ${pluralize(count, 'command')}. /tasks shows it.`);
}

function isSecond(app: TuiApp, key: string): boolean {
  const before = lastPressed.get(app);
  const now = Date.now();
  const isNext = before?.stroke === app.strokes - 1;
  const isAgain = before?.key === key && isNext && now - before.at < twiceMs;
  lastPressed.set(app, { key: isAgain ? '' : key, at: now, stroke: app.strokes });
  return isAgain;
}

const cycledModes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'bypassPermissions'];

async function cycleThinking(app: TuiApp): Promise<void> {
  const session = app.session;
  if (!session) return;
  if (session.model.thinking === 'none') {
    app.tell(`${oneLine(session.model.name)} has no thinking levels.`);
    return;
  }
  const next =
    thinkingLevels[(thinkingLevels.indexOf(session.thinking) + 1) % thinkingLevels.length] ?? 'off';
  await session.setThinking(next);
  app.tell(`Thinking: ${session.thinking}`);
}

/** Goes through the permission modes. Bypassing is among them only if the program was started with it. */
function cycleMode(app: TuiApp): void {
  const { session } = app;
  if (!session) return;
  const { permissions } = session;
  const modes = cycledModes.filter((mode) => mode !== 'bypassPermissions' || permissions.mayBypass);
  const index = modes.indexOf(permissions.mode);
  const next = modes[(index + 1) % modes.length] ?? 'default';
  permissions.choose(next);
  app.tell(`Mode: ${modeNames[next]} (this session)`);
}

/** Goes through the models of the vendor in use. */
async function cycleModel(app: TuiApp, step: 1 | -1): Promise<void> {
  const { session } = app;
  if (!session) return;
  const { vendor, id } = session.model;
  const models = session.listModels().filter((model) => model.vendor === vendor);
  const index = models.findIndex((model) => model.id === id);
  const next = models[(index + step + models.length) % models.length];
  if (!next || next.id === id) return app.tell('No other model of this vendor.');
  const model = await session.setModel(`${next.vendor}/${next.id}`);
  app.tell(`Model: ${model.name}`);
}

/** Toggles automatic compaction in the user's settings. */
async function toggleCompaction(app: TuiApp): Promise<void> {
  const { session } = app;
  if (!session) return;
  const isOn = session.settings?.compaction.enabled !== false;
  const result = await session.executeCommand('config', `set compaction.enabled ${!isOn}`);
  app.tell(result?.success ? `Automatic compaction is ${isOn ? 'off' : 'on'}.` : (result?.message ?? ''));
}
