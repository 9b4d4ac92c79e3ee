import type { BoardRow } from '../../contract/board.ts';
import { addressOf, boardRows, needsYou, reviewAddress, rowsOf } from '../base/board-store.ts';
import { projectOf } from '../base/format.ts';
import { path } from '../base/router.ts';
import { type Connection, connection, reconnect } from '../base/stream.ts';
import { switchTheme } from '../base/theme.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import { type Status, StatusDot } from './status.tsx';

interface NavItem {
  readonly name: string;
  readonly href: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly count?: number;
  readonly isHere: boolean;
}

const mostOpen = 8;

/** The main navigation: a rail, an icon rail, or a tab bar on phones. */
export function NavRail({ session }: { readonly session?: string }) {
  const here = path.value;
  return (
    <nav class="rail" aria-label="Main">
      <a class="brand" href="/" aria-label="Robota">
        <Icon name="logo" />
        <span>Robota</span>
      </a>
      <div class="rail-places">
        {places(here).map(({ name, href, icon, keys, count = 0, isHere }) => (
          <a key={name} href={href} aria-current={isHere ? 'page' : undefined} title={name}>
            <Icon name={icon} />
            <span>{name}</span>
            {count > 0 && <em class="rail-count">{count}</em>}
            <Kbd keys={keys} />
          </a>
        ))}
      </div>
      <OpenSessions {...(session === undefined ? {} : { session })} />
      <div class="rail-foot">
        <ConnectionBadge />
        <span class="rail-tools">
          <Button kind="icon" icon="devices" href="/devices" label="Devices" title="Devices" />
          <Button kind="icon" icon="theme" label="Switch theme" title="Switch theme" onClick={switchTheme} />
        </span>
      </div>
    </nav>
  );
}

function places(here: string): readonly NavItem[] {
  const review = rowsOf('to-review');
  const tasks = [...(boardRows.value?.values() ?? [])].filter(
    (row) => row.kind === 'task' && row.column === 'running' && !row.waits,
  );
  const isReview = here.endsWith('/review');
  return [
    {
      name: 'Board',
      href: '/',
      icon: 'board',
      keys: 'g b',
      count: needsYou.value,
      isHere: here === '/' || (here.startsWith('/s/') && !isReview),
    },
    {
      name: 'Review',
      href: reviewAddress(),
      icon: 'review',
      keys: 'g r',
      count: review.length,
      isHere: isReview,
    },
    { name: 'Usage', href: '/usage', icon: 'usage', keys: 'g u', isHere: here === '/usage' },
    {
      name: 'Fleet',
      href: '/fleet',
      icon: 'fleet',
      keys: 'g f',
      count: tasks.length,
      isHere: here === '/fleet',
    },
  ];
}

const statuses: Readonly<Record<BoardRow['column'], Status>> = {
  'needs-you': 'need',
  running: 'running',
  'to-review': 'review',
  done: 'ok',
};
const statusNames: Readonly<Record<BoardRow['column'], string>> = {
  'needs-you': 'Needs you',
  running: 'Running',
  'to-review': 'To review',
  done: 'Done',
};

/** Sessions that are under way, in the rail of wide windows. */
function OpenSessions({ session }: { readonly session?: string }) {
  const open = (['needs-you', 'running', 'to-review'] as const)
    .flatMap((column) => rowsOf(column))
    .filter((row) => row.kind === 'session' && (row.column !== 'to-review' || row.holder !== 'none'))
    .slice(0, mostOpen);
  if (open.length === 0) return null;
  return (
    <section class="open-sessions" aria-label="Open sessions">
      <h2>Open sessions</h2>
      {open.map((row) => (
        <a key={row.id} href={addressOf(row)} aria-current={row.id === session ? 'true' : undefined}>
          <StatusDot status={row.failed ? 'bad' : statuses[row.column]} label={statusNames[row.column]} />
          <span dir="auto">{row.title}</span>
          <small>{projectOf(row.cwd)}</small>
        </a>
      ))}
    </section>
  );
}

/** The state of the connection, at the foot of the rail. */
export function ConnectionBadge() {
  const { status, text, retry } = badgeOf(connection.value);
  const content = [<StatusDot key="dot" status={status} />, <span key="text">{text}</span>];
  if (retry === undefined)
    return (
      <span class="connection" role="status">
        {content}
      </span>
    );
  return (
    <button type="button" class="connection connection-lost" onClick={reconnect} title={retry}>
      {content}
    </button>
  );
}

function badgeOf(now: Connection): {
  readonly status: Status;
  readonly text: string;
  readonly retry?: string;
} {
  if (now.state === 'live') return { status: 'ok', text: `Live · ${location.host}` };
  if (now.state === 'connecting') return { status: 'running', text: 'Connecting' };
  if (now.state === 'lost')
    return { status: 'need', text: `Reconnecting, ${now.seconds} s`, retry: 'Reconnect now' };
  return { status: 'bad', text: now.state === 'stopped' ? 'Stopped' : 'Not signed in', retry: 'Try again' };
}
