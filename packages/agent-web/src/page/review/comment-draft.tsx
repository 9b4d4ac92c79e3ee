import { useEffect, useRef, useState } from 'preact/hooks';
import type { DraftComment } from '../../contract/review.ts';
import { Button } from '../components/button.tsx';
import { Tag } from '../components/status.tsx';
import { type OpenComment, type ReviewModel, spanOfDraft, spanText } from './review-model.ts';

const saveAfter = 800;

/** The field for a comment. It is saved while it is typed, so that nothing is lost. */
export function CommentField({
  model,
  comment,
}: {
  readonly model: ReviewModel;
  readonly comment: OpenComment;
}) {
  const [text, setText] = useState(comment.before ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.form?.scrollIntoView({ block: 'nearest' });
    return () => clearTimeout(timer.current);
  }, []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void model.saveComment(next), saveAfter);
  };
  const finish = async () => {
    clearTimeout(timer.current);
    await model.saveComment(text);
    if (model.problem.value === undefined) leave(model);
  };
  const discard = () => {
    clearTimeout(timer.current);
    void model.discardComment();
    leave(model);
  };
  return (
    <div class="review-comment">
      <form
        class="review-comment-box review-comment-open"
        onSubmit={(event) => {
          event.preventDefault();
          void finish();
        }}
        onKeyDown={(event) => {
          const isCommand = event.ctrlKey || event.metaKey;
          if (event.key === 'Escape') discard();
          else if (event.key === 'Enter' && isCommand && event.shiftKey)
            void finish().then(() => model.send());
          else if (event.key === 'Enter' && isCommand) void finish();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        <div class="review-comment-head small">
          <b>Comment on {spanText(comment.span)}</b>
          <span class="grow" />
          <span class="dim" role="status">
            {model.saving.value ?? 'saved as you type'}
          </span>
        </div>
        <textarea
          ref={field}
          rows={Math.min(12, Math.max(2, text.split('\n').length))}
          aria-label={`Comment on ${spanText(comment.span)}`}
          value={text}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <div class="review-comment-head">
          <Button kind="quiet" keys="esc" onClick={discard}>
            Discard
          </Button>
          <span class="grow" />
          <Button type="submit" keys="ctrl enter" disabled={text.trim() === ''}>
            Keep draft
          </Button>
        </div>
      </form>
    </div>
  );
}

/** The focus returns to the hunk, so that keys work again. */
function leave(model: ReviewModel): void {
  model.closeComment();
  document.getElementById(`hunk-${model.current.value}`)?.focus({ preventScroll: true });
}

/** A comment that was not sent yet. */
export function DraftView({ model, draft }: { readonly model: ReviewModel; readonly draft: DraftComment }) {
  const isChangeable = model.review.value?.readOnly === undefined;
  return (
    <div class="review-comment">
      <div class="review-comment-box">
        <div class="review-comment-head small">
          <b>You</b>
          <span class="dim">{draftPlace(draft)}</span>
          <span class="grow" />
          <Tag tone="accent">Draft</Tag>
          {isChangeable && (
            <>
              <Button kind="quiet" onClick={() => model.editDraft(draft)}>
                Edit
              </Button>
              <Button kind="quiet" onClick={() => void model.removeDraft(draft.id)}>
                Delete
              </Button>
            </>
          )}
        </div>
        <p class="review-comment-text">{draft.comment}</p>
      </div>
    </div>
  );
}

function draftPlace(draft: DraftComment): string {
  const { at, line } = draft;
  if (at === undefined) return `line ${line} when it was written; the lines are gone`;
  return `${spanText(spanOfDraft(draft))}${at === line ? '' : ` · moved from line ${line}`}`;
}
