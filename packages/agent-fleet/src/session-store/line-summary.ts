import { firstPromptOf, isBlankLine, nameIn } from '@robota-sdk/agent-sessions';

/** Collects what a list shows of a session from its lines. */
export class LineSummary {
  #firstPrompt: string | undefined;
  #name = '';
  #isBlank = true;

  /** Takes whole lines in their order, without line feeds. */
  add(lines: readonly string[]): void {
    this.#firstPrompt ??= firstPromptOf(lines);
    this.#isBlank &&= lines.every(isBlankLine);
    for (const text of lines) if (text.includes('"session_info"')) this.#name = nameIn(text) ?? this.#name;
  }

  get firstPrompt(): string | undefined {
    return this.#firstPrompt;
  }

  get name(): string | undefined {
    return this.#name === '' ? undefined : this.#name;
  }

  /** True if nothing was said so far. */
  get isBlank(): boolean {
    return this.#isBlank;
  }
}
