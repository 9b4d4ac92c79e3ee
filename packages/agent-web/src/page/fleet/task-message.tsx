import type { FleetTask } from '../../contract/fleet.ts';
import { useFocus } from '../base/focus.ts';
import { Button } from '../components/button.tsx';

/** A field below a task that is under way, for a message to its agent. */
export function TaskMessage({
  task,
  onSend,
  onClose,
}: {
  readonly task: FleetTask;
  readonly onSend: (text: string) => void;
  readonly onClose: () => void;
}) {
  return (
    <form
      class="task-message"
      onSubmit={(event) => {
        event.preventDefault();
        const text = String(new FormData(event.currentTarget).get('text') ?? '').trim();
        if (text !== '') onSend(text);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <input
        class="field grow"
        name="text"
        autocomplete="off"
        required
        aria-label={`Message to ${task.name}`}
        placeholder="Message to the agent"
        ref={useFocus<HTMLInputElement>()}
      />
      <Button kind="quiet" keys="esc" onClick={onClose}>
        Close
      </Button>
      <Button kind="primary" type="submit" keys="enter">
        Send
      </Button>
    </form>
  );
}
