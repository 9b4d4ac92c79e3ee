import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { CompletionsPage } from '../../contract/session.ts';
import { post } from '../base/api.ts';

/** Suggestions for the text before the caret. */
interface Found extends CompletionsPage {
  readonly before: string;
  readonly chosen: number;
}

interface Field {
  readonly current: HTMLTextAreaElement | null;
}

/** A command, or a word that begins with `@`. */
const completable = /^\/[^\n]*$|(?:^|\s)@\S*$/;
const pauseMs = 80;
const listId = 'completions';

/** Completes commands and files while they are typed. */
export class Completer {
  readonly found: Signal<Found | undefined>;
  readonly #path: `/api/${string}`;
  readonly #field: Field;
  readonly #setText: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(
    {
      id,
      field,
      setText,
    }: { readonly id: string; readonly field: Field; readonly setText: (text: string) => void },
    found: Signal<Found | undefined>,
  ) {
    this.found = found;
    this.#path = `/api/sessions/${encodeURIComponent(id)}/complete`;
    this.#field = field;
    this.#setText = setText;
  }

  /** Looks for suggestions after a pause in typing. */
  look(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const { value = '', selectionStart = 0 } = this.#field.current ?? {};
    const before = value.slice(0, selectionStart);
    if (!completable.test(before)) return this.close();
    this.#timer = setTimeout(() => void this.#ask(before), pauseMs);
  }

  close(): void {
    this.#asked += 1;
    this.found.value = undefined;
  }

  /** Takes a key of the field; false if it is not for the suggestions. */
  press(event: KeyboardEvent): boolean {
    const found = this.found.value;
    if (!found || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    const { items, chosen } = found;
    const item = items[chosen];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.found.value = { ...found, chosen: (chosen + step + items.length) % items.length };
    } else if (event.key === 'Escape') this.close();
    else if (item && (event.key === 'Tab' || (event.key === 'Enter' && this.#isMore(item.value))))
      this.take(chosen);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Puts a suggestion instead of what was typed. */
  take(index: number): void {
    const found = this.found.value;
    const area = this.#field.current;
    const value = found?.items[index]?.value;
    if (!found || !area || value === undefined) return;
    // A folder and a kind of mention are completed further.
    const isWhole = !/[/\\:]"?$/.test(value);
    const head = `${found.before.slice(0, found.start)}${value}${isWhole ? ' ' : ''}`;
    this.#setText(head + area.value.slice(found.before.length));
    this.close();
    requestAnimationFrame(() => {
      area.focus();
      area.setSelectionRange(head.length, head.length);
      if (!isWhole) this.look();
    });
  }

  /** Whether a suggestion adds something to what was typed; otherwise Enter sends it. */
  #isMore(value: string): boolean {
    const { before = '', start = 0 } = this.found.value ?? {};
    return before.slice(start).trimEnd() !== value.trimEnd();
  }

  async #ask(before: string): Promise<void> {
    const asked = this.#asked;
    const reply = await post<CompletionsPage>(this.#path, { text: before }).catch(() => undefined);
    if (asked !== this.#asked) return;
    this.found.value = reply && reply.items.length > 0 ? { ...reply, before, chosen: 0 } : undefined;
  }
}

/** The completer of a field. */
export function useCompleter(id: string, field: Field, setText: (text: string) => void): Completer {
  const found = useSignal<Found | undefined>(undefined);
  return useMemo(() => new Completer({ id, field, setText }, found), [id, field, setText, found]);
}

/** Attributes that tell a screen reader of the suggestions of a field. */
export function listAttributes({ found }: Completer) {
  const isOpen = found.value !== undefined;
  return {
    'aria-autocomplete': 'list',
    ...(isOpen
      ? { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${found.value?.chosen}` }
      : {}),
  } as const;
}

/** The suggestions above the composer. */
export function CompletionList({ completer }: { readonly completer: Completer }) {
  const found = completer.found.value;
  if (!found) return null;
  return (
    <div class="card completions" id={listId} role="listbox" aria-label="Suggestions">
      {found.items.map(({ value, description }, index) => (
        <div
          key={value}
          id={`${listId}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === found.chosen}
          ref={(element) => {
            if (index === found.chosen) element?.scrollIntoView({ block: 'nearest' });
          }}
          onPointerDown={(event) => {
            // The field keeps the focus.
            event.preventDefault();
            completer.take(index);
          }}
        >
          <code>{value}</code>
          {description !== undefined && <span class="dim small cut">{description}</span>}
        </div>
      ))}
    </div>
  );
}
