/** A key that was pressed, held or let go. */
export interface KeyEvent {
  readonly type: 'key';
  /** What was pressed, such as `ctrl+shift+p`. */
  readonly id: string;
  /** Other names of the same stroke: what the keyboard's layout or an old terminal makes of it. */
  readonly otherIds: readonly string[];
  /** What it types; empty for keys that type nothing. */
  readonly text: string;
  readonly action: 'press' | 'repeat' | 'release';
}
