/** A key press, repeat or release. */
export interface KeyEvent {
  readonly type: 'key';
  /** The canonical key id, such as `ctrl+shift+p`. */
  readonly id: string;
  /** Ids of the same key in another keyboard layout or on an old terminal. */
  readonly otherIds: readonly string[];
  /** The text that it types; empty for keys such as arrows. */
  readonly text: string;
  readonly action: 'press' | 'repeat' | 'release';
}
