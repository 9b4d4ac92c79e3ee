import { now } from '../base/clock.ts';
import { shortSpan } from '../base/format.ts';

/** How long ago something was; it draws itself again as time passes, and nothing around it. */
export function Age({ time, suffix = '' }: { readonly time: number; readonly suffix?: string }) {
  const span = shortSpan(now.value - time);
  const at = new Date(time);
  return (
    <time datetime={at.toISOString()} title={at.toLocaleString('en-GB')}>
      {span === 'now' ? span : `${span}${suffix}`}
    </time>
  );
}
