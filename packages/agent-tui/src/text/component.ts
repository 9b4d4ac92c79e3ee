import type { InputEvent } from '../input/input-event.ts';

/** Something that can be drawn. */
export interface Component {
  /** Its lines, none of them wider than the width and none with a line break. */
  render(width: number): readonly string[];
  /** Takes a key or a paste; true if that was for it. */
  handleInput?(event: InputEvent): boolean;
  /** Forgets what it has kept from drawing before: colours changed. */
  invalidate?(): void;
}

/** A component that has a caret. While it has the focus, it draws {@link cursorMark} where the caret is. */
export interface Focusable extends Component {
  isFocused: boolean;
}

/** True if a component can have the focus. */
export function isFocusable(component: Component): component is Focusable {
  return 'isFocused' in component;
}
