/** A session or a task of a fleet, as a card of the board. */
export interface BoardRow {
  readonly id: string;
  readonly kind: 'session' | 'task';
  readonly column: 'needs-you' | 'running' | 'to-review' | 'done';
  readonly title: string;
  readonly cwd: string;
  /** `vendor/id`. */
  readonly model: string;
  /** In dollars; null where a price is unknown. */
  readonly cost: number | null;
  readonly lastLine: string;
  /** Unix milliseconds. */
  readonly modified: number;
  /** The process that holds the session: this server, another one, or none. */
  readonly holder: 'here' | 'elsewhere' | 'none';
  readonly failed?: boolean;
  /** Lines added and removed that wait for a review. */
  readonly changes?: { readonly added: number; readonly removed: number; readonly files: number };
  /** Questions that wait for an answer. */
  readonly questions: number;
}
