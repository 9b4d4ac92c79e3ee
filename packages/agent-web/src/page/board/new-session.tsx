import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { messageOf, post } from '../base/api.ts';
import { directories } from '../base/board-store.ts';
import { navigate } from '../base/router.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';

/** Whether the form for a new session is open. */
export const isNewSessionOpen = signal(false);

/** Starts a session in a directory that is trusted already. */
export function NewSession() {
  const known = directories.value;
  const [cwd, setDirectory] = useState('');
  const [prompt, setPrompt] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  if (!isNewSessionOpen.value) return null;
  const close = () => {
    isNewSessionOpen.value = false;
  };
  const start = async () => {
    setBusy(true);
    try {
      const { id } = await post<{ readonly id: string }>('/api/sessions', {
        cwd: cwd || known[0],
        prompt,
      });
      setPrompt('');
      close();
      navigate(`/s/${encodeURIComponent(id)}`);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title="New session" onClose={close}>
      <form
        class="dialog-body"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <label>
          Directory
          <input
            class="field"
            list="directories"
            required
            value={cwd || (known[0] ?? '')}
            onInput={(event) => setDirectory(event.currentTarget.value)}
          />
          <datalist id="directories">
            {known.map((directory) => (
              <option key={directory} value={directory} />
            ))}
          </datalist>
        </label>
        <label>
          Task
          <textarea
            class="field"
            rows={4}
            required
            autofocus
            value={prompt}
            onInput={(event) => setPrompt(event.currentTarget.value)}
          />
        </label>
        {problem !== undefined && (
          <p class="bad-text" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-actions">
          <Button kind="quiet" onClick={close}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" disabled={isBusy}>
            Start
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
