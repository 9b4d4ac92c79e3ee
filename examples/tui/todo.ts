// A to-do list in a terminal, built on agent-tui only. Run it: node examples/tui/todo.ts todo.txt
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  adaptToTerminal,
  Box,
  CancellableLoader,
  type CapabilityProbe,
  Container,
  commandCompletions,
  createRenderStyle,
  darkTheme,
  detectCapabilities,
  Editor,
  firstModes,
  type InputEvent,
  Keybindings,
  type KeyEvent,
  OverlayStack,
  oneLine,
  ProcessTerminal,
  renderKeyHints,
  Screen,
  Spacer,
  Text,
  Theme,
  type ToolkitToken,
  TruncatedText,
  toolkitActions,
  viewOf,
  wordCompletions,
} from '@robota-sdk/agent-tui';
import { type Task, TaskList } from './task-list.ts';

/** The toolkit's actions and ours. A user's file could change the keys: see `readKeybindings`. */
const actions = {
  ...toolkitActions,
  'todo.next': { keys: ['alt+down'], description: 'Select the next task' },
  'todo.previous': { keys: ['alt+up'], description: 'Select the previous task' },
  'todo.toggle': { keys: ['ctrl+t'], description: 'Mark the task as done or open' },
  'todo.help': { keys: ['f1'], description: 'Show the keys' },
  'todo.quit': { keys: ['ctrl+d'], description: 'Quit' },
} as const;
const ownActions = ['todo.next', 'todo.previous', 'todo.toggle', 'todo.help', 'todo.quit'] as const;

const commands = [
  { name: 'clear', description: 'Remove finished tasks' },
  { name: 'import', description: 'Add the lines that a command prints', needsArguments: true },
];

class TodoProgram {
  readonly #file: string;
  readonly #keys = new Keybindings<keyof typeof actions>(actions);
  readonly #overlays = new OverlayStack();
  readonly #status = new Container();
  readonly #list: TaskList;
  readonly #editor: Editor;
  readonly #root: Container;
  readonly #screen: Screen;
  readonly #probe: CapabilityProbe;
  readonly #style;
  #loader: CancellableLoader | undefined;

  constructor(file: string) {
    this.#file = file;
    const capabilities = detectCapabilities(process.env);
    const { colours } = darkTheme();
    const theme = new Theme<ToolkitToken | 'urgent'>(
      { name: 'todo', colours: { ...colours, urgent: [0xff, 0x5f, 0x5f] } },
      capabilities.colours,
    );
    this.#style = createRenderStyle<ToolkitToken | 'urgent'>({
      paint: (token, text) => theme.paint(token, text),
      isAscii: !capabilities.isUnicode,
    });
    this.#list = new TaskList(readTasks(file), this.#style);
    this.#editor = this.#createEditor();
    this.#root = this.#createLayout();
    const terminal = new ProcessTerminal({ modes: firstModes(capabilities) });
    this.#screen = new Screen(terminal, {
      reflow: capabilities.reflow,
      render: (size) => viewOf(this.#root, size, this.#overlays),
      input: (event) => this.#input(event),
      close: () => process.exit(1),
    });
    this.#screen.start();
    // Asks the terminal what it supports. Its answers arrive as input.
    this.#probe = adaptToTerminal({
      terminal,
      screen: this.#screen,
      capabilities,
      onChange: () => this.#screen.refresh(),
    });
  }

  #createEditor(): Editor {
    const editor = new Editor({
      keybindings: this.#keys,
      look: this.#style,
      onSubmit: (text) => this.#submit(text),
      onChange: () => this.#screen.refresh(),
      onKey: (event) => this.#runAction(event),
      providers: [
        commandCompletions({ trigger: ':', commands: () => commands }),
        wordCompletions({
          wordBefore: (text) => /#\w*$/.exec(text)?.[0],
          restOfWord: /^\w*/,
          complete: (tag) =>
            this.#list.tags.filter((known) => known.startsWith(tag)).map((value) => ({ value })),
        }),
      ],
    });
    editor.isFocused = true;
    editor.placeholder = 'Type a task, or : for commands';
    return editor;
  }

  #createLayout(): Container {
    const title = new Box([new Text('To do'), new TruncatedText(basename(this.#file))], {
      background: (line) => this.#style.paint('selectedBg', line),
    });
    const hints = [
      { keys: 'f1', text: 'keys' },
      { keys: 'ctrl+t', text: 'done' },
      { keys: 'ctrl+d', text: 'quit' },
    ];
    const footer = { render: (width: number) => [renderKeyHints(hints, width, this.#style)] };
    return new Container([title, new Spacer(), this.#list, this.#status, this.#editor, footer]);
  }

  #input(event: InputEvent): void {
    if (event.type === 'response') return this.#probe.take(event.response);
    const isUsed =
      this.#overlays.handleInput(event) ||
      this.#loader?.handleInput(event) ||
      this.#editor.handleInput(event);
    if (isUsed) this.#screen.refresh();
  }

  #runAction(event: KeyEvent): boolean {
    const action = this.#keys.find(event, ownActions);
    if (action === 'todo.next') this.#list.move(1);
    else if (action === 'todo.previous') this.#list.move(-1);
    else if (action === 'todo.toggle') this.#list.toggle();
    else if (action === 'todo.help') this.#showHelp();
    else if (action === 'todo.quit' && this.#editor.isEmpty) void this.#quit();
    else return false;
    this.#save();
    return true;
  }

  #submit(text: string): void {
    const [, name, rest = ''] = /^:(\w+) ?(.*)$/.exec(text) ?? [];
    if (name === undefined) this.#list.add(oneLine(text));
    else if (name === 'clear') this.#clear();
    else if (name === 'import') void this.#import(rest);
    else this.#screen.commit([this.#style.paint('warning', `Unknown command: ${name}`)]);
    this.#save();
  }

  /** Finished tasks leave the live region and become lines of the scrollback. */
  #clear(): void {
    const done = this.#list.removeDone();
    const { success } = this.#style.glyphs;
    this.#screen.commit(done.map(({ text }) => this.#style.paint('success', `${success} ${text}`)));
  }

  async #import(command: string): Promise<void> {
    const loader = new CancellableLoader({
      message: `${oneLine(command)} (escape cancels)`,
      keybindings: this.#keys,
      onChange: () => this.#screen.refresh(),
    });
    this.#loader = loader;
    this.#status.add(loader);
    loader.start();
    const lines = await outputOf(command, loader.signal);
    loader.stop();
    this.#status.clear();
    this.#loader = undefined;
    for (const line of lines) this.#list.add(oneLine(line));
    this.#save();
    this.#screen.refresh();
  }

  #showHelp(): void {
    const rows = this.#keys.list().filter(({ action }) => action.startsWith('todo.'));
    const text = rows
      .map(({ keys, description }) => `${keys.join(', ').padEnd(10)} ${description}`)
      .join('\n');
    const box = new Box([new Text(text)], {
      paddingY: 1,
      background: (line) => this.#style.paint('selectedBg', line),
    });
    const close = () => {
      panel.close();
      return true;
    };
    const panel = this.#overlays.show(Object.assign(box, { handleInput: close }), {
      width: 50,
      anchor: 'centre',
    });
  }

  #save(): void {
    writeFileSync(
      this.#file,
      this.#list.tasks.map(({ isDone, text }) => `[${isDone ? 'x' : ' '}] ${text}\n`).join(''),
    );
  }

  async #quit(): Promise<void> {
    await this.#screen.stop();
    process.exit(0);
  }
}

function readTasks(file: string): Task[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.split('\n').filter((line) => /^\[[ x]\] /.test(line));
  return lines.map((line) => ({ isDone: line.startsWith('[x]'), text: line.slice(4) }));
}

/** The lines that a shell command prints; none if it is cancelled. */
function outputOf(command: string, signal: AbortSignal): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], { signal, stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', () => resolve([]));
    child.on('close', () => resolve(output.split('\n').filter((line) => line.trim() !== '')));
  });
}

new TodoProgram(process.argv[2] ?? 'todo.txt');
