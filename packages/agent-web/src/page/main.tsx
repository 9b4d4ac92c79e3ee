import { BoardScreen } from './board/board-screen.tsx';
import { DevicesScreen } from './entrance/devices-screen.tsx';
import { EntranceScreen } from './entrance/entrance-screen.tsx';
import { QuestionScreen } from './question/question-screen.tsx';
import { SessionScreen } from './session/session-screen.tsx';
import { startPage } from './start-page.tsx';

void startPage('sessions', [
  { pattern: '/', show: () => <BoardScreen /> },
  { pattern: '/s/:id', show: ({ id = '' }) => <SessionScreen key={id} id={id} /> },
  { pattern: '/s/:id/question', show: ({ id = '' }) => <QuestionScreen key={id} id={id} /> },
  { pattern: '/devices', show: () => <DevicesScreen /> },
  { pattern: '/enter', show: () => <EntranceScreen /> },
]);
