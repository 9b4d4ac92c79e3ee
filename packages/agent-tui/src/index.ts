export { ConfirmPrompt, type ConfirmPromptOptions } from './components/confirm-prompt.ts';
export { Box, type BoxOptions, Container } from './components/container.ts';
export { fuzzyMatch } from './components/fuzzy-match.ts';
export type { Glyphs } from './components/glyphs.ts';
export type { ListCell } from './components/list-rows.ts';
export {
  CancellableLoader,
  type CancellableLoaderOptions,
  Loader,
  type LoaderOptions,
} from './components/loader.ts';
export {
  type BarPart,
  type Part,
  PartsTable,
  type PartsTableOptions,
  renderBar,
} from './components/parts-table.ts';
export { renderKeyHints, renderStatusLine, type StatusField } from './components/render-status-line.ts';
export {
  bold,
  createRenderStyle,
  faint,
  italic,
  oneLine,
  type Paint,
  type RenderStyle,
  strike,
  underline,
} from './components/render-style.ts';
export { type RuledTitle, renderTitleRule } from './components/render-title-rule.ts';
export { type SelectItem, SelectList, type SelectListOptions } from './components/select-list.ts';
export { type SettingItem, SettingsList, type SettingsListOptions } from './components/settings-list.ts';
export { Spacer, Text, type TextOptions, TruncatedText } from './components/text.ts';
export { changeText, Diff, type DiffOptions } from './diff/diff.ts';
export { DiffCode } from './diff/diff-code.ts';
export type {
  AutocompleteProvider,
  Completion,
  CompletionRequest,
  CompletionToken,
} from './editor/autocomplete/autocomplete-provider.ts';
export {
  type CommandChoice,
  type CommandCompletionOptions,
  commandCompletions,
} from './editor/autocomplete/command-completions.ts';
export { type WordCompletionOptions, wordCompletions } from './editor/autocomplete/word-completions.ts';
export { Editor } from './editor/editor.ts';
export type { EditorOptions, SubmitListener, SubmittedText } from './editor/editor-options.ts';
export { Input, type InputOptions } from './editor/input.ts';
export {
  decodeHistory,
  encodeHistoryEntry,
  type HistoryEntry,
  InputHistory,
} from './editor/input-history.ts';
export { renderDraft } from './editor/render-editor.ts';
export type { EditorState } from './editor/text/editor-state.ts';
export {
  expandPaste,
  type PasteMarker,
  pasteNearCaret,
  pastesIn,
  removePaste,
  replacePaste,
} from './editor/text/paste-markers.ts';
export { isInertPaste, replaceText } from './editor/text/paste-text.ts';
export { isPastedAt, type TextSpan } from './editor/text/pasted-parts.ts';
export type { Token } from './editor/text/token.ts';
export { type AdaptOptions, adaptToTerminal, firstModes } from './frame/adapt-to-terminal.ts';
export { encodeFrame } from './frame/encode-frame.ts';
export { type OverlayHandle, type OverlayOptions, OverlayStack } from './frame/overlay-stack.ts';
export { type Cursor, emptyFrame, planFrame } from './frame/plan-frame.ts';
export { type Finished, type LiveView, Screen, type ScreenOptions, type ScreenSize } from './frame/screen.ts';
export { extractCursor, viewOf } from './frame/view-of.ts';
export { deleteImage, type ImageProtocol } from './image/encode-image.ts';
export { type CellSize, Image, type ImageOptions } from './image/image.ts';
export {
  type DataUrl,
  type ImageHeader,
  type ImageType,
  readDataUrl,
  readImageHeader,
} from './image/read-image-header.ts';
export type { InputEvent, Rgb, TerminalResponse } from './input/input-event.ts';
export type { KeyEvent } from './keys/key-event.ts';
export { matchesKey, normalizeKeyId } from './keys/key-id.ts';
export { type KeybindingOverrides, Keybindings } from './keys/keybindings.ts';
export { type KeybindingsFile, type KeybindingsSchema, readKeybindings } from './keys/read-keybindings.ts';
export {
  type ActionDefinition,
  type ActionTable,
  type ToolkitAction,
  toolkitActions,
} from './keys/toolkit-actions.ts';
export type { Alignment, Block } from './markdown/block.ts';
export { readBlocks } from './markdown/block-reader.ts';
export { type CodeBlock, codeBlocksOf } from './markdown/code-blocks.ts';
export { type CodeOrigin, codeParts, highlightCode } from './markdown/highlight-code.ts';
export type { CodePart } from './markdown/highlight-line.ts';
export { type LinkTarget, parseInline, type Span } from './markdown/inline-parser.ts';
export { Markdown, type MarkdownOptions } from './markdown/markdown.ts';
export { type Capabilities, type ColourDepth, detectCapabilities } from './terminal/capabilities.ts';
export { CapabilityProbe, type CapabilityProbeOptions } from './terminal/capability-probe.ts';
export { ProcessTerminal, type ProcessTerminalOptions } from './terminal/process-terminal.ts';
export {
  clipboardSequence,
  type Notification,
  notificationSequence,
  type Progress,
  progressSequence,
  promptMarks,
  titleSequence,
} from './terminal/sequences.ts';
export type { Reflow, Terminal, TerminalListener } from './terminal/terminal.ts';
export type { TerminalMode } from './terminal/terminal-modes.ts';
export { TypedAhead } from './terminal/typed-ahead.ts';
export { VirtualTerminal } from './terminal/virtual-terminal.ts';
export { type Component, type Focusable, isFocusable } from './text/component.ts';
export { EscapeFilter, type EscapeFilterOptions, filterEscapes, visibleText } from './text/escape-filter.ts';
export type { FileProblem } from './text/json-document.ts';
export { sliceText } from './text/slice-text.ts';
export { cursorMark, plainText, textWidth } from './text/styled-text.ts';
export { truncateMiddle, truncateText } from './text/truncate-text.ts';
export { wrapHanging } from './text/wrap-hanging.ts';
export { truncateToVisualLines, type VisualLines, wrapText } from './text/wrap-text.ts';
export {
  ansiTheme,
  colourBlindDarkTheme,
  colourBlindLightTheme,
  darkTheme,
  highContrastDarkTheme,
  highContrastLightTheme,
  lightTheme,
} from './theme/built-in-themes.ts';
export { chooseTheme, type ThemeChoice } from './theme/choose-theme.ts';
export type { Colour } from './theme/colour.ts';
export { readTheme, type ThemeFile, type ThemeSchema } from './theme/read-theme.ts';
export { Theme, type ThemeDefinition } from './theme/theme.ts';
export {
  basicTokens,
  type ThemeTokens,
  type ToolkitToken,
  toolkitTokens,
} from './theme/theme-tokens.ts';
