import { signal } from '@preact/signals';
import type { ModelsPage } from '../../contract/session.ts';
import { messageOf, post } from '../base/api.ts';
import { directories } from '../base/board-store.ts';
import { focusSoon } from '../base/focus.ts';
import { navigate } from '../base/router.ts';
import { useResource } from '../base/use-resource.ts';
import { FormDialog } from '../components/form-dialog.tsx';

/** Whether the form for a new session is open. */
export const isNewSessionOpen = signal(false);

function close(): void {
  isNewSessionOpen.value = false;
}

/** Starts a session in a directory that is trusted already. */
export function NewSession() {
  if (!isNewSessionOpen.value) return null;
  const start = async (form: FormData) => {
    try {
      // A model is named only where there is a choice.
      const fields = Object.fromEntries([...form].filter(([, value]) => value !== ''));
      const { id } = await post<{ readonly id: string }>('/api/sessions', fields);
      close();
      navigate(`/s/${encodeURIComponent(id)}`);
      focusSoon('#composer');
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  return (
    <FormDialog title="New session" action="Start" onSubmit={start} onClose={close}>
      <WorkFields />
    </FormDialog>
  );
}

/** The directory, the model and the task of new work. */
export function WorkFields() {
  const known = directories.value;
  const { value } = useResource<ModelsPage>('/api/models');
  return (
    <>
      <label>
        Directory
        <input class="field" name="cwd" list="directories" required defaultValue={known[0] ?? ''} />
        <datalist id="directories">
          {known.map((directory) => (
            <option key={directory} value={directory} />
          ))}
        </datalist>
      </label>
      {value && value.models.length > 0 && (
        <label>
          Model
          <select class="field" name="model">
            {value.default !== undefined && <option value="">{value.default} (usual)</option>}
            {value.models
              .filter((model) => model !== value.default)
              .map((model) => (
                <option key={model} value={model}>
                  {model}
                </option>
              ))}
          </select>
        </label>
      )}
      <label>
        Task
        <textarea class="field" name="prompt" rows={4} required autofocus />
      </label>
    </>
  );
}
