/** What a terminal does with its lines when its width changes. */
export type Reflow = 'all' | 'all-but-cursor-line' | 'none';
