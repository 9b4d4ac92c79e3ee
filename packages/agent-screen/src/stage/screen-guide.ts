import type { InputEvent } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** Leads a newcomer through the program: it has rows above the editor and sees each key first. */
export interface ScreenGuide {
  /** The rows above the editor or the question. */
  render(columns: number, look: AppStyle): readonly string[];
  /** Takes a key before anything else does; true if it was for the guide. */
  handleInput(event: InputEvent): boolean;
  /** An entered text was carried out: a command is over, or its screen is open. */
  entered(text: string): void;
  /** A screen that hides the guide was closed. */
  screenClosed(): void;
}
