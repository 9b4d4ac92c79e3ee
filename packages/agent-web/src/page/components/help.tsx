import { signal } from '@preact/signals';
import { bindingSets } from '../base/keys.ts';
import { setter } from '../base/setter.ts';
import { Dialog } from './dialog.tsx';
import { Kbd } from './kbd.tsx';

/** Whether the list of all keys is open. */
export const isHelpOpen = signal(false);

/** Every key of the screen that is shown. */
export function Help() {
  if (!isHelpOpen.value) return null;
  const bindings = bindingSets.value.toReversed().flat();
  const listed = bindings.filter(
    ({ keys, label }, index) =>
      label !== undefined && bindings.findIndex((other) => other.keys === keys) === index,
  );
  return (
    <Dialog title="All keys" onClose={setter(isHelpOpen, false)}>
      <dl class="key-list">
        {listed.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
