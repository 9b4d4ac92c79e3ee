import {
  type Component,
  oneLine,
  type RenderStyle,
  type ToolkitToken,
  truncateText,
} from '@robota-sdk/agent-tui';

/** A line of the list. */
export interface Task {
  readonly text: string;
  isDone: boolean;
}

/** Draws tasks. A component is an object with `render(width)`: lines that are no wider than the width. */
export class TaskList implements Component {
  tasks: readonly Task[];
  readonly #style: RenderStyle<ToolkitToken | 'urgent'>;
  #selected = 0;

  constructor(tasks: readonly Task[], style: RenderStyle<ToolkitToken | 'urgent'>) {
    this.tasks = tasks;
    this.#style = style;
  }

  /** The words that start with `#`, each once. */
  get tags(): readonly string[] {
    return [...new Set(this.tasks.flatMap(({ text }) => text.match(/#\w+/g) ?? []))];
  }

  add(text: string): void {
    this.tasks = [...this.tasks, { text, isDone: false }];
  }

  move(count: number): void {
    this.#selected = Math.min(Math.max(0, this.#selected + count), this.tasks.length - 1);
  }

  toggle(): void {
    const task = this.tasks[this.#selected];
    if (task) task.isDone = !task.isDone;
  }

  /** Removes finished tasks and returns them. */
  removeDone(): readonly Task[] {
    const done = this.tasks.filter(({ isDone }) => isDone);
    this.tasks = this.tasks.filter(({ isDone }) => !isDone);
    this.move(0);
    return done;
  }

  render(width: number): readonly string[] {
    const { glyphs, paint } = this.#style;
    return this.tasks.map(({ text, isDone }, index) => {
      const pointer = index === this.#selected ? glyphs.pointer : ' ';
      const line = `${pointer} ${isDone ? glyphs.taskDone : glyphs.taskOpen} ${oneLine(text)}`;
      const token = isDone ? 'dim' : text.includes('!') ? 'urgent' : 'text';
      return paint(token, truncateText(line, width, glyphs.ellipsis));
    });
  }
}
