import {
  type Editor,
  type EditorOptions,
  pastesIn,
  replaceText,
  type SubmitListener,
  type Token,
} from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';
import { AppEditor } from './app-editor.ts';
import { argumentProvider } from './argument-provider.ts';
import { commandProvider } from './command-provider.ts';
import { dropImages } from './image-token.ts';
import type { KeptHistory } from './kept-history.ts';
import { mentionProvider } from './mention-provider.ts';
import { pathProvider } from './path-provider.ts';
import { readAheadAtFirstKey } from './read-ahead.ts';

/** Listeners of the editor, and the user's environment. */
export interface CreateAppEditorOptions extends Pick<EditorOptions, 'onSubmit' | 'onChange'> {
  /** Receives a text that waits for the end of the run. */
  readonly onFollowUp?: SubmitListener;
  /** True during a run; otherwise the follow-up key inserts a line break. */
  readonly canFollowUp?: () => boolean;
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: string;
}

const editorActions = [
  'app.historyUp',
  'app.historyDown',
  'app.message.followUp',
  'app.editor.external',
  'app.paste.view',
] as const;

/** Makes the editor that prompts are written in; what it needs of files is loaded after it was painted. */
export function createAppEditor(stage: Stage, options: CreateAppEditorOptions): AppEditor {
  const { cwd, env = process.env, platform = process.platform } = options;
  const session = () => stage.session;
  const kept = openHistory(stage, { cwd, env });
  const readAhead = readAheadAtFirstKey(session);
  const editor = new AppEditor({
    onSubmit: options.onSubmit,
    onChange: () => {
      readAhead(editor);
      options.onChange?.();
    },
    look: stage.look,
    keybindings: stage.keys,
    session,
    providers: [
      commandProvider(session),
      argumentProvider(session),
      mentionProvider(session),
      pathProvider(session),
    ],
    onRemember: (entry) => void kept.then((history) => history?.remember(entry)),
    onLongPaste: (token) => tellOfPaste(stage, token),
    onKey: (event) => {
      const action = stage.keys.find(event, editorActions);
      if (action === 'app.historyUp') return editor.recall('older');
      if (action === 'app.historyDown') return editor.recall('newer');
      if (action === 'app.message.followUp')
        return options.canFollowUp?.() ? editor.submit(options.onFollowUp) : editor.type('\n');
      if (action === 'app.editor.external') void editInProgram(editor, { stage, env });
      if (action === 'app.paste.view') void openPaste(editor, { stage, env });
      return action !== undefined;
    },
    isPassedOn: (event) => stage.keys.matches(event, 'app.clear'),
    onDrop: (paths) => dropImages(paths, env.HOME ?? '~'),
    pasteImage: () => pasteImage(stage, { env, platform }),
  });
  void kept.then(async (history) => editor.history.addOlder((await history?.load()) ?? []));
  return editor;
}

async function editInProgram(
  editor: Editor,
  options: { readonly stage: Stage; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const before = editor.state;
  const { editExternally } = await import('./edit-externally.ts');
  const written = (await editExternally(editor.text, options))?.replace(/\r?\n$/, '');
  // Text typed meanwhile is kept.
  if (written === undefined || editor.state.buffer !== before.buffer) return;
  editor.change((state) => replaceText(state, written, pastesIn(state, written)));
}

async function openPaste(
  editor: AppEditor,
  options: { readonly stage: Stage; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const [{ openPastePanel }, { editExternally }] = await Promise.all([
    import('./paste-panel.ts'),
    import('./edit-externally.ts'),
  ]);
  openPastePanel(options.stage, editor, (text) => editExternally(text, options));
}

/** Says how a paste that is shown by its label can be seen. */
function tellOfPaste(stage: Stage, { label }: Token): void {
  const [key] = stage.keys.keysOf('app.paste.view');
  if (key !== undefined)
    stage.tell(`Pasted as ${label} ${stage.look.glyphs.separator} ${key} view, expand or edit`);
}

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: string;
}

/** The input history; undefined if the home is unusable. */
async function openHistory(
  stage: Stage,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<KeptHistory | undefined> {
  // The first frame comes first.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    const { KeptHistory } = await import('./kept-history.ts');
    const { createRedactor } = await import('@robota-sdk/agent-sdk/front-end');
    const hide = createRedactor();
    const redact = (text: string) => String(hide(stage.session?.redact(text) ?? text));
    return new KeptHistory({ folder: (await pathsOf(env)).history, cwd, redact });
  } catch {
    return undefined;
  }
}

async function pasteImage(stage: Stage, machine: Machine): Promise<Token | undefined> {
  const { errorMessage } = await import('@robota-sdk/agent-sdk/front-end');
  try {
    const [{ readClipboardImage }, { keepImage }] = await Promise.all([
      import('../clipboard/clipboard-image.ts'),
      import('./keep-image.ts'),
    ]);
    stage.tell('Reading the clipboard…');
    const found = await readClipboardImage(machine);
    stage.tell('');
    if (found === 'empty') return void stage.tell('No image in the clipboard.');
    if ('problem' in found) return void stage.tell(found.problem);
    const token = await keepImage(found.data, (await pathsOf(machine.env)).images);
    if (!token) warn(stage, 'The image format in the clipboard is not supported.');
    return token;
  } catch (thrown) {
    return void warn(stage, errorMessage(thrown));
  }
}

function warn(stage: Stage, text: string): void {
  stage.print({ kind: 'notice', level: 'warning', text });
}

/** Our files in the user's home. */
async function pathsOf(env: NodeJS.ProcessEnv) {
  const { processHost, userPaths } = await import('@robota-sdk/agent-sdk/front-end');
  return userPaths({ ...(await processHost()), env });
}
