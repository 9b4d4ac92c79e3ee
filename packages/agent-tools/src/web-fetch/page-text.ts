import { AgentError } from '@robota-sdk/agent-core';

export type PageFormat = 'markdown' | 'raw';

interface Page {
  readonly contentType: string;
  readonly body: Buffer;
  readonly format: PageFormat;
  readonly signal: AbortSignal;
}

const textType =
  /^(text\/|application\/([\w.-]+\+)?(json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|x-ndjson|ld\+json|sql|graphql|rtf)\b|image\/svg\+xml)/;

/** Converts a download to readable text: HTML becomes Markdown, text stays, anything else is refused. */
export async function pageText({ contentType, body, format, signal }: Page): Promise<string> {
  const type = typeOf(contentType) || sniffType(body);
  checkType(type, String(body.length));
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml';
  const text = decode(body, declaredCharset(contentType, isHtml ? body : undefined));
  return isHtml && format === 'markdown' ? await toMarkdown(text, signal) : text;
}

/** Refuses non-text types; a missing type is judged later, by the content. */
export function checkType(contentType: string, length: string): void {
  const type = typeOf(contentType);
  if (type === '' || textType.test(type)) return;
  throw new AgentError(
    'tool',
    `This is ${type} (${length} bytes), not text. WebFetch reads pages, text and JSON only.`,
  );
}

function typeOf(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}

function sniffType(body: Buffer): string {
  if (body.subarray(0, 8192).includes(0)) return 'application/octet-stream';
  return /^\s*<(!doctype html|html|head|body)\b/i.test(body.toString('latin1', 0, 512))
    ? 'text/html'
    : 'text/plain';
}

function declaredCharset(contentType: string, html: Buffer | undefined): string | undefined {
  const inHeader = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType)?.[1];
  if (inHeader !== undefined || html === undefined) return inHeader;
  return /<meta[^<>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(html.toString('latin1', 0, 2048))?.[1];
}

function decode(body: Buffer, charset: string | undefined): string {
  const mark = byteOrderMark(body);
  const label = mark ?? charset;
  if (label !== undefined) {
    try {
      return new TextDecoder(label).decode(body);
    } catch {
      // An unknown charset counts as missing.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

function byteOrderMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

async function toMarkdown(html: string, signal: AbortSignal): Promise<string> {
  const { htmlToMarkdown } = await import('./html-to-markdown.ts');
  const markdown = (await htmlToMarkdown(html, signal)) ?? (await plainPage(html));
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.replace(/\s+/g, ' ').trim();
  return title ? `Title: ${title}\n\n${markdown.trim()}` : markdown.trim();
}

async function plainPage(html: string): Promise<string> {
  const { htmlToText } = await import('./html-to-text.ts');
  return `[The page is too complex to convert to Markdown; this is its plain text.]\n\n${htmlToText(html)}`;
}
