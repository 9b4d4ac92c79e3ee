export { visibleText } from '@robota-sdk/agent-tui';
export { element } from './page/element.ts';
export { highlightCode } from './page/highlight-code.ts';
export { clock, plural, shortCount } from './page/numbers.ts';
export { plainText } from './page/plain-text.ts';
export { renderCall } from './page/render-call.ts';
export { DiffText, renderDiff } from './page/render-diff.ts';
export { type Results, renderEntry } from './page/render-entry.ts';
export { renderMarkdown } from './page/render-markdown.ts';
