import type { TreeNode } from '../../contract/session.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import type { SessionStore } from './session-store.ts';

const scopes = [
  ['both', 'Conversation and files'],
  ['conversation', 'Only the conversation'],
  ['files', 'Only the files'],
] as const;

/** Asks where to go back to, and what goes back. */
export function RewindDialog({
  store,
  nodes,
  chosen,
  onClose,
}: {
  readonly store: SessionStore;
  readonly nodes: readonly TreeNode[];
  readonly chosen: TreeNode;
  readonly onClose: () => void;
}) {
  const shown = chosen.isOnBranch ? nodes.filter(({ isOnBranch }) => isOnBranch).toReversed() : [chosen];
  const rewind = async (form: FormData) => {
    const problem = await store.rewind(
      String(form.get('entry')),
      String(form.get('scope') ?? 'conversation'),
    );
    if (problem === undefined) onClose();
    return problem;
  };
  return (
    <FormDialog title="Go back to before a prompt" action="Go back" onSubmit={rewind} onClose={onClose}>
      <label>
        Prompt
        <select class="field" name="entry" autofocus>
          {shown.map(({ id, text }) => (
            <option key={id} value={id} selected={id === chosen.id}>
              {text || '(nothing)'}
            </option>
          ))}
        </select>
      </label>
      {chosen.isOnBranch ? (
        <fieldset class="form-choices">
          <legend>What goes back</legend>
          {scopes.map(([value, text], index) => (
            <label key={value}>
              <input type="radio" name="scope" value={value} defaultChecked={index === 0} />
              {text}
            </label>
          ))}
        </fieldset>
      ) : (
        <p class="dim">The conversation continues on that branch. Files stay as they are.</p>
      )}
      <p class="small dim">The prompt returns to the composer. /rewind undo takes this back.</p>
    </FormDialog>
  );
}
