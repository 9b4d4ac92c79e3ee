import type { InputEvent } from '../input/input-event.ts';
import type { KeyEvent } from '../keys/key-event.ts';
import type { ToolkitAction } from '../keys/toolkit-actions.ts';
import type { Focusable } from '../text/component.ts';
import { acceptCompletion, acceptPrefix, completionRequest } from './autocomplete/accept-completion.ts';
import { Autocomplete } from './autocomplete/autocomplete.ts';
import { commonCompletion } from './autocomplete/completion-popup.ts';
import { droppedPaths } from './dropped-paths.ts';
import { applyEditorAction, editorActionIds } from './editor-actions.ts';
import type { EditorOptions, SubmitListener } from './editor-options.ts';
import { HistorySearch } from './history-search.ts';
import { InputHistory } from './input-history.ts';
import { InputRecall, moveOrRecall } from './input-recall.ts';
import { editorSize, renderEditor } from './render-editor.ts';
import { deleteCharBackward, typeText } from './text/edit-text.ts';
import {
  clearedState,
  type EditorState,
  emptyEditorState,
  shownText,
  submittedText,
} from './text/editor-state.ts';
import { jumpToCharacter } from './text/jump-to-character.ts';
import type { EditorSize, RowPosition } from './text/move-vertically.ts';
import { insertToken, pasteText, prependText, replaceText } from './text/paste-text.ts';
import { pastedSpans, type TextSpan } from './text/pasted-parts.ts';
import type { Token } from './text/token.ts';
import { vimKey, vimSelection } from './vim/vim-keys.ts';
import { insertMode, type VimState } from './vim/vim-state.ts';

/** Up and down may also recall the history, so they are handled apart. */
const verticalActionIds = ['tui.editor.cursorUp', 'tui.editor.cursorDown'] as const;
/** How long a pressed tab waits for suggestions. */
const patienceMs = 700;
const actionIds = editorActionIds.filter((id) => !verticalActionIds.some((vertical) => vertical === id));

/** A multi-line editor with undo, history, completion, pastes as tokens and optional vim keys. */
export class Editor implements Focusable {
  isFocused = false;
  placeholder = '';
  prompt = ' > ';
  /** The most rows of text in sight. */
  maxRows = 12;
  /** The most suggestions in sight. */
  popupRows = 8;
  /** Colours the borders, for instance to show a mode. */
  borderStyle: (text: string) => string;
  readonly history: InputHistory;
  readonly #options: EditorOptions;
  readonly #autocomplete: Autocomplete;
  readonly #recall: InputRecall;
  #state = emptyEditorState();
  #vim: VimState | undefined;
  #top: RowPosition | undefined;
  #room: EditorSize = { columns: 80, rows: 12 };
  #search: HistorySearch | undefined;
  #jump: 'forward' | 'backward' | undefined;
  /** The keys typed after a tab that waits for suggestions. */
  #waiting: { readonly events: InputEvent[]; readonly timer: NodeJS.Timeout } | undefined;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.history = options.history ?? new InputHistory();
    this.#recall = new InputRecall(this.history);
    this.borderStyle = (text) => options.look.paint('border', text);
    this.#autocomplete = new Autocomplete({
      providers: options.providers ?? [],
      onChange: () => this.#suggested(),
    });
  }

  /** The text as it would be sent. */
  get text(): string {
    return submittedText(this.#state);
  }

  /** Puts another text in place; it can be undone. */
  set text(text: string) {
    this.change((state) => replaceText(state, text));
  }

  get state(): EditorState {
    return this.#state;
  }

  get isEmpty(): boolean {
    return this.#state.buffer.isEmpty;
  }

  /** A list of suggestions or a search is open, or a key is waited for. */
  get hasMenu(): boolean {
    return [this.#autocomplete.popup, this.#search, this.#jump, this.#waiting].some(
      (one) => one !== undefined,
    );
  }

  get isVim(): boolean {
    return this.#vim !== undefined;
  }

  set isVim(isVim: boolean) {
    this.#vim = isVim ? (this.#vim ?? insertMode) : undefined;
  }

  /** The mode of the vim keys, if they are on. */
  get vimMode(): VimState['mode'] | undefined {
    return this.#vim?.mode;
  }

  /** Puts something at the caret that is shown by a label, such as an image. */
  insertToken(token: Token): void {
    this.#edit(insertToken(this.#state, token));
  }

  /** Types text at the caret. */
  type(text: string): boolean {
    return this.#edit(typeText(this.#state, text));
  }

  /** Changes the text as one edit. */
  change(edit: (state: EditorState) => EditorState): void {
    this.#autocomplete.reset();
    this.#show(edit(this.#state));
  }

  /** Puts text at the caret as if it was pasted. */
  insert(text: string): void {
    this.#edit(pasteText(this.#state, text));
  }

  /** Puts a text before what is written, some parts of which were pasted. */
  prepend(text: string, pasted: readonly TextSpan[] = []): void {
    this.change((state) => prependText(state, text, pasted));
  }

  /** Empties the text, which the history keeps. */
  putAside(): void {
    this.history.add(this.text, pastedSpans(this.#state));
    this.text = '';
  }

  /** Empties the text and what belongs to it; undo does not bring it back. */
  clear(): void {
    this.#autocomplete.reset();
    this.#top = undefined;
    if (this.#vim) this.#vim = insertMode;
    this.#show(clearedState(this.#state));
  }

  /** Sends the text to a listener, `onSubmit` by default, and clears it. Blank text is ignored. */
  submit(send: SubmitListener = this.#options.onSubmit): boolean {
    const { text } = this;
    if (text.trim() === '') return true;
    const pasted = pastedSpans(this.#state);
    const shown = shownText(this.#state);
    this.clear();
    const entry = pasted.length === 0 ? text : { text, pasted };
    if (this.history.add(text, pasted)) this.#options.onRemember?.(entry);
    send(text, { pasted, shown });
    return true;
  }

  /** Replaces the text by the next older or newer one of the history; false if there is none. */
  recall(direction: 'older' | 'newer'): boolean {
    return this.#recalled(this.#recall[direction](this.#state));
  }

  render(width: number): readonly string[] {
    this.#room = editorSize(width, this);
    const scene = {
      state: this.#searched() ?? this.#state,
      look: this.#options.look,
      isFocused: this.isFocused,
      top: this.#top,
      maxRows: this.maxRows,
      popupRows: this.popupRows,
      placeholder: this.placeholder,
      prompt: this.prompt,
      borderStyle: this.borderStyle,
      selection: this.#vim && vimSelection({ vim: this.#vim, editor: this.#state }),
      search: this.#search,
      popup: this.#autocomplete.popup,
      note: this.#vim ? vimNote(this.#vim) : '',
    };
    const { lines, top } = renderEditor(scene, width);
    this.#top = top;
    return lines;
  }

  handleInput(event: InputEvent): boolean {
    if (this.#waiting && isStroke(event)) return this.#waiting.events.push(event) > 0;
    if (event.type === 'paste') return this.#paste(event.text);
    if (event.type !== 'key' || event.action === 'release') return false;
    if (this.#jump) return this.#finishJump(event, this.#jump);
    if (this.#search) return this.#searchKey(event, this.#search);
    return (
      this.#popupKey(event) ||
      this.#vimKey(event) ||
      this.#commandKey(event) ||
      this.#verticalKey(event) ||
      this.#options.onKey?.(event, this) ||
      this.#actionKey(event) ||
      this.#typeKey(event)
    );
  }

  #paste(text: string): boolean {
    if (this.#search) {
      this.#search.type(text);
      return this.#show(this.#state);
    }
    const paths = this.#options.onDrop && droppedPaths(text);
    const parts = (paths && this.#options.onDrop?.(paths)) ?? [text];
    return this.#edit(parts.reduce(insertPart, this.#state));
  }

  #finishJump(event: KeyEvent, direction: 'forward' | 'backward'): boolean {
    this.#jump = undefined;
    if (event.text !== '') return this.#move(jumpToCharacter(this.#state, event.text, direction));
    return this.#is(event, 'tui.select.cancel') || this.handleInput(event);
  }

  #searchKey(event: KeyEvent, search: HistorySearch): boolean {
    const next = search.handleKey(event, this.#options.keybindings);
    if (next === 'stay') return this.#show(this.#state);
    const found = next === 'leave' ? this.#state : (this.#searched() ?? this.#state);
    this.#search = undefined;
    this.#show(found);
    return next === 'pass' ? this.handleInput(event) : true;
  }

  /** The text that the search found. */
  #searched(): EditorState | undefined {
    const match = this.#search?.match;
    return match && replaceText(this.#state, match.text, this.history.pastedIn(match.text));
  }

  #popupKey(event: KeyEvent): boolean {
    if (!this.#autocomplete.popup) return false;
    if (this.#is(event, 'tui.input.tab')) return this.#complete();
    if (this.#is(event, 'tui.select.confirm')) return this.#choose();
    const { keybindings, isPassedOn } = this.#options;
    const isUsed = this.#autocomplete.handleKey(event, keybindings, this.popupRows);
    const isClosed = isUsed && !this.#autocomplete.popup;
    return isUsed && !(isClosed && isPassedOn?.(event));
  }

  #complete(): boolean {
    const { popup } = this.#autocomplete;
    const prefix = popup && commonCompletion(popup);
    if (!popup || prefix === undefined || popup.items.length === 1) return this.#choose({ canSubmit: false });
    this.#edit(acceptPrefix(this.#state, popup.token, prefix));
    return true;
  }

  #choose({ canSubmit = true } = {}): boolean {
    const { popup } = this.#autocomplete;
    const item = popup?.items[canSubmit ? popup.selected : Math.max(0, popup.selected)];
    if (!popup) return false;
    this.#autocomplete.reset();
    // Enter sends a text that is complete: no suggestion is selected, or the selected one is already typed.
    if (!item || (canSubmit && item.value === popup.token.query)) return false;
    this.#show(acceptCompletion(this.#state, popup.token, item));
    if (item.next === 'open' || item.next === 'continue')
      this.#autocomplete.update(completionRequest(this.#state), { isAsked: true });
    if (item.next === 'submit' && canSubmit) return this.submit();
    return true;
  }

  #vimKey(event: KeyEvent): boolean {
    if (!this.#vim) return false;
    const done = vimKey({ vim: this.#vim, editor: this.#state, room: this.#room }, event.text || event.id);
    if (!done) return false;
    this.#vim = done.vim;
    this.#autocomplete.reset();
    return this.#show(done.editor);
  }

  #commandKey(event: KeyEvent): boolean {
    if (this.#is(event, 'tui.input.submit')) return this.#enter();
    if (this.#is(event, 'tui.editor.historySearch')) this.#search = new HistorySearch(this.history);
    else if (this.#is(event, 'tui.editor.jumpForward')) this.#jump = 'forward';
    else if (this.#is(event, 'tui.editor.jumpBackward')) this.#jump = 'backward';
    else if (this.#is(event, 'tui.input.tab')) return this.#ask();
    else return false;
    this.#options.onChange?.();
    return true;
  }

  /** Suggestions came or went; what was asked of them before is done now. */
  #suggested(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return this.#options.onChange?.();
    clearTimeout(waiting.timer);
    if (this.#autocomplete.popup) this.#complete();
    for (const event of waiting.events) this.handleInput(event);
    this.#options.onChange?.();
  }

  /** Keys typed after tab wait for the suggestions, since they assume the completion. */
  #await(): boolean {
    const timer = setTimeout(() => this.#suggested(), patienceMs).unref();
    this.#waiting = { events: [], timer };
    return true;
  }

  #ask(): boolean {
    if (!this.#autocomplete.isSearching || this.#autocomplete.popup)
      this.#autocomplete.update(completionRequest(this.#state), { isAsked: true });
    if (this.#autocomplete.isSearching && !this.#autocomplete.popup) return this.#await();
    return this.#autocomplete.popup !== undefined;
  }

  /** Sends, unless a backslash before the caret continues the line. */
  #enter(): boolean {
    const { buffer, caret } = this.#state;
    const line = buffer.line(caret.line);
    const goesOn = caret.column === line.length && line.endsWith('\\');
    if (!goesOn) return this.submit();
    this.#edit(typeText(deleteCharBackward(this.#state), '\n'));
    return true;
  }

  /** Up on the first row recalls an older text, down on the last row a newer one. */
  #verticalKey(event: KeyEvent): boolean {
    const action = this.#options.keybindings.find(event, verticalActionIds);
    if (!action) return false;
    const step = { state: this.#state, room: this.#room, recall: this.#recall };
    return this.#recalled(moveOrRecall(step, action === 'tui.editor.cursorUp' ? 'older' : 'newer'));
  }

  #recalled(next: EditorState | undefined): boolean {
    if (!next) return false;
    if (next.buffer !== this.#state.buffer) this.#autocomplete.reset();
    return this.#move(next);
  }

  #actionKey(event: KeyEvent): boolean {
    const action = this.#options.keybindings.find(event, actionIds);
    if (!action) return false;
    // In an empty editor the key leaves the program.
    if (action === 'tui.editor.deleteCharForward' && this.isEmpty) return false;
    return this.#edit(applyEditorAction(this.#state, action, this.#room));
  }

  #typeKey(event: KeyEvent): boolean {
    return event.text !== '' && this.type(event.text);
  }

  /** Takes a state that typing led to: suggestions follow the text. */
  #edit(state: EditorState): boolean {
    const isChanged = state.buffer !== this.#state.buffer;
    if (!isChanged) return this.#move(state);
    this.#state = state;
    this.#autocomplete.update(completionRequest(state));
    this.#options.onChange?.();
    return true;
  }

  #move(state: EditorState): boolean {
    this.#state = state;
    this.#autocomplete.follow(completionRequest(state));
    this.#options.onChange?.();
    return true;
  }

  #show(state: EditorState): boolean {
    this.#state = state;
    this.#options.onChange?.();
    return true;
  }

  #is(event: KeyEvent, action: ToolkitAction): boolean {
    return this.#options.keybindings.matches(event, action);
  }
}

function isStroke(event: InputEvent): boolean {
  return event.type === 'paste' || (event.type === 'key' && event.action !== 'release');
}

function vimNote({ mode, search }: VimState): string {
  if (search !== undefined) return ` /${search} `;
  return mode === 'insert' ? '' : ` ${mode} `;
}

/** Puts one of several pasted parts in, apart from the one before. */
function insertPart(state: EditorState, part: Token | string, index: number): EditorState {
  const apart = index > 0 ? typeText(state, ' ') : state;
  return typeof part === 'string' ? pasteText(apart, part) : insertToken(apart, part);
}
