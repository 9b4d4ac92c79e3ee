import { render } from 'preact';
import { addressOf, rowsOf, startBoard } from './base/board-store.ts';
import { startClock } from './base/clock.ts';
import { type KeyBinding, startKeys } from './base/keys.ts';
import { matchPath, navigate, path, startRouter } from './base/router.ts';
import { startStream } from './base/stream.ts';
import { startTheme } from './base/theme.ts';
import { BoardScreen } from './board/board-screen.tsx';
import { isNewSessionOpen, NewSession } from './board/new-session.tsx';
import { Help, isHelpOpen } from './components/help.tsx';
import { DevicesScreen } from './entrance/devices-screen.tsx';
import { EntranceScreen, enterWithToken, needsEntrance } from './entrance/entrance-screen.tsx';
import { MissingScreen } from './entrance/missing-screen.tsx';
import { FleetScreen } from './fleet/fleet-screen.tsx';
import { QuestionScreen } from './question/question-screen.tsx';
import { NothingToReview } from './review/nothing-to-review.tsx';
import { ReviewScreen } from './review/review-screen.tsx';
import { SessionScreen } from './session/session-screen.tsx';
import { UsageScreen } from './usage/usage-screen.tsx';

/** Every screen by its address; the first that matches is shown. */
const screens = [
  { pattern: '/', show: () => <BoardScreen /> },
  { pattern: '/s/:id', show: ({ id = '' }) => <SessionScreen key={id} id={id} /> },
  { pattern: '/s/:id/question', show: ({ id = '' }) => <QuestionScreen key={id} id={id} /> },
  { pattern: '/s/:id/review', show: ({ id = '' }) => <ReviewScreen key={id} kind="session" id={id} /> },
  { pattern: '/tasks/:id/review', show: ({ id = '' }) => <ReviewScreen key={id} kind="task" id={id} /> },
  { pattern: '/review', show: () => <NothingToReview /> },
  { pattern: '/usage', show: () => <UsageScreen /> },
  { pattern: '/fleet', show: () => <FleetScreen /> },
  { pattern: '/devices', show: () => <DevicesScreen /> },
  { pattern: '/enter', show: () => <EntranceScreen /> },
] satisfies readonly {
  readonly pattern: string;
  readonly show: (params: Readonly<Record<string, string>>) => unknown;
}[];

const everywhere: readonly KeyBinding[] = [
  { keys: 'g b', label: 'Board', act: () => navigate('/') },
  { keys: 'g r', label: 'Review', act: () => navigate(nextReview()) },
  { keys: 'g u', label: 'Usage', act: () => navigate('/usage') },
  { keys: 'g f', label: 'Fleet', act: () => navigate('/fleet') },
  {
    keys: 'n',
    label: 'New session',
    act: () => {
      isNewSessionOpen.value = true;
    },
  },
  {
    keys: '?',
    label: 'All keys',
    act: () => {
      isHelpOpen.value = true;
    },
  },
];

function nextReview(): string {
  const [next] = rowsOf('to-review');
  return next ? addressOf(next) : '/review';
}

function App() {
  if (needsEntrance.value) return <EntranceScreen />;
  const here = path.value;
  for (const { pattern, show } of screens) {
    const params = matchPath(pattern, here);
    if (params)
      return (
        <>
          {show(params)}
          <Help />
          <NewSession />
        </>
      );
  }
  return <MissingScreen />;
}

async function start(): Promise<void> {
  startTheme();
  startRouter();
  startKeys(everywhere);
  startClock();
  const root = document.getElementById('app');
  if (!root) return;
  await enterWithToken();
  startBoard();
  startStream();
  render(<App />, root);
}

void start();
