import {
  Input,
  type InputEvent,
  oneLine,
  renderKeyHints,
  renderTitleRule,
  SelectList,
  visibleText,
  wrapText,
} from '@robota-sdk/agent-tui';
import type { ConsoleStyle } from '../console/fleet-console.ts';
import { answerIn, isOpen, type QuestionAnswer } from '../console/read-answer.ts';
import type { TaskQuestion, TaskRecord } from '../contract/task.ts';

export interface AnswerPanelOptions {
  readonly task: TaskRecord;
  readonly question: TaskQuestion;
  readonly style: ConsoleStyle;
  onAnswer(answer: QuestionAnswer): void;
  onCancel(): void;
}

type Choice = QuestionAnswer | 'type';

/** The question of a parked task with its answers, or a field for one in words. */
export class AnswerPanel {
  readonly #options: AnswerPanelOptions;
  readonly #list: SelectList<Choice>;
  #field: Input | undefined;
  /** The question is longer than the screen. */
  #isCut = false;

  constructor(options: AnswerPanelOptions) {
    this.#options = options;
    const { style, question } = options;
    this.#list = new SelectList<Choice>({
      items: choicesOf(question),
      look: style.look,
      keys: style.keys,
      onSelect: ({ value }) => this.#select(value),
      onCancel: () => options.onCancel(),
    });
    this.#list.isFocused = true;
    if (isOpen(question) && (question.choices ?? []).length === 0) this.#openField();
  }

  handleInput(event: InputEvent): void {
    (this.#field ?? this.#list).handleInput(event);
  }

  /** At most so many rows; the answers stay in sight. */
  render(width: number, rows: number): readonly string[] {
    const { task, question, style } = this.#options;
    const { look } = style;
    const title = look.paint('accent', `${task.id} ${oneLine(task.name)}`);
    const rule = (text: string) => look.paint('accent', text);
    // Everything invisible is spelled out: what is approved is what is seen.
    const asked = wrapText(visibleText(question.text), width);
    const answers = this.#field?.render(width) ?? this.#list.render(width);
    const room = Math.max(1, rows - 2 - answers.length);
    const { ellipsis } = look.glyphs;
    this.#isCut = asked.length > room;
    const shown = !this.#isCut
      ? asked
      : [
          ...asked.slice(0, room - 1),
          look.paint(
            'warning',
            `${ellipsis} ${asked.length - room + 1} more lines. To allow it, run: robota fleet answer ${task.id}`,
          ),
        ];
    const hints = [
      { keys: 'enter', text: this.#field ? 'send' : 'select' },
      { keys: 'esc', text: 'cancel' },
    ];
    return [
      renderTitleRule({ title, rule }, width, look),
      ...shown,
      ...answers,
      renderKeyHints(hints, width, look),
    ];
  }

  #select(choice: Choice): void {
    if (choice === 'type') return this.#openField();
    // A call is approved only where all of it was in sight.
    if (choice.decision !== 'allow' || !this.#isCut) this.#options.onAnswer(choice);
  }

  #openField(): void {
    const { style, question, onAnswer, onCancel } = this.#options;
    this.#field = new Input({
      keybindings: style.keys,
      look: style.look,
      prompt: isOpen(question) ? 'Answer: ' : 'Deny, because: ',
      onSubmit: (text) => {
        if (text.trim() === '') return onCancel();
        onAnswer(isOpen(question) ? answerIn(text, question) : { decision: 'deny', text: text.trim() });
      },
      onCancel,
    });
    this.#field.isFocused = true;
  }
}

function choicesOf(question: TaskQuestion) {
  if (isOpen(question))
    return [
      ...(question.choices ?? []).map((choice) => ({
        value: { decision: 'text', text: choice } as const,
        label: oneLine(choice),
      })),
      { value: 'type' as const, label: 'Type an answer' },
    ];
  return [
    { value: { decision: 'allow' } as const, label: 'Allow once' },
    { value: { decision: 'deny' } as const, label: 'Deny' },
    { value: 'type' as const, label: 'Deny, and say what to do instead' },
  ];
}
