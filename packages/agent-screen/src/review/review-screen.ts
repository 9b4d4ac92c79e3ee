import {
  errorMessage,
  type HunkResult,
  type InteractiveSession,
  openReview,
  type PlacedDraft,
  parseReviewTarget,
  pluralize,
  type Review,
  type ReviewFile,
  type ReviewHunk,
} from '@robota-sdk/agent-sdk/front-end';
import {
  changeText,
  type InputEvent,
  type KeyEvent,
  oneLine,
  renderStatusLine,
  truncateText,
  wrapText,
} from '@robota-sdk/agent-tui';
import { renderScreenTitle } from '../bars/screen-title.ts';
import type { OpenPanel, Panel, Stage } from '../stage/stage.ts';
import { CommentField } from './comment-field.ts';
import { FileList } from './file-list.ts';
import { HunkView } from './hunk-view.ts';
import { hintPriorities, keyHelp, reviewHints } from './review-keys.ts';

/** From this width on the files stand beside the hunk; below it, one after the other. */
const listWidth = 90;
/** From this width on old and new lines stand side by side unless switched. */
const splitWidth = 160;
const leastHunkWidth = 40;

interface ReviewRequest {
  readonly args: string;
  /** True for `/diff`: nothing can be decided or commented on. */
  readonly isReadOnly: boolean;
}

/** Opens `/review` or `/diff`; false if there is nothing to show, so that the command says why. */
export async function openReviewScreen(
  stage: Stage,
  session: InteractiveSession,
  request: ReviewRequest,
): Promise<boolean> {
  const load = () => openReview(session, parseReviewTarget(request.args));
  const review = await load().catch(() => undefined);
  if (!review || review.files.length === 0) return false;
  new ReviewScreen(stage, { review, load, isReadOnly: request.isReadOnly }).open();
  return true;
}

interface ReviewScreenOptions {
  readonly review: Review;
  readonly isReadOnly: boolean;
  /** Lists the same changes again. */
  load(): Promise<Review>;
}

/** The changed files, one hunk of them, and what can be done with it. */
class ReviewScreen implements Panel {
  rows = 24;
  readonly #stage: Stage;
  readonly #options: ReviewScreenOptions;
  readonly #keys: ReadonlyMap<string, () => void>;
  #review: Review;
  #list: FileList;
  #drafts: readonly PlacedDraft[] = [];
  #at = { file: 0, hunk: 0 };
  #view: HunkView | undefined;
  #field: CommentField | undefined;
  #note = '';
  /** On narrow screens: the list, or the hunk. */
  #isListShown = true;
  #isHelpShown = false;
  /** Side by side or not, once the user has chosen. */
  #split: boolean | undefined;
  #width = 80;
  #open: OpenPanel | undefined;

  constructor(stage: Stage, options: ReviewScreenOptions) {
    this.#stage = stage;
    this.#options = options;
    this.#review = options.review;
    this.#list = new FileList(options.review, stage.look);
    const [why] = options.review.unknown;
    if (why !== undefined)
      this.#note = `Changes made by a command are unknown: ${why}. Compare with git: /review HEAD`;
    this.#keys = new Map(Object.entries(this.#actions()));
    this.#update();
  }

  open(): void {
    this.#open = this.#stage.openScreen(this);
  }

  cancel(): void {
    this.#open?.close();
  }

  invalidate(): void {
    this.#view = undefined;
  }

  handleInput(event: InputEvent): boolean {
    if (this.#field) return this.#field.handleInput(event);
    if (event.type !== 'key' || event.action === 'release') return false;
    this.#note = '';
    if (this.#isHelpShown) {
      this.#isHelpShown = false;
      return true;
    }
    return this.#handleMove(event) || this.#handleLetter(event);
  }

  render(width: number): readonly string[] {
    this.#width = width;
    const { look } = this.#stage;
    const notes = this.#notes(width);
    const height = Math.max(1, this.rows - 2 - notes.length);
    const title = `${this.#options.isReadOnly ? 'Changes' : 'Review'}: ${this.#review.title}`;
    const head = renderScreenTitle({ title, notes: this.#facts() }, width, look);
    const body = this.#isHelpShown ? this.#help(width) : this.#body(width, height);
    const blank = Array.from({ length: Math.max(0, height - body.length) }, () => '');
    const rows = [head, ...body.slice(0, height), ...blank, ...notes, this.#foot(width)];
    return rows.slice(0, Math.max(1, this.rows));
  }

  #body(width: number, height: number): readonly string[] {
    if (!this.#hasBoth) {
      if (this.#isListShown) return this.#list.render(width, { selected: this.#at.file, rows: height });
      return this.#hunkRows(width, height);
    }
    const { look } = this.#stage;
    const left = Math.min(this.#list.naturalWidth, Math.floor(width / 2), width - leastHunkWidth);
    const files = this.#list.render(left, { selected: this.#at.file, rows: height });
    const hunk = this.#hunkRows(width - left - 1, height);
    const bar = look.paint('border', look.glyphs.vertical);
    return Array.from(
      { length: Math.max(files.length, hunk.length) },
      (_, row) => `${files[row] ?? ' '.repeat(left)}${bar}${hunk[row] ?? ''}`,
    );
  }

  #hunkRows(width: number, height: number): readonly string[] {
    const { file, hunk } = this.#here();
    if (!file || !hunk) return [];
    const view = this.#viewOf(file, hunk);
    const drafts = this.#drafts.filter(({ path }) => path === file.path);
    const state = this.#review.stateOf(file, hunk);
    return view.render({ width, height, state, drafts, field: this.#field, hasName: !this.#hasBoth });
  }

  /** The files and the hunk at the same time; side by side, the hunk needs the whole width of most screens. */
  get #hasBoth(): boolean {
    if (this.#width < listWidth) return false;
    return !this.#isSplit || this.#width >= splitWidth;
  }

  get #isSplit(): boolean {
    return this.#split ?? this.#width >= splitWidth;
  }

  /** Lines of the hunk have the arrows, unless the list alone is shown. */
  get #isInHunk(): boolean {
    return this.#hasBoth || !this.#isListShown;
  }

  #viewOf(file: ReviewFile, hunk: ReviewHunk): HunkView {
    if (this.#view?.hunk !== hunk)
      this.#view = new HunkView({ file, hunk }, { look: this.#stage.look, isSplit: this.#isSplit });
    return this.#view;
  }

  #here(): { readonly file: ReviewFile | undefined; readonly hunk: ReviewHunk | undefined } {
    const file = this.#review.files[this.#at.file];
    return { file, hunk: file?.hunks[this.#at.hunk] };
  }

  #facts(): readonly string[] {
    const { files } = this.#review;
    const hunks = files.reduce((sum, file) => sum + file.hunks.length, 0);
    const comments = this.#drafts.length;
    return [
      pluralize(files.length, 'file'),
      pluralize(hunks, 'hunk'),
      changeText(this.#review, this.#stage.look),
      comments === 0 ? '' : pluralize(comments, 'comment'),
      this.#review.omitted.length === 0 ? '' : `${this.#review.omitted.length} not shown`,
      this.#review.unknown.length === 0 ? '' : 'some not known',
    ];
  }

  /** Why the last key did nothing, above the keys. */
  #notes(width: number): readonly string[] {
    if (this.#note === '' || this.#isHelpShown) return [];
    const { look } = this.#stage;
    return wrapText(oneLine(this.#note), width).map((row) => look.paint('warning', row));
  }

  #foot(width: number): string {
    const { look } = this.#stage;
    if (this.#isHelpShown)
      return renderStatusLine([{ text: `esc ${look.paint('dim', 'back')}`, priority: 1 }], width, look);
    const hints = reviewHints({
      drafts: this.#drafts.length,
      isReadOnly: this.#options.isReadOnly,
      isInHunk: this.#isInHunk,
      isListHidden: !this.#hasBoth && !this.#isListShown,
      hasField: this.#field !== undefined,
      hasRange: this.#view?.hasRange ?? false,
      isSplit: this.#isSplit,
    });
    const priorities = hintPriorities(hints);
    const fields = hints.map(({ keys, text }, index) => ({
      text: `${keys} ${look.paint('dim', text)}`,
      priority: priorities[index] ?? 0,
    }));
    return renderStatusLine(fields, width, look);
  }

  #help(width: number): readonly string[] {
    const { look } = this.#stage;
    return keyHelp(this.#options.isReadOnly).map(([keys, text]) =>
      truncateText(`  ${keys.padEnd(20)}${look.paint('dim', text)}`, width, look.glyphs.ellipsis),
    );
  }

  #handleMove(event: KeyEvent): boolean {
    const page = Math.max(1, this.rows - 4);
    return this.#stage.keys.run(event, {
      'tui.select.up': () => this.#moveLine(-1),
      'tui.select.down': () => this.#moveLine(1),
      'tui.select.pageUp': () => this.#moveLine(-page),
      'tui.select.pageDown': () => this.#moveLine(page),
      'tui.select.confirm': () => {
        this.#isListShown = false;
      },
      'tui.select.cancel': () => this.#back(),
      'tui.input.tab': () => this.#moveFile(1),
    });
  }

  #handleLetter(event: KeyEvent): boolean {
    const action = this.#keys.get(event.text) ?? this.#keys.get(event.id);
    action?.();
    return action !== undefined;
  }

  /** Keys that decide or comment are missing where nothing can be decided. */
  #actions(): Readonly<Record<string, () => void>> {
    const look = {
      j: () => this.#moveHunk(1),
      n: () => this.#moveHunk(1),
      k: () => this.#moveHunk(-1),
      p: () => this.#moveHunk(-1),
      right: () => this.#moveFile(1),
      left: () => this.#moveFile(-1),
      s: () => this.#toggleSplit(),
      r: () => void this.#reload(),
      q: () => this.cancel(),
      '?': () => {
        this.#isHelpShown = true;
      },
    };
    if (this.#options.isReadOnly) return look;
    return {
      ...look,
      y: () => void this.#decide('keep'),
      u: () => void this.#decide('takeBack'),
      c: () => this.#comment(),
      v: () => this.#view?.toggleRange(),
      S: () => void this.#send(),
    };
  }

  #back(): void {
    if (this.#view?.hasRange) this.#view.toggleRange();
    else if (!this.#hasBoth && !this.#isListShown) this.#isListShown = true;
    else this.cancel();
  }

  #moveLine(by: number): void {
    if (!this.#isInHunk) return this.#moveFile(by);
    this.#view?.move(by, this.#width);
  }

  #moveFile(by: number): void {
    const last = this.#review.files.length - 1;
    const file = Math.max(0, Math.min(last, this.#at.file + by));
    if (file !== this.#at.file) this.#at = { file, hunk: 0 };
  }

  #moveHunk(by: 1 | -1): void {
    const { files } = this.#review;
    this.#isListShown = false;
    const { file, hunk } = this.#at;
    const count = files[file]?.hunks.length ?? 0;
    if (hunk + by >= 0 && hunk + by < count) this.#at = { file, hunk: hunk + by };
    else if (files[file + by])
      this.#at = { file: file + by, hunk: by > 0 ? 0 : (files[file + by]?.hunks.length ?? 1) - 1 };
  }

  #toggleSplit(): void {
    const before = this.#view;
    this.#split = !this.#isSplit;
    this.#isListShown = false;
    this.#view = undefined;
    const { file, hunk } = this.#here();
    if (file && hunk && before) this.#viewOf(file, hunk).follow(before);
  }

  async #decide(wish: 'keep' | 'takeBack'): Promise<void> {
    const { file, hunk } = this.#here();
    if (!file || !hunk) return;
    const failed = (thrown: unknown): HunkResult => ({ isDone: false, problem: errorMessage(thrown) });
    const result = await this.#review[wish](file, hunk).catch(failed);
    this.#note = result.isDone ? '' : result.problem;
    this.#update();
    const isDecided = wish === 'keep' && this.#review.stateOf(file, hunk) === 'kept';
    if (isDecided && this.#here().hunk === hunk && this.#isInHunk) this.#moveHunk(1);
  }

  #comment(): void {
    this.#isListShown = false;
    const { file, hunk } = this.#here();
    if (!file || !hunk) return;
    const view = this.#viewOf(file, hunk);
    const lines = view.selection;
    if (!lines) {
      this.#note = 'This file has no lines to comment on.';
      return;
    }
    const own = this.#drafts.filter(({ path }) => path === file.path);
    const known = view.hasRange ? undefined : view.draftAt(own);
    this.#field = new CommentField({
      stage: this.#stage,
      text: known?.comment ?? '',
      onEnd: (text) => {
        this.#field = undefined;
        if (view.hasRange) view.toggleRange();
        if (text === undefined || (known === undefined && text.trim() === '')) return this.#update();
        const kept = known ? this.#review.editDraft(known.id, text) : this.#review.comment(file, lines, text);
        void kept.catch((thrown: unknown) => this.#tell(errorMessage(thrown))).then(() => this.#update());
      },
    });
  }

  async #send(): Promise<void> {
    const message = this.#review.message();
    if (!message) return this.#tell('No comments to send. Press c on a line to write one.');
    const { text, places } = message;
    this.cancel();
    this.#stage.enter(text, { pasted: [{ start: 0, end: text.length }], shown: text });
    await this.#review.sent(message).catch((thrown: unknown) => this.#stage.tell(errorMessage(thrown)));
    const sent = `Sent ${pluralize(places.length, 'comment')} (${places.join(', ')})`;
    this.#stage.print({ kind: 'notice', level: 'info', text: sent });
  }

  /** Lists the changes again; nothing moves if that fails. */
  async #reload(): Promise<void> {
    const { name } = this.#here().file ?? {};
    try {
      const review = await this.#options.load();
      if (review.files.length === 0) return this.#tell('No changes are left.');
      this.#review = review;
      this.#list = new FileList(review, this.#stage.look);
      this.#at = {
        file: Math.max(
          0,
          review.files.findIndex((file) => file.name === name),
        ),
        hunk: 0,
      };
    } catch (thrown) {
      this.#note = errorMessage(thrown);
    }
    this.#update();
  }

  #tell(text: string): void {
    this.#note = text;
    this.#stage.refresh();
  }

  /** States or drafts have changed. */
  #update(): void {
    this.#drafts = this.#options.isReadOnly ? [] : this.#review.drafts;
    this.#list.invalidate();
    this.#stage.refresh();
  }
}
