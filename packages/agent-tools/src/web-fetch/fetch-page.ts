import { AgentError, type ToolContext, type ToolOutput, textOutput } from '@robota-sdk/agent-core';
import { limitText } from '../output/limit-output.ts';
import { type Download, download, parseUrl } from './download.ts';
import { checkType, pageText } from './page-text.ts';
import { type WebFetchInput, webAccess } from './web-access.ts';

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;

/** Loads the page of a call. */
export async function fetchPage(input: WebFetchInput, context: ToolContext): Promise<ToolOutput> {
  const { url, format = 'markdown' } = input;
  const { state, signal, outputDir, callId } = context;
  const { allowPrivate } = state.get(webAccess);
  const page = await download(parseUrl(url), { allowPrivate, maxBytes, timeoutMs, checkType, signal });
  if (page.movedTo !== undefined)
    return textOutput(`${page.url.href} redirects to another host. To read it, fetch ${page.movedTo}`);
  if (page.status >= 400) throw new AgentError('tool', await describeError(page, signal));
  const text = await pageText({ ...page, format, signal });
  const heading = page.url.href === new URL(url).href ? '' : `Redirected to ${page.url.href}\n\n`;
  const limited = await limitText(heading + (text.trim() === '' ? '(The page is empty.)' : text), {
    outputDir,
    name: callId,
  });
  return textOutput(limited.text);
}

async function describeError(page: Download, signal: AbortSignal): Promise<string> {
  const start = `HTTP ${page.status} ${page.statusText} for ${page.url.href}`;
  const said = await pageText({ ...page, format: 'markdown', signal }).catch(() => '');
  return said.trim() === '' ? start : `${start}. The server said: ${said.trim().slice(0, 500)}`;
}
