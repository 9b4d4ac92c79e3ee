import type { BoardRow } from '../../contract/board.ts';
import { addressOf, boardRows, needsYou, reviewAddress, rowsOf } from '../base/board-store.ts';
import { projectOf } from '../base/format.ts';
import { path } from '../base/router.ts';
import { connection, reconnect } from '../base/stream.ts';
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
          <span>{row.title}</span>
          <small>{projectOf(row.cwd)}</small>
        </a>
      ))}
    </section>
  );
}

/** The state of the connection, at the foot of the rail. */
export function ConnectionBadge() {
  const state = connection.value;
  switch (state.state) {
    case 'live':
      return (
        <span class="connection" role="status">
          <StatusDot status="ok" />
          <span>Live · {location.host}</span>
        </span>
      );
    case 'connecting':
      return (
        <span class="connection" role="status">
          <StatusDot status="running" />
          <span>Connecting</span>
        </span>
      );
    case 'lost':
      return (
        <button type="button" class="connection connection-lost" onClick={reconnect} title="Reconnect now">
          <StatusDot status="need" />
          <span>Reconnecting, {state.seconds} s</span>
        </button>
      );
    default:
      return (
        <button type="button" class="connection connection-lost" onClick={reconnect} title="Try again">
          <StatusDot status="bad" />
          <span>{state.state === 'stopped' ? 'Stopped' : 'Not signed in'}</span>
        </button>
      );
  }
}
