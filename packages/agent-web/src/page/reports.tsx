import { FleetScreen } from './fleet/fleet-screen.tsx';
import { NothingToReview } from './review/nothing-to-review.tsx';
import { ReviewScreen } from './review/review-screen.tsx';
import { startPage } from './start-page.tsx';
import { UsageScreen } from './usage/usage-screen.tsx';

void startPage('reports', [
  { pattern: '/s/:id/review', show: ({ id = '' }) => <ReviewScreen key={id} kind="session" id={id} /> },
  { pattern: '/tasks/:id/review', show: ({ id = '' }) => <ReviewScreen key={id} kind="task" id={id} /> },
  { pattern: '/review', show: () => <NothingToReview /> },
  { pattern: '/usage', show: () => <UsageScreen /> },
  { pattern: '/fleet', show: () => <FleetScreen /> },
]);
