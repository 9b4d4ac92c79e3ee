export { type Component, type Focusable, isFocusable } from './component.ts';
export { Box, type BoxOptions } from './components/box.ts';
export { CancellableLoader, type CancellableLoaderOptions } from './components/cancellable-loader.ts';
export { Container } from './components/container.ts';
export { Loader, type LoaderOptions } from './components/loader.ts';
export { Spacer } from './components/spacer.ts';
export { Text, type TextOptions } from './components/text.ts';
export { TruncatedText } from './components/truncated-text.ts';
export { compositeOverlays, type PlacedOverlay } from './frame/composite-overlays.ts';
export { type EncodeOptions, encodeFrame } from './frame/encode-frame.ts';
export { extractCursor, type MarkedLines } from './frame/extract-cursor.ts';
export { type OverlayHandle, type OverlayOptions, OverlayStack } from './frame/overlay-stack.ts';
export {
  type Cursor,
  emptyFrame,
  type FramePlan,
  type FrameSize,
  type NextFrame,
  planFrame,
  type Reflow,
  type ShownFrame,
} from './frame/plan-frame.ts';
export type { PlannedRow, RowShift } from './frame/row-changes.ts';
export { type Finished, type LiveView, Screen, type ScreenOptions, type ScreenSize } from './frame/screen.ts';
export type { InputEvent, KeyEvent, Rgb, TerminalResponse } from './input/input-event.ts';
export { InputReader, type InputReaderOptions } from './input/input-reader.ts';
export { StdinDecoder } from './input/stdin-decoder.ts';
export { type ActionId, defaultKeybindings, type KeybindingDefault } from './keys/default-keybindings.ts';
export { normalizeKeyId } from './keys/key-id.ts';
export { type KeybindingOverrides, Keybindings } from './keys/keybindings.ts';
export { matchesKey } from './keys/matches-key.ts';
export { type KeybindingsFile, readKeybindings } from './keys/read-keybindings.ts';
export {
  applyResponse,
  type Capabilities,
  type ColourDepth,
  detectCapabilities,
} from './terminal/capabilities.ts';
export { CapabilityProbe, type CapabilityProbeOptions } from './terminal/capability-probe.ts';
export { ProcessTerminal, type ProcessTerminalOptions } from './terminal/process-terminal.ts';
export {
  clipboardSequence,
  linkSequence,
  type Notification,
  notificationSequence,
  type Progress,
  progressSequence,
  promptMarks,
  titleSequence,
} from './terminal/sequences.ts';
export type { Terminal, TerminalListener } from './terminal/terminal.ts';
export type { TerminalMode } from './terminal/terminal-modes.ts';
export { VirtualTerminal } from './terminal/virtual-terminal.ts';
export { EscapeFilter, type EscapeFilterOptions, filterEscapes } from './text/escape-filter.ts';
export { graphemesOf, graphemeWidth } from './text/grapheme-width.ts';
export type { FileProblem } from './text/json-document.ts';
export { sliceText } from './text/slice-text.ts';
export { cursorMark, expandTabs, plainText, textWidth } from './text/styled-text.ts';
export { truncateMiddle, truncateText } from './text/truncate-text.ts';
export { wrapText } from './text/wrap-text.ts';
export { darkTheme, lightTheme } from './theme/built-in-themes.ts';
export { chooseTheme, type ThemeChoice } from './theme/choose-theme.ts';
export type { Colour } from './theme/colour.ts';
export { readTheme, type ThemeFile } from './theme/read-theme.ts';
export { Theme, type ThemeDefinition } from './theme/theme.ts';
export { type ThemeToken, themeTokens } from './theme/theme-tokens.ts';
