import { relative } from 'node:path';
import {
  askGit,
  type CommandContext,
  type CommandOutcome,
  errorMessage,
  type JsonValue,
  pluralize,
} from '@robota-sdk/agent-core';
import { formatUnifiedDiff } from '@robota-sdk/agent-diff';
import type { Review, ReviewFile } from '@robota-sdk/agent-review';
import { openReview } from '../review/open-review.ts';
import { parseReviewTarget } from '../review/review-target.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import type { CommandActions } from './built-in-commands.ts';

type Context = CommandContext<InteractiveSession>;

/** Commands that show changes. The terminal UI has screens for them. */
export const reviewCommands: CommandActions = {
  review: {
    complete: completeTarget,
    run: (args, context) =>
      show(args, context, (review) => ({ text: summaryText(review), data: dataOf(review) })),
  },
  diff: {
    complete: completeTarget,
    run: (args, context) =>
      show(args, context, (review) => ({ text: diffText(review), data: dataOf(review) })),
  },
};

async function show(
  args: string,
  { session }: Context,
  describe: (review: Review) => { readonly text: string; readonly data: JsonValue },
): Promise<CommandOutcome> {
  try {
    const review = await openReview(session, parseReviewTarget(args));
    if (review.files.length === 0) return { kind: 'notice', text: nothingText(review), data: dataOf(review) };
    return { kind: 'notice', ...describe(review) };
  } catch (thrown) {
    return { kind: 'error', text: errorMessage(thrown) };
  }
}

function nothingText(review: Review): string {
  return [`No changes: ${review.title}.`, ...missingText(review)].join('\n');
}

/** A unified diff for `patch` and `git apply`, without its last line break. A blank last line counts. */
function diffText(review: Review): string {
  return [...review.files.map(fileDiffText), ...missingText(review)].join('\n');
}

function fileDiffText({ name, diff, binary, lineEnd }: ReviewFile): string {
  if (binary) return `Binary file ${name} ${sizesText(binary)}`;
  const text = formatUnifiedDiff(diff, lineEnd ? { lineEnd } : {});
  return text === ''
    ? `${diff.change === 'create' ? 'New' : 'Deleted'} empty file ${name}`
    : text.replace(/\n$/, '');
}

function sizesText({ before, after }: { readonly before?: number; readonly after?: number }): string {
  const size = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;
  if (before === undefined) return `(new, ${size(after ?? 0)})`;
  return after === undefined ? `(deleted, ${size(before)})` : `(${size(before)} -> ${size(after)})`;
}

function summaryText(review: Review): string {
  const { files, drafts, title, added, removed } = review;
  const hunks = files.reduce((sum, file) => sum + file.hunks.length, 0);
  const head = `Review: ${title} (${pluralize(files.length, 'file')}, ${pluralize(hunks, 'hunk')}, +${added} -${removed})`;
  const width = Math.max(...files.map(({ name }) => name.length));
  const rows = files.map((file) => {
    const kept = file.hunks.filter((hunk) => review.stateOf(file, hunk) === 'kept').length;
    const facts = [pluralize(file.hunks.length, 'hunk'), ...(kept > 0 ? [`${kept} kept`] : [])].join(', ');
    return `  ${file.name.padEnd(width)}  +${file.added} -${file.removed}  ${facts}`;
  });
  const comments = drafts.length === 0 ? [] : [`${pluralize(drafts.length, 'draft')} not sent yet.`];
  return [head, ...rows, ...missingText(review), ...comments].join('\n');
}

/** Changes that are not listed. */
function missingText({ omitted, unknown }: Review): string[] {
  return [
    ...(omitted.length === 0 ? [] : [`Not shown: ${omitted.join(', ')}`]),
    ...unknown.map((why) => `Changes of a command are not known: ${why}. Compare with git: /review HEAD`),
  ];
}

function dataOf({ title, files, omitted, unknown }: Review): JsonValue {
  return {
    title,
    files: files.map(({ name, change, added, removed, hunks }) => ({
      path: name,
      change,
      added,
      removed,
      hunks: hunks.length,
    })),
    omitted: [...omitted],
    unknown: [...unknown],
  };
}

/** Branches, ranges from them, and worktrees. */
async function completeTarget(prefix: string, { session }: Context): Promise<string[]> {
  const { cwd } = session.place;
  const lines = async (...args: readonly string[]) => {
    const output = await askGit(args, { cwd, timeoutMs: 1_000, maximumBytes: 1024 * 1024 });
    return typeof output === 'string' ? [] : output.toString('utf8').split('\n').filter(Boolean);
  };
  if (prefix.startsWith('worktree ')) {
    const listed = await lines('worktree', 'list', '--porcelain');
    const paths = listed.flatMap((line) =>
      line.startsWith('worktree ') ? relative(cwd, line.slice(9)) : [],
    );
    return paths
      .filter((path) => path !== '')
      .map((path) => `worktree ${path}`)
      .filter((word) => word.startsWith(prefix));
  }
  const branches = await lines('for-each-ref', '--format=%(refname:short)', 'refs/heads');
  const words = ['worktree', 'HEAD', ...branches.flatMap((name) => [`${name}..HEAD`, name])];
  return words.filter((word) => word.startsWith(prefix));
}
