import { computed, signal } from '@preact/signals';
import type { DraftComment, ReviewedFile, ReviewedHunk, ReviewReply } from '../../contract/review.ts';
import { get, messageOf, post } from '../base/api.ts';
import { firstChange, type HunkLine, type LineSpan, linesOfHunk, spanOf } from './hunk-rows.ts';

/** A hunk with its file. */
export interface FileHunk {
  readonly file: ReviewedFile;
  readonly hunk: ReviewedHunk;
}

/** Lines that are chosen in a hunk, by their positions in it. */
export interface LineChoice {
  readonly hunk: string;
  readonly from: number;
  readonly to: number;
  /** Keys move the end. */
  readonly isGrowing: boolean;
}

/** A comment that is being written. */
export interface OpenComment {
  /** The draft that is changed; undefined for a new one until it was saved. */
  readonly id: string | undefined;
  readonly file: string;
  readonly span: LineSpan;
  /** The text to return to. */
  readonly before: string | undefined;
}

/** The state of the review screen, and everything that can be done on it. */
export class ReviewModel {
  readonly review = signal<ReviewReply | undefined>(undefined);
  readonly error = signal<string | undefined>(undefined);
  /** The key of the hunk that keys act on. */
  readonly current = signal<string | undefined>(undefined);
  readonly choice = signal<LineChoice | undefined>(undefined);
  readonly comment = signal<OpenComment | undefined>(undefined);
  readonly saving = signal<'saved' | 'saving' | undefined>(undefined);
  /** Why hunks could not be taken back, by their keys. */
  readonly refusals = signal<ReadonlyMap<string, string>>(new Map());
  readonly problem = signal<string | undefined>(undefined);
  readonly sent = signal<number | undefined>(undefined);
  readonly hunks = computed<readonly FileHunk[]>(() =>
    (this.review.value?.files ?? []).flatMap((file) => file.hunks.map((hunk) => ({ file, hunk }))),
  );
  readonly place = computed(() => this.hunks.value.find(({ hunk }) => hunk.key === this.current.value));
  readonly #path: `/api/${string}`;
  readonly #target: string;
  #last: Promise<unknown> = Promise.resolve();

  /** `path` is the address of the review, such as `/api/sessions/ID/review`; `target` is written as for `/review`. */
  constructor(path: `/api/${string}`, target: string) {
    this.#path = path;
    this.#target = target;
  }

  #address(name: string, again = false): `/api/${string}` {
    const query = new URLSearchParams({
      ...(this.#target === '' ? {} : { target: this.#target }),
      ...(again ? { again: '' } : {}),
    }).toString();
    return `${this.#path}${name}${query === '' ? '' : `?${query}`}`;
  }

  async load(again = false): Promise<void> {
    try {
      const review = await get<ReviewReply>(this.#address('', again));
      this.#show(review);
      this.error.value = undefined;
      if (again) this.refusals.value = new Map();
    } catch (thrown) {
      this.error.value = messageOf(thrown);
    }
  }

  /** Keeps a hunk; one that is kept becomes open again. */
  keep({ file, hunk }: FileHunk): Promise<boolean> {
    const name = hunk.state === 'kept' ? 'undo' : 'keep';
    return this.#post(name, { file: file.name, hunk: hunk.key });
  }

  async takeBack({ file, hunk }: FileHunk): Promise<boolean> {
    if (hunk.state === 'taken back') return this.undo({ file, hunk });
    return this.#post('take-back', { file: file.name, hunk: hunk.key }, hunk.key);
  }

  undo({ file, hunk }: FileHunk): Promise<boolean> {
    return this.#post('undo', { file: file.name, hunk: hunk.key }, hunk.key);
  }

  keepRest(): Promise<boolean> {
    return this.#post('keep', { all: true });
  }

  async send(): Promise<boolean> {
    const count = this.review.value?.drafts.length ?? 0;
    if (count === 0) return false;
    this.closeComment();
    const isDone = await this.#post('send', {});
    if (isDone) this.sent.value = count;
    return isDone;
  }

  /** The lines that a comment would be about, and the hunk they are in. */
  chosenSpan(): { readonly place: FileHunk; readonly span: LineSpan } | undefined {
    const place = this.place.value;
    if (!place || place.file.binary) return undefined;
    const lines = linesOfHunk(place.hunk);
    const choice = this.choice.value?.hunk === place.hunk.key ? this.choice.value : undefined;
    const from = choice?.from ?? firstChange(lines);
    const span = spanOf(lines, from, choice?.to ?? from);
    return span && { place, span };
  }

  /** Opens the field for a comment on the chosen lines. */
  startComment(): boolean {
    const chosen = this.chosenSpan();
    if (!chosen || this.review.value?.readOnly !== undefined) return false;
    const { place, span } = chosen;
    this.openComment({ id: undefined, file: place.file.name, span, before: undefined });
    return true;
  }

  editDraft(draft: DraftComment): void {
    this.openComment({ id: draft.id, file: draft.file, span: spanOfDraft(draft), before: draft.comment });
  }

  openComment(comment: OpenComment): void {
    this.comment.value = comment;
    this.saving.value = comment.id === undefined ? undefined : 'saved';
  }

  /** Saves a text of the open comment; the first time it becomes a draft. */
  async saveComment(text: string): Promise<void> {
    const open = this.comment.value;
    if (!open) return;
    if (text.trim() === '') return this.removeDraft(open.id);
    this.saving.value = 'saving';
    const isDone = await this.#inTurn(async () => {
      const now = this.comment.value;
      const id = now?.span === open.span && now.file === open.file ? (now.id ?? open.id) : open.id;
      const known = new Set(this.review.value?.drafts.map((draft) => draft.id));
      const body =
        id === undefined ? { file: open.file, ...open.span, comment: text } : { id, comment: text };
      const review = await post<ReviewReply>(this.#address('/drafts'), body);
      const created = review.drafts.find((draft) => !known.has(draft.id))?.id;
      this.#show(review);
      if (id === undefined && created !== undefined && this.comment.value?.span === open.span)
        this.comment.value = { ...this.comment.value, id: created };
    });
    this.saving.value = isDone ? 'saved' : undefined;
  }

  closeComment(): void {
    this.comment.value = undefined;
    this.choice.value = undefined;
  }

  /** Forgets what was typed since the comment was opened. */
  async discardComment(): Promise<void> {
    const open = this.comment.value;
    this.closeComment();
    if (open?.id === undefined) return;
    if (open.before === undefined) await this.removeDraft(open.id);
    else await this.#post('drafts', { id: open.id, comment: open.before });
  }

  async removeDraft(id: string | undefined): Promise<void> {
    if (id !== undefined) await this.#post('drafts/remove', { id });
    const open = this.comment.value;
    if (id !== undefined && open?.id === id) this.comment.value = { ...open, id: undefined };
  }

  /** Changes something and shows the review as it is then. */
  #post(name: string, body: object, hunk?: string): Promise<boolean> {
    return this.#inTurn(async () => {
      try {
        this.#show(await post<ReviewReply>(this.#address(`/${name}`), body));
      } catch (thrown) {
        if (hunk === undefined) throw thrown;
        this.refusals.value = new Map(this.refusals.value).set(hunk, messageOf(thrown));
      }
    });
  }

  /** One request after the other, so that a later reply never shows an older state. */
  #inTurn(work: () => Promise<void>): Promise<boolean> {
    const result = this.#last.then(async () => {
      try {
        this.problem.value = undefined;
        await work();
        return true;
      } catch (thrown) {
        this.problem.value = messageOf(thrown);
        return false;
      }
    });
    this.#last = result;
    return result;
  }

  #show(review: ReviewReply): void {
    this.review.value = review;
    const keys = review.files.flatMap(({ hunks }) => hunks.map(({ key }) => key));
    if (this.current.value === undefined || !keys.includes(this.current.value))
      this.current.value =
        review.files.flatMap(({ hunks }) => hunks).find(({ state }) => state === 'open')?.key ?? keys[0];
  }
}

/** The lines of a draft where they are now. */
export function spanOfDraft({ side, at, line, excerpt }: DraftComment): LineSpan {
  const first = at ?? line;
  return { side, line: first, endLine: first + Math.max(1, excerpt.length) - 1 };
}

/** `line 5` or `lines 5–6`. */
export function spanText({ side, line, endLine }: LineSpan): string {
  const lines = endLine > line ? `lines ${line}–${endLine}` : `line ${line}`;
  return side === 'old' ? `removed ${lines}` : lines;
}

/** The position of the line cursor in a hunk. */
export function cursorIn(choice: LineChoice | undefined, key: string, lines: readonly HunkLine[]): number {
  return choice?.hunk === key ? choice.to : firstChange(lines);
}
