import { FleetScreen } from './fleet/fleet-screen.tsx';
import { ReviewList } from './review/review-list.tsx';
import { ReviewScreen } from './review/review-screen.tsx';
import { startPage } from './start-page.tsx';
import { UsageScreen } from './usage/usage-screen.tsx';

void startPage('reports', [
  { pattern: '/s/:id/review', show: ({ id = '' }) => <ReviewScreen key={id} kind="session" id={id} /> },
  { pattern: '/tasks/:id/review', show: ({ id = '' }) => <ReviewScreen key={id} kind="task" id={id} /> },
  { pattern: '/review', show: () => <ReviewList /> },
  { pattern: '/usage', show: () => <UsageScreen /> },
  { pattern: '/fleet', show: () => <FleetScreen /> },
]);
