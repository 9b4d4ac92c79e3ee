import type { Question } from '@robota-sdk/agent-sdk/front-end';
import { Input, type InputEvent, renderKeyHints } from '@robota-sdk/agent-tui';
import { QuestionPanel, type QuestionServices } from './question-panel.ts';

type TextQuestion = Extract<Question, { kind: 'text' }>;

/** A question that is answered by a line of text, which is not shown where it is a secret. */
export class TextPanel extends QuestionPanel<TextQuestion> {
  readonly #input: Input;

  constructor(question: TextQuestion, services: QuestionServices) {
    super(question, services);
    this.#input = new Input({
      look: services.look,
      keybindings: services.keys,
      prompt: `${services.look.glyphs.cursor} `,
      isMasked: question.masked === true,
      onSubmit: (text) => services.answer({ kind: 'text', text }),
      onCancel: () => this.dismiss(),
    });
    this.#input.isFocused = true;
  }

  protected override renderAnswers(width: number): readonly string[] {
    this.#input.isFocused = !this.services.guard.isDrafting;
    return this.#input.render(width);
  }

  protected override handleKey(event: InputEvent): boolean {
    return this.#input.handleInput(event);
  }

  protected override hints(width: number): string {
    const hints = [
      { keys: 'enter', text: 'answer' },
      { keys: 'esc', text: 'cancel' },
    ];
    return renderKeyHints(hints, width, this.services.look);
  }
}
