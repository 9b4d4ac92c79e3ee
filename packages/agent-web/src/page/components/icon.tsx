/** Outlines on a grid of 16 × 16. */
const shapes = {
  logo: 'M5 4.6h6a2.4 2.4 0 0 1 2.4 2.4v3a2.4 2.4 0 0 1-2.4 2.4H5A2.4 2.4 0 0 1 2.6 10V7A2.4 2.4 0 0 1 5 4.6ZM8 4.6V2.2M5.8 7.8v1.4M10.2 7.8v1.4',
  board: 'M2.2 3h3v10h-3zM6.5 3h3v6.5h-3zM10.8 3h3v8.2h-3z',
  review: 'M4 1.9h5.2L12.2 5v9.1H4zM6.2 7.3h3.8M8.1 5.4v3.8M6.2 11.4h3.8',
  usage: 'M2 13.6h12M4.2 11V8.2M8 11V3.4M11.8 11V5.8',
  fleet: 'M2.2 2.6h11.6v4.2H2.2zM2.2 9.2h11.6v4.2H2.2zM4.6 4.7h.01M4.6 11.3h.01M7.4 4.7h3.8M7.4 11.3h3.8',
  devices: 'M2 3h9v6.5H2zM4.5 12.5H8M10 6.5h4v7h-4zM12 11.6h.01',
  plus: 'M8 3.2v9.6M3.2 8h9.6',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4ZM10.2 10.2l3.2 3.2',
  terminal: 'M3 4.4 6.2 7.6 3 10.8M8 11.4h5',
  check: 'm3 8.4 3.3 3.3L13 4.9',
  cross: 'm4.2 4.2 7.6 7.6M11.8 4.2l-7.6 7.6',
  deny: 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4ZM4.1 4.1l7.8 7.8',
  running: 'M13.5 8A5.5 5.5 0 1 1 8 2.5',
  clock: 'M8 2.3a5.7 5.7 0 1 1 0 11.4A5.7 5.7 0 0 1 8 2.3ZM8 4.9V8l2.1 1.4',
  branch:
    'M4.5 5.4v5.2M4.5 2.4a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3ZM4.5 10.6a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3ZM11.5 3.4a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3ZM11.5 6.4c0 2.6-3 2.2-5.2 3.2',
  left: 'M10 3.4 5.4 8l4.6 4.6',
  down: 'm4 6 4 4 4-4',
  compact: 'M8 2v4.2M5.6 4 8 6.4 10.4 4M8 14V9.8M5.6 12 8 9.6l2.4 2.4',
  pause: 'M5.5 4v8M10.5 4v8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  stop: 'M4.2 4.2h7.6v7.6H4.2z',
  send: 'M8 13V3.6M4.1 7.2 8 3.3l3.9 3.9',
  theme: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM8 3.5v9M9.6 4v8M11.2 5v6',
  bell: 'M8 2.2c-2.3 0-3.7 1.7-3.7 4 0 3-1.3 3.9-1.3 4.8h10c0-.9-1.3-1.8-1.3-4.8 0-2.3-1.4-4-3.7-4ZM6.6 13.4h2.8',
  lock: 'M3.6 7h8.8v6.4H3.6zM5.5 7V5.1a2.5 2.5 0 0 1 5 0V7',
  edit: 'M3 13l.6-2.7 7.2-7.2 2.1 2.1-7.2 7.2zM9.4 4.6l2 2',
  file: 'M4 1.9h5.2L12.2 5v9.1H4zM9 2v3.2h3.2',
  undo: 'M3 6.5h6.5a3.3 3.3 0 0 1 0 6.6H6.2M6 3.5l-3 3 3 3',
  comment: 'M2.5 3h11v7.5H8.2L5 13v-2.5H2.5z',
  warning: 'm8 2.6 6 10.4H2zM8 6.4v3.2M8 11.3h.01',
  download: 'M8 2.4v7.2M5 6.8l3 3 3-3M3 13.4h10',
  question:
    'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4ZM6.4 6.4a1.7 1.7 0 1 1 2.4 1.6c-.5.3-.8.6-.8 1.2M8 11.2h.01',
} as const;

export type IconName = keyof typeof shapes;

export interface IconProps {
  readonly name: IconName;
  readonly class?: string;
}

/** A drawing beside a text; it has no name of its own. */
export function Icon({ name, class: more = '' }: IconProps) {
  return (
    <svg class={`icon ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
