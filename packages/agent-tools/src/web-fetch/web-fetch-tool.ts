import { AgentError, jsonSchema, type StateKey, type Tool, textOutput } from '@robota-sdk/agent-core';
import { limitText } from '../limit-output.ts';
import { type Download, download, parseUrl } from './download.ts';
import { checkType, type PageFormat, pageText } from './page-text.ts';

export interface WebFetchInput {
  readonly url: string;
  readonly format?: PageFormat;
}

/** What WebFetch may reach in a session. */
export interface WebAccess {
  /** Also this machine and its network. */
  allowPrivate: boolean;
}

export const webAccess: StateKey<WebAccess> = { name: 'webAccess', create: () => ({ allowPrivate: false }) };

const maxBytes = 5 * 1024 * 1024;
const timeoutMs = 30_000;

/** Loads a page of the web as Markdown. */
export const webFetchTool: Tool<WebFetchInput> = {
  name: 'WebFetch',
  description: 'Fetch a URL. HTML comes as Markdown unless format is raw; text and JSON as they are.',
  input: jsonSchema({
    type: 'object',
    properties: { url: { type: 'string' }, format: { enum: ['markdown', 'raw'] } },
    required: ['url'],
  }),
  access: ({ url }) => [{ kind: 'fetch', url: URL.canParse(url) ? new URL(url).href : url }],
  async execute({ url, format = 'markdown' }, { state, signal, outputDir, callId }) {
    const { allowPrivate } = state.get(webAccess);
    const page = await download(parseUrl(url), { allowPrivate, maxBytes, timeoutMs, checkType, signal });
    if (page.movedTo !== undefined) {
      return textOutput(`${page.url.href} redirects to another host. To read it, fetch ${page.movedTo}`);
    }
    if (page.status >= 400) throw new AgentError('tool', await describeError(page));
    const text = await pageText({ ...page, format });
    const heading = page.url.href === new URL(url).href ? '' : `Redirected to ${page.url.href}\n\n`;
    const limited = await limitText(heading + (text.trim() === '' ? '(The page is empty.)' : text), {
      outputDir,
      name: callId,
    });
    return textOutput(limited.text);
  },
};

async function describeError(page: Download): Promise<string> {
  const start = `HTTP ${page.status} ${page.statusText} for ${page.url.href}`;
  const said = await pageText({ ...page, format: 'markdown' }).catch(() => '');
  return said.trim() === '' ? start : `${start}. The server said: ${said.trim().slice(0, 500)}`;
}
