import type { Message } from '@robota-sdk/agent-core';
import {
  decodeLine,
  firstPromptOf,
  isBlankLine,
  isCountedMessage,
  isRequest,
  totalsOf,
} from '@robota-sdk/agent-sessions';

/** The part of a session's row that a list shows. */
export interface SummaryRow {
  readonly name: string | null;
  /** Empty if the first prompt has no text. */
  readonly first_prompt: string | null;
  readonly is_blank: boolean;
  /** Of the user and of models, on all branches. */
  readonly messages: number;
  /** US dollars, on all branches. */
  readonly cost: number;
}

const emptyRow: SummaryRow = { name: null, first_prompt: null, is_blank: true, messages: 0, cost: 0 };

/** Collects what a list shows of a session from its lines. */
export class LineSummary {
  #row: SummaryRow;

  constructor(row: SummaryRow = emptyRow) {
    this.#row = row;
  }

  /** Of the lines so far. */
  get row(): SummaryRow {
    return this.#row;
  }

  /** Takes whole lines in their order, without line feeds. */
  add(lines: readonly string[]): void {
    let { name, first_prompt, messages, cost } = this.#row;
    for (const text of lines) {
      const line = decodeLine(text);
      if (line.kind === 'fact' && line.fact.type === 'session_info') name = line.fact.name || null;
      if (line.kind !== 'entry') continue;
      const { entry } = line;
      if (entry.type === 'message') {
        if (isCountedMessage(entry.message)) messages += 1;
        if (isPrompt(entry.message)) first_prompt ??= firstPromptOf([text]) ?? '';
      }
      cost += totalsOf([entry]).cost;
    }
    const is_blank = this.#row.is_blank && lines.every(isBlankLine);
    this.#row = { name, first_prompt, is_blank, messages, cost };
  }
}

function isPrompt(message: Message): boolean {
  return message.role === 'user' && isRequest(message);
}
