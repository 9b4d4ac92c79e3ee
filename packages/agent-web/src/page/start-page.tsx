import { plainText } from '@robota-sdk/agent-export/page';
import { options, render } from 'preact';
import type { PageName } from '../contract/pages.ts';
import { reviewAddress, startBoard } from './base/board-store.ts';
import { startClock } from './base/clock.ts';
import { focusSoon } from './base/focus.ts';
import { type KeyBinding, startKeys } from './base/keys.ts';
import { matchPath, navigate, path, startRouter } from './base/router.ts';
import { setter } from './base/setter.ts';
import { startStream } from './base/stream.ts';
import { startTheme } from './base/theme.ts';
import { isNewSessionOpen, NewSession } from './board/new-session.tsx';
import { Help, isHelpOpen } from './components/help.tsx';
import { EntranceScreen, enterWithToken, needsEntrance } from './entrance/entrance-screen.tsx';
import { MissingScreen } from './entrance/missing-screen.tsx';

/** A screen by its address. */
export interface Screen {
  /** Such as `/s/:id`. */
  readonly pattern: string;
  readonly show: (params: Readonly<Record<string, string>>) => preact.ComponentChildren;
}

const everywhere: readonly KeyBinding[] = [
  { keys: 'g b', label: 'Board', act: () => navigate('/') },
  { keys: 'g r', label: 'Review', act: () => navigate(reviewAddress()) },
  { keys: 'g u', label: 'Usage', act: () => navigate('/usage') },
  { keys: 'g f', label: 'Fleet', act: () => navigate('/fleet') },
  { keys: '/', label: 'Filter the board', act: openFilter },
  { keys: 'n', label: 'New session', act: setter(isNewSessionOpen, true) },
  { keys: '?', label: 'All keys', act: setter(isHelpOpen, true) },
];

function openFilter(): void {
  navigate('/');
  focusSoon('.board-filter input');
}

function App({ screens }: { readonly screens: readonly Screen[] }) {
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

/** Takes out or spells out what would hide or reorder text, in every text and name that a screen shows. */
function spellTexts(): void {
  const next = options.vnode;
  options.vnode = (vnode) => {
    const node: { type: unknown; props: unknown } = vnode;
    if (typeof node.props === 'string') node.props = plainText(node.props);
    else if (typeof node.type === 'string')
      for (const name of ['title', 'aria-label']) {
        const text: unknown = Reflect.get(vnode.props, name);
        if (typeof text === 'string') Reflect.set(vnode.props, name, plainText(text));
      }
    next?.(vnode);
  };
}

/** Starts a document with its screens; the first that matches the address is shown. */
export async function startPage(name: PageName, screens: readonly Screen[]): Promise<void> {
  spellTexts();
  startTheme();
  startRouter(name);
  startKeys(everywhere);
  startClock();
  const root = document.getElementById('app');
  if (!root) return;
  await enterWithToken();
  startBoard();
  startStream();
  render(<App screens={screens} />, root);
}
