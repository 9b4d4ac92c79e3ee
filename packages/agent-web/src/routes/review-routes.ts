import { AgentError, type JsonObject } from '@robota-sdk/agent-core';
import type { HunkResult, Review, ReviewFile, ReviewHunk } from '@robota-sdk/agent-review';
import type { ReviewReply } from '../contract/review.ts';
import type { WebReply, WebRequest, WebRoute } from '../contract/route.ts';
import { bodyFields, bodyText, idOf, lineIn } from './read-body.ts';
import { OpenReviews, type OpenReviewsOptions, type ReviewSubject } from './review/open-reviews.ts';

export interface ReviewRoutesOptions extends OpenReviewsOptions {
  /** The changes of a task of the fleet. */
  taskSubject(id: string): Promise<Omit<ReviewSubject, 'target'>>;
}

type Change = (review: Review, body: JsonObject) => Promise<HunkResult | undefined>;

/** Review of a session (`/api/sessions/:id/review`) or of a task (`/api/tasks/:id/review`), by file and hunk. */
export function reviewRoutes(options: ReviewRoutesOptions): WebRoute[] {
  const reviews = new OpenReviews(options);
  const ofSession = async ({ params, query }: WebRequest) => ({
    session: idOf(params.id),
    target: query.get('target') ?? '',
  });
  const ofTask = async ({ params, query }: WebRequest) => ({
    ...(await options.taskSubject(idOf(params.id))),
    target: query.get('target') ?? '',
  });
  return [
    ...routesAt('/api/sessions/:id/review', reviews, ofSession),
    {
      method: 'GET',
      path: '/api/sessions/:id/review/targets',
      handle: async ({ params }) => ({ json: { targets: await reviews.targets(idOf(params.id)) } }),
    },
    ...routesAt('/api/tasks/:id/review', reviews, ofTask),
  ];
}

function routesAt(
  path: `/api/${string}`,
  reviews: OpenReviews,
  subjectOf: (request: WebRequest) => Promise<ReviewSubject>,
): WebRoute[] {
  const changing = (name: string, change: Change): WebRoute => ({
    method: 'POST',
    path: `${path}/${name}`,
    handle: async (request) => changed(reviews, await subjectOf(request), { change, request }),
  });
  return [
    {
      method: 'GET',
      path,
      handle: async (request) => ({
        json: await reviews.read(await subjectOf(request), { again: request.query.has('again') }),
      }),
    },
    changing('keep', (review, body) => keep(review, body)),
    changing('take-back', (review, body) => takeBack(review, body)),
    changing('undo', (review, body) => undo(review, body)),
    changing('drafts', (review, body) => writeDraft(review, body)),
    changing('drafts/remove', (review, body) => removeDraft(review, body)),
    {
      method: 'POST',
      path: `${path}/send`,
      handle: async (request) => ({ json: await reviews.send(await subjectOf(request)) }),
    },
  ];
}

/** A refusal says why, with the review as it is: 409. */
async function changed(
  reviews: OpenReviews,
  subject: ReviewSubject,
  { change, request }: { readonly change: Change; readonly request: WebRequest },
): Promise<WebReply> {
  const body = bodyFields(request.body);
  let result: HunkResult | undefined;
  const review: ReviewReply = await reviews.change(subject, async (open) => {
    result = await change(open, body);
  });
  if (result === undefined || result.isDone) return { json: review };
  return { status: 409, json: { code: 'session', message: result.problem, review } };
}

/** One hunk, or every hunk that is not decided yet. */
async function keep(review: Review, body: JsonObject): Promise<HunkResult | undefined> {
  if (body.all === true) {
    for (const file of review.files)
      for (const hunk of file.hunks) if (review.stateOf(file, hunk) === 'open') await review.keep(file, hunk);
    return undefined;
  }
  const { file, hunk } = hunkIn(review, body);
  return review.stateOf(file, hunk) === 'kept' ? undefined : review.keep(file, hunk);
}

function takeBack(review: Review, body: JsonObject): Promise<HunkResult> {
  const { file, hunk } = hunkIn(review, body);
  return review.takeBack(file, hunk);
}

/** Makes a hunk open again, whatever was decided. */
async function undo(review: Review, body: JsonObject): Promise<HunkResult | undefined> {
  const { file, hunk } = hunkIn(review, body);
  if (review.stateOf(file, hunk) === 'taken back') {
    const result = await review.keep(file, hunk);
    if (!result.isDone) return result;
  }
  return review.stateOf(file, hunk) === 'kept' ? review.keep(file, hunk) : undefined;
}

/** A new draft on some lines, or the new text of one; an empty text removes it. */
async function writeDraft(review: Review, body: JsonObject): Promise<undefined> {
  const comment = bodyText(body, 'comment');
  if (typeof body.id === 'string') {
    await review.editDraft(idOf(body.id), comment);
    return;
  }
  if (comment.trim() === '') throw new AgentError('usage', 'The comment is empty.');
  const line = lineIn(body, 'line');
  const endLine = Math.max(line, body.endLine === undefined ? line : lineIn(body, 'endLine'));
  const side = body.side === 'old' ? 'old' : 'new';
  await review.comment(fileIn(review, body), { side, line, endLine }, comment);
}

async function removeDraft(review: Review, body: JsonObject): Promise<undefined> {
  await review.editDraft(idOf(bodyText(body, 'id')), '');
}

function fileIn(review: Review, body: JsonObject): ReviewFile {
  const name = bodyText(body, 'file');
  const file = review.files.find((each) => each.name === name);
  if (file) return file;
  throw new AgentError('session', `${name} is no longer part of this review. Reload it.`);
}

function hunkIn(review: Review, body: JsonObject): { readonly file: ReviewFile; readonly hunk: ReviewHunk } {
  const file = fileIn(review, body);
  const key = bodyText(body, 'hunk');
  const hunk = file.hunks.find((each) => each.key === key);
  if (hunk) return { file, hunk };
  throw new AgentError('session', `${file.name} has changed since it was listed. Reload the review.`);
}
