import { basename, join } from 'node:path';
import { AgentError, askGit } from '@robota-sdk/agent-core';
import { Review, type ReviewTarget, reviewNoteType, targetChanges } from '@robota-sdk/agent-review';
import { type InteractiveSession, openReview, parseReviewTarget } from '@robota-sdk/agent-sdk/front-end';
import { JsonlSessionStore, readOriginals, type SessionHandle, typedText } from '@robota-sdk/agent-sessions';
import type { ReviewReply, ReviewSessions, ReviewTargetChoice } from '../../contract/review.ts';
import { reviewReply } from './review-reply.ts';
import { reviewTargets } from './review-targets.ts';

export interface OpenReviewsOptions {
  /** The user's data folder, with `sessions` in it. */
  readonly home: string;
  readonly sessions: ReviewSessions;
}

/** The changes of a session that are looked at. */
export interface ReviewSubject {
  readonly session: string;
  /** As the arguments of `/review`: empty, a range, or `worktree PATH`. */
  readonly target: string;
  /** The title of a task. */
  readonly title?: string;
  readonly branch?: string;
  /** Why nothing can be changed. */
  readonly readOnly?: string;
}

/** The reviews that pages have open. A hunk that was taken back is listed as long as its review is kept. */
export class OpenReviews {
  readonly #store: JsonlSessionStore;
  readonly #sessions: ReviewSessions;
  readonly #reviews = new WeakMap<InteractiveSession, Map<string, Review>>();

  constructor({ home, sessions }: OpenReviewsOptions) {
    this.#store = new JsonlSessionStore({ home });
    this.#sessions = sessions;
  }

  /** Reads a review without taking the session's lock. Lists the files again unless hunks of it were taken back. */
  async read(subject: ReviewSubject, { again = false } = {}): Promise<ReviewReply> {
    const holder = await this.#sessions.holder(subject.session);
    const open = this.#sessions.peek(subject.session);
    const handle = await this.#store.open(subject.session, { mode: 'read' });
    try {
      const review = open
        ? await this.#listed(open, subject.target, again ? 'again' : 'fresh')
        : await storedReview(handle, parseReviewTarget(subject.target));
      const readOnly = subject.readOnly ?? (holder === 'elsewhere' ? heldElsewhere : undefined);
      return await reply(review, { handle, subject, readOnly });
    } finally {
      await handle.close();
    }
  }

  /** Changes of the session's repository that can be reviewed. */
  async targets(session: string): Promise<readonly ReviewTargetChoice[]> {
    const handle = await this.#store.open(session, { mode: 'read' });
    try {
      return await reviewTargets(handle.cwd);
    } finally {
      await handle.close();
    }
  }

  /** Opens the session here if need be, changes something in its review, and reads the result. */
  async change(
    subject: ReviewSubject,
    work: (review: Review, session: InteractiveSession) => Promise<void>,
  ): Promise<ReviewReply> {
    if (subject.readOnly !== undefined) throw new AgentError('session-in-use', subject.readOnly);
    const session = await this.#sessions.open(subject.session);
    const review = await this.#listed(session, subject.target, 'kept');
    await work(review, session);
    const handle = await this.#store.open(subject.session, { mode: 'read' });
    try {
      return await reply(review, { handle, subject, readOnly: undefined });
    } finally {
      await handle.close();
    }
  }

  /** Sends all drafts as one prompt; they are removed once the session has it. */
  send(subject: ReviewSubject): Promise<ReviewReply> {
    return this.change(subject, async (review) => {
      const message = review.message();
      if (message === undefined) throw new AgentError('usage', 'No comments to send.');
      await this.#sessions.prompt(subject.session, message.text);
      await review.sent(message);
    });
  }

  async #listed(
    session: InteractiveSession,
    target: string,
    wish: 'kept' | 'fresh' | 'again',
  ): Promise<Review> {
    const known = this.#reviews.get(session) ?? new Map<string, Review>();
    this.#reviews.set(session, known);
    const kept = known.get(target);
    if (kept && wish !== 'again' && (wish === 'kept' || hasTakenBack(kept))) return kept;
    const review = await openReview(session, parseReviewTarget(target));
    known.set(target, review);
    return review;
  }
}

export const heldElsewhere = 'Open in a terminal. Take over the session to change anything.';

function hasTakenBack(review: Review): boolean {
  return review.files.some((file) => file.hunks.some((hunk) => review.stateOf(file, hunk) === 'taken back'));
}

async function reply(
  review: Review,
  about: {
    readonly handle: SessionHandle;
    readonly subject: ReviewSubject;
    readonly readOnly: string | undefined;
  },
): Promise<ReviewReply> {
  const { handle, subject, readOnly } = about;
  const branch = subject.branch ?? (await branchOf(review.folder));
  return reviewReply(review, {
    session: subject.session,
    title: subject.title ?? titleOf(handle),
    cost: handle.totals.cost,
    ...(branch === undefined ? {} : { branch }),
    ...(readOnly === undefined ? {} : { readOnly }),
  });
}

/** The name of a session, else its first prompt. */
function titleOf(handle: SessionHandle): string {
  if (handle.name !== undefined && handle.name !== '') return handle.name;
  const [first] = handle.promptIds;
  const entry = first === undefined ? undefined : handle.entry(first);
  const message = entry?.type === 'message' ? entry.message : undefined;
  const text = message?.role === 'user' ? typedText(message) : '';
  return text.split('\n')[0]?.slice(0, 80) || basename(handle.cwd);
}

async function branchOf(folder: string): Promise<string | undefined> {
  const output = await askGit(['branch', '--show-current'], {
    cwd: folder,
    timeoutMs: 5000,
    maximumBytes: 4096,
  });
  const name = typeof output === 'string' ? '' : output.toString('utf8').trim();
  return name === '' ? undefined : name;
}

/** Lists the changes of a session that is not open here. It takes no lock and writes nothing. */
async function storedReview(handle: SessionHandle, target: ReviewTarget): Promise<Review> {
  const { cwd, directory } = handle;
  const checkpoints =
    target === 'session' && directory !== undefined
      ? await readOriginals(join(directory, 'checkpoints'))
      : undefined;
  const notes = handle
    .notes()
    .flatMap((entry) =>
      entry.type === 'custom' && entry.customType === reviewNoteType ? (entry.data ?? []) : [],
    );
  return new Review(await targetChanges(target, { cwd, checkpoints }), {
    cwd,
    notes: () => notes,
    addNote: refuse,
    write: refuse,
  });
}

function refuse(): never {
  throw new AgentError('session', 'The session is not open here, so nothing can be changed in it.');
}
