import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '@robota-sdk/agent-core';
import { anchorAt, findAnchor } from './anchor.ts';
import { contentWithout, reviewFileOf } from './list-hunks.ts';
import { contentHash, type FoundFile, replaceFile } from './replace-file.ts';
import type { FileVersions, HunkState, ReviewFile, ReviewHunk } from './review-file.ts';
import { nameIn, type ReviewMessage, reviewMessage, textLines } from './review-message.ts';
import {
  draftNote,
  foldNotes,
  keptNote,
  type ReviewDraft,
  type ReviewNotes,
  takenBackNote,
  withoutDraftsNote,
} from './review-notes.ts';

/** The changes of a session, a git range or a worktree. */
export interface ReviewedChanges {
  /** As `this session` or `main..HEAD`. */
  readonly title: string;
  /** Names of files are relative to it. */
  readonly folder: string;
  readonly files: readonly ListedFile[];
  /** Paths of changed files that cannot be shown: links, devices, files whose old content was not kept. */
  readonly omitted: readonly string[];
  /** Reasons why more may have changed than is listed. */
  readonly unknown?: readonly string[];
}

/** A changed file, and what was found in its place when it was listed. */
export interface ListedFile extends FileVersions {
  readonly found: FoundFile | undefined;
}

/** The services of a session that a review uses. */
export interface ReviewServices {
  /** The working directory; prompts name files relative to it. */
  readonly cwd: string;
  /** Notes of earlier reviews, oldest first. */
  notes(): readonly JsonValue[];
  addNote(note: JsonObject): Promise<void>;
  /** Carries out a change of a file, for others to know of it. */
  write?(path: string, work: () => Promise<void>): Promise<void>;
  /** True for a file whose lines no message may quote: it is hidden from the model. */
  isHidden?(path: string): boolean;
}

/** Whether a hunk was put into the state that was asked for, or a sentence that says why not. */
export type HunkResult = { readonly isDone: true } | { readonly isDone: false; readonly problem: string };

/** Lines of a file, to comment on; counted from 1. */
export interface CommentedLines {
  readonly side: 'old' | 'new';
  readonly line: number;
  readonly endLine: number;
}

/** A draft, with its line in the listed file; undefined if it cannot be found there. */
export interface PlacedDraft extends ReviewDraft {
  readonly at: number | undefined;
}

interface FileWork {
  readonly listed: ListedFile;
  readonly file: ReviewFile;
  readonly taken: Set<ReviewHunk>;
  /** The file as this review left it. */
  found: FoundFile | undefined;
}

/** Files and hunks to keep, take back or comment on. It shows files as they were when it was listed. */
export class Review {
  readonly title: string;
  readonly folder: string;
  readonly files: readonly ReviewFile[];
  /** Names of changed files that cannot be shown. */
  readonly omitted: readonly string[];
  /** Reasons why more may have changed than is listed. */
  readonly unknown: readonly string[];
  readonly #services: ReviewServices;
  readonly #work: ReadonlyMap<ReviewFile, FileWork>;
  #last: Promise<unknown> = Promise.resolve();
  #folded: { readonly count: number; readonly last: unknown; readonly notes: ReviewNotes } | undefined;

  constructor({ title, folder, files, omitted, unknown = [] }: ReviewedChanges, services: ReviewServices) {
    this.title = title;
    this.folder = folder;
    this.omitted = omitted.map((path) => nameIn(folder, path));
    this.unknown = unknown;
    this.#services = services;
    const work = files.flatMap((listed): readonly [ReviewFile, FileWork][] => {
      const file = reviewFileOf(listed, nameIn(folder, listed.path));
      return file ? [[file, { listed, file, taken: new Set(), found: listed.found }]] : [];
    });
    work.sort(([a], [b]) => (a.name < b.name ? -1 : 1));
    this.#work = new Map(work);
    this.files = work.map(([file]) => file);
  }

  get added(): number {
    return this.files.reduce((sum, { added }) => sum + added, 0);
  }

  get removed(): number {
    return this.files.reduce((sum, { removed }) => sum + removed, 0);
  }

  stateOf(file: ReviewFile, hunk: ReviewHunk): HunkState {
    if (this.#work.get(file)?.taken.has(hunk)) return 'taken back';
    return this.#notes.kept.has(hunk.key) ? 'kept' : 'open';
  }

  /** Marks a hunk as kept; one that was taken back is applied again. A second time it is open again. */
  async keep(file: ReviewFile, hunk: ReviewHunk): Promise<HunkResult> {
    const state = this.stateOf(file, hunk);
    const result = state === 'taken back' ? await this.#put(file, hunk, 'apply') : done;
    if (!result.isDone) return result;
    const isKept = state !== 'kept';
    const open = this.#openBeside(hunk) + (isKept ? 0 : 1);
    await this.#services.addNote(keptNote(hunk.key, { isKept, open }));
    return result;
  }

  /** Restores the old lines of a hunk, unless the file was changed by others since it was listed. */
  async takeBack(file: ReviewFile, hunk: ReviewHunk): Promise<HunkResult> {
    if (this.stateOf(file, hunk) === 'taken back') return done;
    const result = await this.#put(file, hunk, 'take back');
    if (result.isDone)
      await this.#services.addNote(takenBackNote(hunk.key, { open: this.#openBeside(hunk) }));
    return result;
  }

  /** The number of hunks without a decision, not counting this one. */
  #openBeside(hunk: ReviewHunk): number {
    return this.files.reduce((sum, file) => {
      const open = file.hunks.filter((each) => each !== hunk && this.stateOf(file, each) === 'open');
      return sum + open.length;
    }, 0);
  }

  /** Drafts of this session, also those about files outside this review. */
  get drafts(): readonly PlacedDraft[] {
    return this.#notes.drafts.map((draft) => {
      const work = [...this.#work.values()].find(({ file }) => file.path === draft.path);
      return { ...draft, at: work && findAnchor(linesOn(work.listed, draft.side), draft) };
    });
  }

  /** Stores a comment on some lines as a draft. */
  async comment(file: ReviewFile, lines: CommentedLines, comment: string): Promise<ReviewDraft> {
    const listed = this.#work.get(file)?.listed;
    const anchor = anchorAt(listed ? linesOn(listed, lines.side) : [], lines);
    const id = randomUUID().slice(0, 8);
    const draft = { ...anchor, id, path: file.path, side: lines.side, comment } as const;
    await this.#services.addNote(draftNote(draft));
    return draft;
  }

  /** Changes the text of a draft; an empty one removes it. */
  async editDraft(id: string, comment: string): Promise<void> {
    const draft = this.#notes.drafts.find((each) => each.id === id);
    if (!draft) return;
    const isEmpty = comment.trim() === '';
    await this.#services.addNote(
      isEmpty ? withoutDraftsNote([id], { isSent: false }) : draftNote({ ...draft, comment }),
    );
  }

  /** All drafts as one prompt, in the order of the files and their lines; undefined if there are none. */
  message(): ReviewMessage | undefined {
    const paths = this.files.map(({ path }) => path);
    const placeOf = (path: string) => (paths.includes(path) ? paths.indexOf(path) : paths.length);
    const drafts = this.drafts.toSorted(
      (a, b) => placeOf(a.path) - placeOf(b.path) || (a.at ?? a.line) - (b.at ?? b.line),
    );
    return reviewMessage(drafts, this.#services);
  }

  /** Removes the drafts of a message that was sent. */
  async sent({ ids }: Pick<ReviewMessage, 'ids'>): Promise<void> {
    await this.#services.addNote(withoutDraftsNote(ids, { isSent: true }));
  }

  get #notes(): ReviewNotes {
    const notes = this.#services.notes();
    const last = notes.at(-1);
    if (this.#folded?.count !== notes.length || this.#folded.last !== last)
      this.#folded = { count: notes.length, last, notes: foldNotes(notes) };
    return this.#folded.notes;
  }

  /** One change of a file after the other. */
  #put(file: ReviewFile, hunk: ReviewHunk, wish: 'apply' | 'take back'): Promise<HunkResult> {
    const result = this.#last.then(() => this.#putNow(file, hunk, wish));
    this.#last = result.catch(() => {});
    return result;
  }

  async #putNow(file: ReviewFile, hunk: ReviewHunk, wish: 'apply' | 'take back'): Promise<HunkResult> {
    const work = this.#work.get(file);
    if (!work) return refuse(wish, `${file.name} isn't part of this review.`);
    if (file.refusal !== undefined) return refuse(wish, file.refusal);
    const { listed, found, taken } = work;
    const wanted = new Set(taken);
    wanted[wish === 'apply' ? 'delete' : 'add'](hunk);
    const content = contentWithout(listed, file.hunks, wanted);
    const { path, mode } = listed;
    let replaced: FoundFile | undefined;
    const write = async () => {
      replaced = found && (await replaceFile({ path, expected: found, content, mode }));
    };
    await (this.#services.write ? this.#services.write(path, write) : write());
    if (!replaced) return refuse(wish, `${file.name} changed since. Review it again.`);
    work.found = replaced;
    taken.clear();
    for (const each of wanted) taken.add(each);
    return done;
  }
}

const done: HunkResult = { isDone: true };

function refuse(wish: 'apply' | 'take back', problem: string): HunkResult {
  return { isDone: false, problem: `Can't ${wish === 'apply' ? 'apply again' : wish}: ${problem}` };
}

function linesOn({ before, after }: FileVersions, side: 'old' | 'new'): readonly string[] {
  return textLines(side === 'old' ? before : after);
}

/** A file that can be taken back: its new content is what is on disk. */
export function isOnDisk({ after, found }: ListedFile): boolean {
  if (found === undefined) return false;
  return after === undefined ? found.bytes === undefined : found.hash === contentHash(after);
}
