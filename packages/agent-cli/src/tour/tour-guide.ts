import type { ScreenGuide, TuiApp } from '@robota-sdk/agent-screen';
import type {
  InteractiveSession,
  Question,
  SessionEvent,
  UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { bold, type InputEvent, renderTitleRule, wrapText } from '@robota-sdk/agent-tui';
import { type TourHint, type TourSignal, type TourStop, tourStops } from './tour-stops.ts';

type Style = Parameters<ScreenGuide['render']>[1];

/** The program that the guide leads through. */
export interface GuidedProgram {
  readonly app: Pick<TuiApp, 'editor' | 'refresh'>;
  readonly session: InteractiveSession;
  readonly terminal: UserInterface;
  /** Ends the program. */
  end(): void;
}

/** How a tour ended. */
export type TourEnd = 'left' | 'finished' | 'kept';

/** Leads through the stops of the tour: explains each, fills in the prompt, and continues once the newcomer did it. */
export class TourGuide implements ScreenGuide {
  readonly #root: string;
  #program: GuidedProgram | undefined;
  #at = 0;
  #hint: TourHint = { what: 'The project of the tour is being prepared.', press: '' };
  #results: Extract<TourSignal, { kind: 'run' }>['results'] = [];
  #end: TourEnd = 'left';
  #isOver = false;

  constructor(root: string) {
    this.#root = root;
  }

  get end(): TourEnd {
    return this.#end;
  }

  begin(program: GuidedProgram): void {
    this.#program = program;
    program.session.subscribe((event) => this.#take(event));
    this.#invite(this.#stop);
  }

  render(columns: number, look: Style): readonly string[] {
    const { paint, glyphs } = look;
    const count = this.#isOver ? '' : ` ${this.#at + 1} of ${tourStops.length}`;
    const separator = ` ${glyphs.separator} `;
    const title = paint('accent', bold(`Tour${count}${separator}${this.#title}`));
    const note = [paint('warning', 'scripted, not AI'), `esc ${paint('dim', 'leave')}`].join(separator);
    const rule = renderTitleRule({ title, note, rule: (text) => paint('accent', text) }, columns, look);
    const { what, press } = this.#hint;
    return [
      rule,
      ...wrapText(what, columns),
      ...(press === '' ? [] : wrapText(press, columns).map((line) => paint('accent', line))),
    ];
  }

  handleInput(event: InputEvent): boolean {
    if (event.type !== 'key' || event.action === 'release') return false;
    if (event.id === 'enter') return this.#fillInAgain();
    if (event.id !== 'escape') return false;
    this.#program?.end();
    return true;
  }

  entered(text: string): void {
    const { choosing } = this.#stop;
    if (choosing && text.trim() === this.#stop.prompt) return this.#show(choosing);
    this.#signal({ kind: 'entered', text });
  }

  screenClosed(): void {
    this.#signal({ kind: 'closed' });
  }

  /** A question is open; the returned function is for its end. */
  asked(question: Question): () => void {
    const about = question.kind === 'select' ? question.about : undefined;
    const hint = about && this.#stop.asking?.[about.call.name];
    if (hint) this.#show(hint);
    return () => {
      if (hint) this.#work();
    };
  }

  get #stop(): TourStop {
    return tourStops[this.#at] ?? (tourStops[0] as TourStop);
  }

  get #title(): string {
    return this.#isOver ? 'The end' : this.#stop.title;
  }

  #take(event: SessionEvent): void {
    if (event.type === 'run-start') {
      this.#results = [];
      this.#work();
    }
    if (event.type === 'message-append' && event.message.role === 'tool')
      this.#results = [...this.#results, event.message];
    if (event.type === 'run-end') this.#signal({ kind: 'run', results: this.#results });
  }

  #signal(signal: TourSignal): void {
    if (this.#isOver || !this.#program) return;
    if (this.#stop.isDone(signal)) return this.#advance();
    const { prompt, again, what, press } = this.#stop;
    if (signal.kind === 'run' && prompt !== undefined)
      this.#invite({ ...this.#stop, what: again ?? what, press });
  }

  #advance(): void {
    this.#at++;
    if (this.#at < tourStops.length) return this.#invite(this.#stop);
    this.#at--;
    this.#isOver = true;
    void this.#finish();
  }

  /** Shows a stop, with its prompt in the editor. */
  #invite({ what, press, prompt = '' }: TourStop): void {
    const editor = this.#program?.app.editor;
    if (editor) editor.text = prompt;
    this.#show({ what, press });
  }

  /** Enter in an empty editor brings the prompt back that was deleted. */
  #fillInAgain(): boolean {
    const { prompt, press } = this.#stop;
    const isInvited = prompt !== undefined && this.#hint.press === press;
    if (!isInvited || this.#program?.app.editor.text !== '') return false;
    this.#invite({ ...this.#stop, what: this.#hint.what });
    return true;
  }

  #work(): void {
    const { during } = this.#stop;
    if (during !== undefined) this.#show({ what: during, press: '' });
  }

  #show(hint: TourHint): void {
    this.#hint = hint;
    this.#program?.app.refresh();
  }

  async #finish(): Promise<void> {
    const what = 'You are back where you left. All of this was real, except the model.';
    this.#show({ what, press: '' });
    const answer = await this.#program?.terminal.ask({
      kind: 'select',
      title: 'The tour is over. Keep its project and its session?',
      detail: this.#root,
      options: [
        { label: 'Remove everything', description: 'nothing remains' },
        { label: 'Keep them', description: 'to look around and to resume the session' },
      ],
    });
    if (answer?.kind === 'selected') this.#end = answer.indexes[0] === 1 ? 'kept' : 'finished';
    this.#program?.end();
  }
}
