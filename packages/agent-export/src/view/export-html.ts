import { createHash } from 'node:crypto';
import type { SessionView } from './session-view.ts';

const chunkLength = 1_000_000;

/**
 * A session as one page that needs nothing else. Its policy lets only our own script and style run, by their
 * hashes, and forbids the network; what the session says is data, which the script shows as text.
 */
export async function* exportHtml(view: SessionView): AsyncGenerator<string> {
  const { default: page } = await import('./page.json', { with: { type: 'json' } });
  const { entries, ...head } = view;
  yield opening(view, page);
  yield dataElement('session-head', JSON.stringify(head));
  for (const chunk of chunksOf(entries)) yield dataElement('session-entries', chunk);
  yield `<script>${page.script}</script>\n</body>\n</html>\n`;
}

interface Page {
  readonly script: string;
  readonly style: string;
}

function opening(view: SessionView, { script, style }: Page): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const title = escapeMarkup(view.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Robota">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<noscript><p>This is a conversation with a coding agent, exported from Robota: ${title}. The page shows it by a script of its
own that loads nothing from anywhere; allow scripts here, or export the session again as Markdown.</p></noscript>
`;
}

function* chunksOf(entries: SessionView['entries']): Generator<string> {
  let chunk = '';
  for (const entry of entries) {
    chunk += `${chunk === '' ? '[' : ','}${JSON.stringify(entry)}`;
    if (chunk.length < chunkLength) continue;
    yield `${chunk}]`;
    chunk = '';
  }
  if (chunk !== '') yield `${chunk}]`;
}

function dataElement(name: string, json: string): string {
  return `<script type="application/json" data-part="${name}">${escapeJson(json)}</script>\n`;
}

/** JSON without a character that means something to HTML; it says the same. */
export function escapeJson(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Text for a place between tags or inside quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}
