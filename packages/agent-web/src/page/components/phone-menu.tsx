import { connection } from '../base/stream.ts';
import { switchTheme } from '../base/theme.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { ConnectionBadge } from './nav-rail.tsx';
import { StatusDot } from './status.tsx';

/** The foot of the rail as a menu, where a phone has no rail. */
export function PhoneMenu() {
  const { state } = connection.value;
  return (
    <details
      class="phone-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
        event.preventDefault();
      }}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        if (next instanceof Node && !event.currentTarget.contains(next)) event.currentTarget.open = false;
      }}
    >
      <summary class="button button-icon" aria-label="More">
        <Icon name="more" />
        {state !== 'live' && (
          <StatusDot status={state === 'stopped' || state === 'refused' ? 'bad' : 'need'} />
        )}
      </summary>
      <div class="card">
        <ConnectionBadge />
        <Button kind="quiet" icon="devices" href="/devices">
          Devices
        </Button>
        <Button kind="quiet" icon="theme" onClick={switchTheme}>
          Switch theme
        </Button>
      </div>
    </details>
  );
}
