import { useState } from 'preact/hooks';
import type { ReviewTargetsReply } from '../../contract/review.ts';
import { useResource } from '../base/use-resource.ts';
import { FormDialog } from '../components/form-dialog.tsx';

const other = '…';

/** Chooses the changes to review: those of the session, uncommitted ones, a range of commits, or a worktree. */
export function TargetChoice({
  path,
  target,
  onChange,
}: {
  /** The address of the review. */
  readonly path: `/api/${string}`;
  readonly target: string;
  readonly onChange: (target: string) => void;
}) {
  const { value } = useResource<ReviewTargetsReply>(`${path}/targets`);
  const [isAsking, setAsking] = useState(false);
  const targets = value?.targets ?? [];
  const isListed = targets.some((each) => each.target === target);
  if (targets.length < 2 && target === '') return null;
  return (
    <>
      <select
        class="field review-target"
        aria-label="Changes to review"
        value={target}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          if (chosen !== other) return onChange(chosen);
          event.currentTarget.value = target;
          setAsking(true);
        }}
      >
        {!isListed && <option value={target}>{target || 'This session'}</option>}
        {targets.map((each) => (
          <option key={each.target} value={each.target} selected={each.target === target}>
            {each.text}
          </option>
        ))}
        <option value={other}>Another range…</option>
      </select>
      {isAsking && (
        <FormDialog
          title="Review a range"
          action="Review"
          onSubmit={async (form) => {
            setAsking(false);
            onChange(String(form.get('range') ?? '').trim());
            return undefined;
          }}
          onClose={() => setAsking(false)}
        >
          <label>
            Commits, or one commit up to the files as they are
            <input class="field" name="range" required autofocus placeholder="main..HEAD" pattern="\S+" />
          </label>
        </FormDialog>
      )}
    </>
  );
}
