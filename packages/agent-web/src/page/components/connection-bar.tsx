import { connection, reconnect } from '../base/stream.ts';
import { Button } from './button.tsx';
import { StatusDot } from './status.tsx';

/** Says above the content that the server is gone; nothing is shown while all is well. */
export function ConnectionBar() {
  const { state } = connection.value;
  if (state === 'stopped')
    return (
      <div class="connection-bar" role="alert">
        <StatusDot status="bad" />
        <span class="grow">
          Stopped. Run <code>robota web</code> again.
        </span>
        <Button onClick={reconnect}>Retry</Button>
      </div>
    );
  if (state !== 'refused') return null;
  return (
    <div class="connection-bar" role="alert">
      <StatusDot status="bad" />
      <span class="grow">This browser is no longer signed in.</span>
      <Button href="/enter">Sign in</Button>
    </div>
  );
}
