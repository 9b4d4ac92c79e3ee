import type { ElicitRequestParams } from '@modelcontextprotocol/client';
import type { McpServerConnection } from './mcp-server-connection.ts';
import type { McpRequestOptions } from './request-watch.ts';

const urlElicitationRequired = -32_042;

/**
 * Runs an action that a server may refuse until the user has visited pages: asks for that, then retries once.
 */
export async function visitPages<T>(
  { elicitor }: McpServerConnection,
  { signal = new AbortController().signal }: McpRequestOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const pages = pagesIn((thrown as { cause?: unknown }).cause);
    if (!elicitor || pages.length === 0) throw thrown;
    for (const page of pages) {
      const { action } = await elicitor.answer(page, signal);
      if (action !== 'accept') throw thrown;
    }
    return work();
  }
}

function pagesIn(error: unknown): readonly ElicitRequestParams[] {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { elicitations?: unknown } };
  return code === urlElicitationRequired && Array.isArray(data?.elicitations) ? data.elicitations : [];
}
