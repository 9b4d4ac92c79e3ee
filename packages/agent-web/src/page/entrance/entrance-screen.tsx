import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Entered } from '../../contract/devices.ts';
import { hasKey, keepKey, messageOf, post } from '../base/api.ts';
import { useFocus } from '../base/focus.ts';
import { navigate } from '../base/router.ts';
import { connection, reconnect } from '../base/stream.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';

/** Whether this browser has to prove itself before it sees anything. */
export const needsEntrance = signal(false);
const problem = signal<string | undefined>(undefined);

/**
 * Trades the token of the address for a cookie, and takes it out of the address and the history. A browser that never was in
 * has to enter a code.
 */
export async function enterWithToken(): Promise<void> {
  const token = location.hash.slice(1);
  if (!/^[\w-]{20,}$/.test(token)) {
    needsEntrance.value = !hasKey();
    return;
  }
  history.replaceState(null, '', location.pathname);
  try {
    keepKey((await post<Entered>('/api/enter', { token })).key);
  } catch (error) {
    problem.value = messageOf(error);
    needsEntrance.value = true;
  }
}

/** Asks for the code that a signed-in browser shows. */
export function EntranceScreen() {
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const field = useFocus<HTMLInputElement>();
  const enter = async () => {
    setBusy(true);
    try {
      keepKey((await post<Entered>('/api/pair', { code: code.trim() })).key);
      problem.value = undefined;
      needsEntrance.value = false;
      connection.value = { state: 'connecting' };
      reconnect();
      navigate('/', { replace: true });
    } catch (error) {
      problem.value = messageOf(error);
    }
    setBusy(false);
  };
  return (
    <main class="entrance" id="main">
      <div class="card entrance-card">
        <h1>
          <Icon name="logo" /> Robota
        </h1>
        <p>
          Type the code that a signed-in browser shows under Devices. Or open the address that{' '}
          <code>robota web</code> printed; it works once, for 60 seconds.
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void enter();
          }}
        >
          <label for="code">Code</label>
          <input
            ref={field}
            id="code"
            class="field entrance-code"
            autocomplete="one-time-code"
            autocapitalize="characters"
            spellcheck={false}
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
          <Button kind="primary" type="submit" disabled={isBusy}>
            Sign in
          </Button>
        </form>
        {problem.value !== undefined && (
          <p class="bad-text" role="alert">
            {problem.value}
          </p>
        )}
      </div>
    </main>
  );
}
