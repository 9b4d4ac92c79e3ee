import { visibleText } from '@robota-sdk/agent-export/page';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { SessionSnapshot } from '../../contract/session.ts';
import { now } from '../base/clock.ts';
import { focusSoon } from '../base/focus.ts';
import { dollars, modelName, plural, runSpan, shortSpan } from '../base/format.ts';
import { type KeyBinding, useKeys } from '../base/keys.ts';
import { navigate } from '../base/router.ts';
import { connection } from '../base/stream.ts';
import { AppShell, BackButton, ProjectAndBranch, TopTitle } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { MoreMenu } from '../components/more-menu.tsx';
import { ErrorCard, Loading } from '../components/notices.tsx';
import { Segmented } from '../components/segmented.tsx';
import { StatusDot, Tag } from '../components/status.tsx';
import { Composer } from './composer.tsx';
import { SessionSide, type SideTab } from './session-side.tsx';
import { SessionStore } from './session-store.ts';
import { Transcript } from './transcript.tsx';

/** A session: its conversation, the composer, and everything about it beside. */
export function SessionScreen({ id }: { readonly id: string }) {
  const store = useMemo(() => new SessionStore(id), [id]);
  const [tab, setTab] = useState<SideTab>('chat');
  useEffect(() => {
    store.open();
    return () => store.close();
  }, [store]);
  useKeys(useMemo(() => sessionKeys(store), [store]));
  const state = store.state.value;
  const title = state?.title ?? store.head.value?.title ?? 'Session';
  return (
    <AppShell title={title} detail fills session={id} bar={<SessionBar store={store} title={title} />}>
      {state === undefined ? (
        <div class="session-start">
          {store.error.value === undefined ? (
            <Loading />
          ) : (
            <ErrorCard
              title="Cannot open the session."
              message={store.error.value}
              onRetry={() => void store.load()}
            />
          )}
        </div>
      ) : (
        <div class={`session show-${tab}`}>
          <Segmented
            class="session-tabs"
            label="View"
            value={tab}
            options={tabsOf(state)}
            onChange={setTab}
          />
          <div class="session-main">
            <Transcript store={store} />
            <Dock store={store} state={state} />
          </div>
          <SessionSide store={store} cwd={store.head.value?.cwd ?? ''} state={state} tab={tab} />
        </div>
      )}
    </AppShell>
  );
}

function tabsOf({ todos, changes }: SessionSnapshot): { readonly value: SideTab; readonly text: string }[] {
  const done = todos.filter(({ status }) => status === 'completed').length;
  return [
    { value: 'chat', text: 'Chat' },
    { value: 'plan', text: todos.length > 0 ? `Plan ${done}/${todos.length}` : 'Plan' },
    { value: 'changes', text: changes.length > 0 ? `Changes ${changes.length}` : 'Changes' },
    { value: 'tree', text: 'Tree' },
  ];
}

function SessionBar({ store, title }: { readonly store: SessionStore; readonly title: string }) {
  const state = store.state.value;
  const head = store.head.value;
  return (
    <>
      <BackButton />
      <TopTitle
        title={title}
        detail={
          head && (
            <>
              <ProjectAndBranch cwd={head.cwd} branch={state?.branch} />
              {state?.model && ` · ${modelName(state.model)}`}
              {' · started '}
              <Started time={head.created} />
            </>
          )
        }
      />
      {state?.holder === 'elsewhere' && (
        <Tag icon="lock" title="Read-only">
          <span class="wide">Open in {state.heldBy?.name ?? 'a terminal'}</span>
        </Tag>
      )}
      {state && <RunState state={state} />}
      {state && <span class="dim small wide">{dollars(state.cost)}</span>}
      {state?.runningSince !== undefined && state.holder === 'here' && (
        <Button icon="stop" keys="esc" label="Stop" onClick={() => void store.send('stop')}>
          <span class="wide">Stop</span>
        </Button>
      )}
      {state && <SessionMenu store={store} state={state} />}
    </>
  );
}

/** Actions on the whole session. */
function SessionMenu({ store, state }: { readonly store: SessionStore; readonly state: SessionSnapshot }) {
  const [isRenaming, setRenaming] = useState(false);
  const isOurs = state.holder !== 'elsewhere';
  const command = (text: string) => store.send('prompt', { text, as: 'prompt' });
  const close = () => setRenaming(false);
  const copyResume = async () => {
    const resume = `robota -r ${store.id}`;
    await navigator.clipboard.writeText(resume);
    store.message.value = `Copied: ${resume}`;
  };
  return (
    <>
      <MoreMenu label="More actions">
        <Button kind="quiet" icon="review" keys="r" href={`/s/${encodeURIComponent(store.id)}/review`}>
          Review changes
        </Button>
        <Button kind="quiet" icon="edit" disabled={!isOurs} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button kind="quiet" icon="branch" disabled={!isOurs} onClick={() => void command('/fork')}>
          Fork
        </Button>
        <Button
          kind="quiet"
          icon="compact"
          disabled={!isOurs || state.runningSince !== undefined}
          onClick={() => void command('/compact')}
        >
          Compact the conversation
        </Button>
        <Button kind="quiet" icon="terminal" onClick={() => void copyResume()}>
          Copy the resume command
        </Button>
      </MoreMenu>
      {isRenaming && (
        <FormDialog
          title="Rename the session"
          action="Rename"
          onSubmit={async (form) => {
            await command(`/name ${String(form.get('name'))}`);
            close();
            return undefined;
          }}
          onClose={close}
        >
          <label>
            Name
            <input class="field" name="name" required autofocus defaultValue={state.title} />
          </label>
        </FormDialog>
      )}
    </>
  );
}

function Started({ time }: { readonly time: number }) {
  const span = shortSpan(now.value - time);
  return <>{span === 'now' ? 'just now' : `${span} ago`}</>;
}

function RunState({ state }: { readonly state: SessionSnapshot }) {
  if (state.questions.length > 0) return <Tag tone="need">Needs you</Tag>;
  if (state.runningSince === undefined) return null;
  return (
    <Tag tone="accent">
      <StatusDot status="running" />
      Running <RunTime since={state.runningSince} />
    </Tag>
  );
}

function RunTime({ since }: { readonly since: number }) {
  return <span class="wide">· {runSpan(now.value - since)}</span>;
}

/** Everything below the transcript. */
function Dock({ store, state }: { readonly store: SessionStore; readonly state: SessionSnapshot }) {
  const isLost = ['lost', 'stopped'].includes(connection.value.state);
  return (
    <div class="dock">
      {isLost && (
        <p class="dock-note" role="status">
          <Icon name="clock" /> Connection lost. Nothing is lost: your draft stays, and the answer continues
          here.
        </p>
      )}
      {store.error.value !== undefined && (
        <p class="dock-note dock-error" role="alert">
          {store.error.value}
        </p>
      )}
      <CommandResult store={store} />
      <Waiting id={store.id} state={state} />
      {store.asking.value !== undefined && (
        <p class="queued asking" role="status">
          <Icon name="clock" />
          <span class="cut">{store.asking.value}</span>
        </p>
      )}
      {state.queue.map((queued) => (
        <p key={queued.id} class="queued">
          <Icon name="clock" />
          <span class="cut grow">
            <b>{queued.as === 'queue' ? 'Queued' : 'Steering'}:</b> {queued.text}
          </span>
          {state.holder !== 'elsewhere' && (
            <Button
              kind="icon"
              icon="edit"
              label="Edit queued message"
              onClick={() => void store.editQueued(queued)}
            />
          )}
          <Button
            kind="icon"
            icon="cross"
            label="Remove queued message"
            onClick={() => void store.send('queue/remove', { id: queued.id })}
          />
        </p>
      ))}
      {state.holder === 'elsewhere' ? (
        <TakeOver store={store} state={state} />
      ) : (
        <Composer store={store} state={state} />
      )}
    </div>
  );
}

/** The reply of a command such as `/usage`, above the composer. */
function CommandResult({ store }: { readonly store: SessionStore }) {
  const message = store.message.value;
  if (message === undefined) return null;
  const dismiss = () => {
    store.message.value = undefined;
    document.getElementById('composer')?.focus();
  };
  return (
    <div class="dock-note dock-result" role="status">
      <pre class="grow">{message}</pre>
      <Button kind="icon" icon="cross" label="Dismiss the result" onClick={dismiss} />
    </div>
  );
}

/** A question that waits, above the composer. */
function Waiting({ id, state }: { readonly id: string; readonly state: SessionSnapshot }) {
  const [first] = state.questions;
  if (!first) return null;
  return (
    <p class="dock-note dock-asks" role="alert">
      <StatusDot status="need" />
      <span class="cut grow">
        <b>{plural(state.questions.length, 'question')}:</b> {visibleText(first.call?.command ?? first.title)}
      </span>
      <Button kind="primary" keys="a" href={`/s/${encodeURIComponent(id)}/question`}>
        Answer
      </Button>
    </p>
  );
}

/** Replaces the composer while another process holds the session. */
function TakeOver({ store, state }: { readonly store: SessionStore; readonly state: SessionSnapshot }) {
  const isRunning = state.runningSince !== undefined;
  const canAsk = state.heldBy?.handsOver !== false;
  const take = async () => {
    const words = 'Asking the other process to hand the session over';
    if (await store.send('take-over', { stop: isRunning }, words)) focusSoon('#composer');
  };
  return (
    <div class="take-over">
      <Icon name="lock" />
      <span class="grow">
        Open in {state.heldBy?.text ?? 'a terminal'}. You can read along
        {canAsk ? ', or continue here.' : '. Close it there to continue here.'}
      </span>
      {canAsk && (
        <Button kind="primary" onClick={() => void take()}>
          {isRunning ? 'Stop the run and take over' : 'Take over'}
        </Button>
      )}
    </div>
  );
}

function sessionKeys(store: SessionStore): readonly KeyBinding[] {
  const base = `/s/${encodeURIComponent(store.id)}`;
  return [
    { keys: 'r', label: 'Review', act: () => navigate(`${base}/review`) },
    {
      keys: 'a',
      label: 'Answer',
      act: () => (store.state.value?.questions.length ? navigate(`${base}/question`) : false),
    },
    { keys: 'i', label: 'Write a message', act: () => document.getElementById('composer')?.focus() },
    {
      keys: 'esc',
      label: 'Leave the text, then stop the run',
      inText: true,
      act: () => {
        const focused = document.activeElement;
        const asks = (store.state.value?.questions.length ?? 0) > 0;
        // To stop the run denies what it asks, so the key never does both.
        if (focused instanceof HTMLTextAreaElement && (asks || focused.value !== '')) return focused.blur();
        if (store.state.value?.runningSince === undefined || store.state.value.holder !== 'here')
          return false;
        void store.send('stop');
        return true;
      },
    },
    { keys: 'enter', label: 'Send, or steer the run', act: () => false },
    { keys: 'alt+enter', label: 'Queue', act: () => false },
    { keys: 'shift+tab', label: 'Next permission mode, in the message', act: () => false },
  ];
}
