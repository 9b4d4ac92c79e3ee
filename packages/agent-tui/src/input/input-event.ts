import type { KeyEvent } from '../keys/key-event.ts';
/** An answer or a report of the terminal. */
export type TerminalResponse =
  | { readonly kind: 'colour'; readonly target: 'foreground' | 'background'; readonly rgb: Rgb }
  | { readonly kind: 'colour-scheme'; readonly scheme: 'dark' | 'light' }
  | { readonly kind: 'cell-size'; readonly width: number; readonly height: number }
  | { readonly kind: 'keyboard-flags'; readonly flags: number }
  | { readonly kind: 'device-attributes'; readonly attributes: readonly number[] }
  | { readonly kind: 'mode'; readonly mode: number; readonly isSupported: boolean }
  | { readonly kind: 'version'; readonly text: string }
  | { readonly kind: 'status' }
  | { readonly kind: 'graphics'; readonly isSupported: boolean };

/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** An event in the terminal's input. */
export type InputEvent =
  | KeyEvent
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'focus'; readonly isFocused: boolean }
  | { readonly type: 'response'; readonly response: TerminalResponse };
