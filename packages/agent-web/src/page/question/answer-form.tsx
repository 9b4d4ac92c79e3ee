import { useSignal } from '@preact/signals';
import { visibleText } from '@robota-sdk/agent-export/page';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AnswerRequest, WebChoice, WebQuestion } from '../../contract/question.ts';
import { sentence } from '../base/format.ts';
import { type KeyBinding, useKeys } from '../base/keys.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Kbd } from '../components/kbd.tsx';

export interface AnswerFormProps {
  readonly question: WebQuestion;
  readonly isBusy: boolean;
  /** A terminal asks the same. */
  readonly isElsewhere: boolean;
  /** The text of the button that leaves the question; otherwise it denies the call. */
  readonly dismissal?: string;
  /** Says more about a choice. */
  readonly detailOf?: (choice: WebChoice) => ComponentChildren;
  readonly onAnswer: (answer: AnswerRequest['answer']) => void;
}

const typed = 'typed';

/** The choices of a question and the bar that confirms them. */
export function AnswerForm({ question, isBusy, isElsewhere, ...more }: AnswerFormProps) {
  const { dismissal, detailOf, onAnswer } = more;
  const choices = useMemo(() => choicesOf(question), [question]);
  // Signals, because a key may confirm before the choice of the key before it was drawn.
  const chosen = useSignal(firstChosen(question, choices));
  const text = useSignal('');
  const guard = useMemo(() => new QuestionGuard(), []);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => guard.show(question.digest, performance.now()), [guard, question.digest]);
  const currentAnswer = () => answerOf(question, { chosen: chosen.value, text: text.value });
  const confirm = () => {
    const answer = currentAnswer();
    if (answer && !isBusy) onAnswer(answer);
  };
  const pick = (id: string) => {
    chosen.value = picked(question, chosen.value, id);
  };
  const stop = () => {
    if (!isBusy) onAnswer({ dismissed: true });
  };
  const stopText = dismissal ?? (question.kind === 'permission' ? 'Deny and stop the run' : 'Dismiss');
  useKeys(answerKeys({ choices, guard, confirm, pick, stop, stopText, form }));
  const single = choices.find(({ id }) => id === chosen.value[0]);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <fieldset class="answers">
        <legend>Your answer</legend>
        {choices.map((choice, index) => (
          <AnswerChoice
            key={choice.id}
            choice={choice}
            detail={detailOf?.(choice)}
            number={index + 1}
            isMultiple={question.multiple === true && choice.id !== typed}
            isMasked={question.masked === true}
            isChosen={chosen.value.includes(choice.id)}
            text={text.value}
            onPick={() => pick(choice.id)}
            onText={(value) => {
              text.value = value;
            }}
          />
        ))}
      </fieldset>
      <div class="answer-bar">
        <span class="grow small dim">
          <Icon name="lock" /> Counts for this question only.{' '}
          {isElsewhere && 'You can also answer in the terminal.'}
        </span>
        <Button
          kind={dismissal === undefined ? 'danger' : 'quiet'}
          keys="esc"
          disabled={isBusy}
          onClick={stop}
        >
          {stopText}
        </Button>
        <Button kind="primary" type="submit" keys="enter" disabled={isBusy || currentAnswer() === undefined}>
          {confirmText(question, single)}
        </Button>
      </div>
    </form>
  );
}

interface AnswerChoiceProps {
  readonly choice: WebChoice;
  readonly detail: ComponentChildren;
  readonly number: number;
  readonly isMultiple: boolean;
  readonly isMasked: boolean;
  readonly isChosen: boolean;
  readonly text: string;
  readonly onPick: () => void;
  readonly onText: (text: string) => void;
}

function AnswerChoice({
  choice,
  detail,
  number,
  isMultiple,
  isMasked,
  isChosen,
  text,
  onPick,
  onText,
}: AnswerChoiceProps) {
  const { label } = choice;
  return (
    <label class="answer">
      <input type={isMultiple ? 'checkbox' : 'radio'} name="answer" checked={isChosen} onChange={onPick} />
      <Kbd keys={String(number)} />
      <span class="grow">
        <b>{visibleText(label)}</b>
        {detail}
        {choice.text !== undefined && isChosen && (
          <input
            class="field answer-text"
            {...(isMasked ? { type: 'password' } : { type: 'text' })}
            autocomplete="off"
            placeholder={choice.text}
            aria-label={label}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
        )}
      </span>
    </label>
  );
}

/** The choices, and the typed answer as the last one. */
function choicesOf({ choices, textLabel, kind }: WebQuestion): readonly WebChoice[] {
  if (textLabel === undefined && kind !== 'text') return choices;
  return [...choices, { id: typed, label: sentence(textLabel ?? 'your answer'), text: textLabel ?? '' }];
}

/** Nothing dangerous is chosen from the start. */
function firstChosen(question: WebQuestion, choices: readonly WebChoice[]): readonly string[] {
  if (question.multiple === true) return [];
  const safe = choices.find(({ id }) => id === 'deny' || id === 'no') ?? choices.at(-1);
  const first = question.dangers.length > 0 ? safe : choices[0];
  return first ? [first.id] : [];
}

function picked(question: WebQuestion, before: readonly string[], id: string): readonly string[] {
  if (question.multiple !== true || id === typed) return [id];
  const others = before.filter((each) => each !== typed);
  return others.includes(id) ? others.filter((each) => each !== id) : [...others, id];
}

function answerOf(
  question: WebQuestion,
  { chosen, text }: { readonly chosen: readonly string[]; readonly text: string },
): AnswerRequest['answer'] | undefined {
  const said = text.trim();
  if (chosen.includes(typed)) return said === '' ? undefined : { text: said };
  const [first] = chosen;
  if (first === undefined) return undefined;
  const choice = question.multiple === true ? chosen : first;
  const takesText = question.choices.find(({ id }) => id === first)?.text !== undefined;
  return takesText && said !== '' ? { choice, text: said } : { choice };
}

function confirmText(question: WebQuestion, choice: WebChoice | undefined): string {
  if (question.kind !== 'permission' || !choice) return 'Send the answer';
  return choice.id === 'deny' ? 'Deny' : choice.label;
}

interface AnswerKeys {
  readonly choices: readonly WebChoice[];
  readonly guard: QuestionGuard;
  readonly confirm: () => void;
  readonly pick: (id: string) => void;
  readonly stop: () => void;
  readonly stopText: string;
  readonly form: { readonly current: HTMLFormElement | null };
}

function answerKeys({
  choices,
  guard,
  confirm,
  pick,
  stop,
  stopText,
  form,
}: AnswerKeys): readonly KeyBinding[] {
  const guarded = (act: () => void) => (event: KeyboardEvent) => {
    // Keys of before the question was seen are swallowed.
    if (guard.allows(event.timeStamp)) act();
  };
  return [
    ...choices.slice(0, 9).map(({ id, label }, index) => ({
      keys: String(index + 1),
      label,
      act: guarded(() => {
        pick(id);
        requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('.answer-text')?.focus());
      }),
    })),
    { keys: 'enter', label: 'Confirm', inText: true, act: guarded(confirm) },
    { keys: 'esc', label: stopText, inText: true, act: guarded(stop) },
  ];
}

/** A question that has been visible for less than this is not answered by a key, in milliseconds. */
const guardTime = 500;

/** Keeps keys that were meant for something else from answering a question that has just appeared. */
class QuestionGuard {
  #shown = Number.POSITIVE_INFINITY;
  #digest: string | undefined;

  /** A question is on the screen since now, unless it already was. */
  show(digest: string, time: number): void {
    if (digest === this.#digest) return;
    this.#digest = digest;
    this.#shown = time;
  }

  /** Whether a key that was pressed at this time may answer. */
  allows(time: number): boolean {
    return time - this.#shown >= guardTime;
  }
}
