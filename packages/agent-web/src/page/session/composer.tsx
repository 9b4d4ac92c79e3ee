import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SessionSnapshot } from '../../contract/session.ts';
import { modelName } from '../base/format.ts';
import { connection } from '../base/stream.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Meter } from '../components/status.tsx';
import { CompletionList, listAttributes, useCompleter } from './completions.tsx';
import { draftKey, type SessionStore } from './session-store.ts';

const modes = ['default', 'acceptEdits', 'plan'] as const;

/** `accept edits` for `acceptEdits`. */
function modeName(mode: string): string {
  return mode.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The mode after another one, as the same key chooses it in the terminal. */
function nextMode(mode: string): string {
  const names: readonly string[] = modes;
  const at = names.indexOf(mode);
  return names[(at + 1) % names.length] ?? 'default';
}

/** The form below the transcript: text, mode, model, and the ways to send. */
export function Composer({
  store,
  state,
}: {
  readonly store: SessionStore;
  readonly state: SessionSnapshot;
}) {
  const [text, setText] = useDraft(store.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const isRunning = state.runningSince !== undefined;
  const isOff = connection.value.state !== 'live';
  const send = async (as: 'prompt' | 'steer' | 'queue') => {
    // The field is ahead of what was drawn.
    const sent = (field.current?.value ?? '').trim();
    if (sent === '' || isOff) return;
    setText('');
    completer.close();
    if (await store.send('prompt', { text: sent, as }, `Sending: ${sent}`)) return;
    setText(joined(sent, field.current?.value));
  };
  const completer = useCompleter(store.id, field, setText);
  const onKeyDown = (event: KeyboardEvent) => {
    if (completer.press(event)) return;
    if (event.key === 'Tab' && event.shiftKey) {
      event.preventDefault();
      return void store.send('mode', { mode: nextMode(state.mode) });
    }
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send(event.altKey ? 'queue' : isRunning ? 'steer' : 'prompt');
  };
  useReturned(store, field, setText);
  useEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, 240)}px`;
  });
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send(isRunning ? 'steer' : 'prompt');
      }}
    >
      <CompletionList completer={completer} />
      <textarea
        ref={field}
        id="composer"
        rows={2}
        aria-label="Message"
        placeholder={`${isRunning ? 'Steer this run, or queue a follow-up' : 'Say what to do next'}. @ for files, / for commands`}
        {...listAttributes(completer)}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          completer.look();
        }}
        onBlur={() => completer.close()}
        onKeyDown={onKeyDown}
      />
      <div class="composer-row">
        <ModeAndModel store={store} state={state} />
        <ContextShare state={state} />
        <span class="grow" />
        {isRunning && (
          <Button kind="quiet" keys="alt enter" disabled={isOff} onClick={() => void send('queue')}>
            Queue
          </Button>
        )}
        <Button
          kind="primary"
          icon="send"
          keys="enter"
          type="submit"
          disabled={isOff}
          label={isRunning ? 'Steer' : 'Send'}
        >
          <span class="wide">{isRunning ? 'Steer' : 'Send'}</span>
        </Button>
      </div>
    </form>
  );
}

/** The permission mode and the model, each as a menu. */
function ModeAndModel({ store, state }: { readonly store: SessionStore; readonly state: SessionSnapshot }) {
  return (
    <>
      <Choice
        label="Permission mode"
        value={state.mode}
        options={modes.includes(state.mode as (typeof modes)[number]) ? modes : [...modes, state.mode]}
        text={modeName}
        onChange={(mode) => void store.send('mode', { mode })}
      />
      <span class="spoken" role="status">
        Permission mode: {modeName(state.mode)}
      </span>
      <Choice
        label="Model"
        value={state.model}
        options={state.models.includes(state.model) ? state.models : [state.model, ...state.models]}
        text={modelName}
        onChange={(model) => void store.send('model', { model })}
      />
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly text?: (value: string) => string;
  readonly onChange: (value: string) => void;
}

/** A menu with the look of a quiet button. */
function Choice({ label, value, options, text = (option) => option, onChange }: ChoiceProps) {
  return (
    <span class="choice">
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option} value={option} selected={option === value}>
            {text(option)}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}

function ContextShare({ state }: { readonly state: SessionSnapshot }) {
  const { used, max } = state.context;
  if (max === 0) return null;
  const share = used / max;
  return (
    <span class="composer-context">
      <Meter
        share={share}
        tone={share > 0.85 ? 'bad' : share > 0.7 ? 'need' : 'ok'}
        label={`${Math.round(share * 100)}% of the context is used`}
      />
      {Math.round(share * 100)}%
    </span>
  );
}

/** Puts a queued message that was taken back into the composer. */
function useReturned(
  { returned }: SessionStore,
  field: { readonly current: HTMLTextAreaElement | null },
  setText: (text: string) => void,
): void {
  const text = returned.value;
  useEffect(() => {
    if (text === undefined) return;
    returned.value = undefined;
    setText(joined(text, field.current?.value));
    field.current?.focus();
  }, [returned, text, field, setText]);
}

/** A text that returns to the composer, before what was typed meanwhile. */
function joined(text: string, typed = ''): string {
  return [text, typed].filter((part) => part.trim() !== '').join('\n');
}

/** The text of the composer, kept while the browser is open. */
function useDraft(id: string): [string, (text: string) => void] {
  const key = draftKey(id);
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const keep = useMemo(
    () => (next: string) => {
      setText(next);
      if (next === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    },
    [key],
  );
  return [text, keep];
}
