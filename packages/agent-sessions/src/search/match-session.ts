import { foldText, givenFields } from '@robota-sdk/agent-core';
import { occurrences, type SearchTerm } from './search-query.ts';
import type { SearchRole, SessionText } from './session-texts.ts';
import { type Snippet, snippetOf } from './snippet.ts';

export interface TextFilter {
  readonly role?: SearchRole;
  /** As the tool is named; its case does not matter. */
  readonly tool?: string;
}

/** The parts of a session that match a query. */
export interface SessionMatch {
  /** How often the terms occur. */
  readonly hits: number;
  /** True if all terms occur in one text. */
  readonly together: boolean;
  readonly inName: boolean;
  /** The texts that have the most of the terms, in the order of the session. */
  readonly snippets: readonly Snippet[];
}

const maxSnippets = 3;

interface Found {
  readonly source: SessionText;
  readonly order: number;
  readonly terms: number;
}

/** Collects, text by text, whether and where a session has all terms of a query. */
export class SessionMatcher {
  readonly #terms: readonly SearchTerm[];
  readonly #filter: TextFilter;
  readonly #seen: Set<SearchTerm> = new Set();
  #best: Found[] = [];
  #hits = 0;
  #texts = 0;
  #together = false;
  #inName = false;

  constructor(terms: readonly SearchTerm[], { role, tool }: TextFilter) {
    this.#terms = terms;
    this.#filter = givenFields({ role, tool: tool && foldText(tool) });
  }

  /** Searches a text, whose folded form the caller already has. */
  add(source: SessionText, folded: string): void {
    if (!this.#isWanted(source)) return;
    let terms = 0;
    for (const term of this.#terms) {
      let count = 0;
      for (const _ of occurrences(folded, term)) count++;
      if (count === 0) continue;
      terms++;
      this.#hits += count;
      this.#seen.add(term);
    }
    if (terms === 0) return;
    this.#together ||= terms === this.#terms.length;
    this.#inName ||= source.kind === 'name';
    this.#keep({ source, order: this.#texts++, terms });
  }

  /** The match after all texts were added; undefined if a term is missing. */
  finish(): SessionMatch | undefined {
    if (this.#hits === 0 || this.#seen.size < this.#terms.length) return undefined;
    const shown = this.#best.sort((a, b) => a.order - b.order);
    return {
      hits: this.#hits,
      together: this.#together,
      inName: this.#inName,
      snippets: shown.map(({ source }) => snippetOf(source, this.#terms)),
    };
  }

  #isWanted({ role, tool }: SessionText): boolean {
    const { role: wantedRole, tool: wantedTool } = this.#filter;
    if (wantedRole !== undefined && role !== wantedRole) return false;
    return wantedTool === undefined || (tool !== undefined && foldText(tool) === wantedTool);
  }

  #keep(found: Found): void {
    this.#best.push(found);
    if (this.#best.length <= maxSnippets) return;
    this.#best.sort((a, b) => b.terms - a.terms || a.order - b.order);
    this.#best.length = maxSnippets;
  }
}
