import type { Output } from '@robota-sdk/agent-transport-headless';

/** Shows what a command prints as it comes, and afterwards only what was not shown. */
export class ShellEcho {
  readonly #output: Output;
  #shown = '';

  constructor(output: Output) {
    this.#output = output;
  }

  show(text: string): void {
    this.#shown += text;
    void this.#output.write(this.#output.clean(text));
  }

  /** The unprinted rest of a result; all of it if pieces were skipped because they came too fast. */
  rest(result: string): string {
    const shown = this.#shown.trimEnd();
    if (shown === '') return result;
    if (!this.#shown.endsWith('\n')) void this.#output.write('\n');
    return result.startsWith(shown) ? result.slice(shown.length).replace(/^\n/, '') : result;
  }
}
