import { effect, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { LiveText } from './live-text.ts';
import { guessHeight, type Row, renderRow } from './render-row.ts';
import type { SessionStore } from './session-store.ts';
import { VirtualList } from './virtual-list.ts';

/** The conversation. It draws itself, so that a long one costs no more than a short one. */
export function Transcript({ store }: { readonly store: SessionStore }) {
  const scroller = useRef<HTMLDivElement>(null);
  const announcer = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualList<Row> | undefined>(undefined);
  const isAtEnd = useMemo(() => signal(true), []);
  const lastSeen = useMemo(() => signal<string | undefined>(undefined), []);
  useEffect(() => {
    if (!scroller.current || !announcer.current) return;
    const view = new VirtualList<Row>(scroller.current, {
      render: (row) => renderRow(row, store.state.peek()?.runningSince !== undefined),
      guess: guessHeight,
      onTop: () => void store.loadEarlier(),
      onEnd: (value) => {
        isAtEnd.value = value;
        if (!value) lastSeen.value = lastKey(store.items.peek());
      },
    });
    list.current = view;
    const stop = follow(store, view, new LiveText(announcer.current));
    return () => {
      stop();
      view.close();
    };
  }, [store, isAtEnd, lastSeen]);
  return (
    <div class="transcript">
      <div
        ref={scroller}
        class="transcript-scroll"
        role="log"
        aria-label="Transcript"
        aria-live="off"
        tabindex={0}
      />
      <div ref={announcer} class="spoken" aria-live="polite" />
      {!isAtEnd.value && (
        <Button class="new-messages" icon="down" onClick={() => list.current?.toEnd()}>
          {lastKey(store.items.value) === lastSeen.value ? 'To the end' : 'New messages'}
        </Button>
      )}
    </div>
  );
}

function lastKey(rows: readonly { readonly key: string }[]): string | undefined {
  return rows.at(-1)?.key;
}

/** Draws rows and live text whenever they change, at most once in a frame. */
function follow(store: SessionStore, view: VirtualList<Row>, live: LiveText): () => void {
  view.tail.append(live.root);
  let frame = 0;
  let drawn: { rows: unknown; earlier: number; isRunning: boolean } | undefined;
  const draw = () => {
    frame = 0;
    const items = store.items.peek();
    const earlier = store.earlier.peek();
    const isRunning = store.state.peek()?.runningSince !== undefined;
    const isAsking = (store.state.peek()?.questions.length ?? 0) > 0;
    live.show(store.live.peek(), isRunning && !isAsking);
    if (drawn?.rows === items && drawn.earlier === earlier && drawn.isRunning === isRunning) return;
    const isSwitched = drawn !== undefined && drawn.isRunning !== isRunning;
    drawn = { rows: items, earlier, isRunning };
    const rows = isSwitched ? items.map(redrawn) : items;
    view.show(earlier > 0 ? [{ key: 'earlier', kind: 'earlier', count: earlier }, ...rows] : rows);
  };
  const stop = effect(() => {
    void [store.items.value, store.live.value, store.earlier.value, store.state.value];
    if (frame === 0) frame = requestAnimationFrame(draw);
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}

/** Calls without a result look different once the run has ended. */
function redrawn(row: Row): Row {
  const isOpen = row.kind === 'calls' && row.calls.some(({ result }) => result === undefined);
  return isOpen ? { ...row } : row;
}
