import { plainText } from '@robota-sdk/agent-export/page';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { needsYou } from '../base/board-store.ts';
import { projectOf } from '../base/format.ts';
import { connection, reconnect } from '../base/stream.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { KeyHints } from './kbd.tsx';
import { NavRail } from './nav-rail.tsx';
import { StatusDot } from './status.tsx';

export interface AppShellProps {
  /** The title of the browser's tab. */
  readonly title: string;
  readonly bar: ComponentChildren;
  /** Keys for the foot of the screen, such as `j/k move · enter open`. */
  readonly hints?: string;
  /** A screen of one thing: a phone shows a back arrow instead of the tab bar. */
  readonly detail?: boolean;
  /** The session that the screen is about. */
  readonly session?: string;
  /** The content fills the window and scrolls by itself. */
  readonly fills?: boolean;
  readonly children: ComponentChildren;
}

/** The frame of every screen: skip link, navigation, top bar, content and key hints. */
export function AppShell({
  title,
  bar,
  hints,
  detail = false,
  session,
  fills = false,
  children,
}: AppShellProps) {
  const count = needsYou.value;
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${plainText(title)} · Robota`;
  }, [title, count]);
  return (
    <div class={`app ${detail ? 'app-detail' : ''} ${fills ? 'app-fills' : ''}`}>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <NavRail {...(session === undefined ? {} : { session })} />
      <div class="page">
        <header class="top-bar">{bar}</header>
        <ConnectionBar />
        <main id="main" tabindex={-1}>
          {children}
        </main>
        {hints && <KeyHints hints={hints} />}
      </div>
    </div>
  );
}

/** Back to the board, on phones. */
export function BackButton() {
  return <Button kind="icon" icon="left" href="/" label="Back to the board" class="back-button" />;
}

export interface TopTitleProps {
  readonly title: string;
  readonly detail?: ComponentChildren;
  /** The heading of the page is elsewhere. */
  readonly isPlain?: boolean;
}

/** The name of a screen in its top bar, with a line of details below. */
export function TopTitle({ title, detail, isPlain = false }: TopTitleProps) {
  return (
    <div class="top-title">
      {isPlain ? (
        <p class="top-name" dir="auto">
          {title}
        </p>
      ) : (
        <h1 dir="auto">{title}</h1>
      )}
      {detail !== undefined && <p class="top-detail">{detail}</p>}
    </div>
  );
}

/** The project of a session, and the branch of its directory. */
export function ProjectAndBranch({
  cwd,
  branch,
}: {
  readonly cwd: string;
  readonly branch?: string | undefined;
}) {
  if (branch === undefined) return <>{projectOf(cwd)}</>;
  return (
    <>
      {projectOf(cwd)} · <Icon name="branch" /> {branch}
    </>
  );
}

/** Says above the content that the server is gone; nothing is shown while all is well. */
function ConnectionBar() {
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
