import { httpFetch, readAtMost } from '@robota-sdk/agent-http';
import { isLoopback } from '../model/failure.ts';
import { errorMessage } from '../problem/agent-error.ts';
import { isJsonObject } from '../shape/json.ts';
import { parseHookOutput } from './hook-answer.ts';
import type { HookCall, HookExecutor } from './hook-executor.ts';

const maxBytes = 1024 * 1024;

/** Posts the payload as JSON to a URL. An unsuccessful reply is a warning, a missing one a failure. */
export const httpHook: HookExecutor = {
  timeout: 10,
  run: async (call) => {
    const response = await post(call);
    const tooLarge = () => new Error(`its reply is longer than ${maxBytes} bytes`);
    if (response.ok) return parseHookOutput((await readAtMost(response, { maxBytes, tooLarge })).toString());
    await response.body?.cancel();
    return { warning: `the server answered with status ${response.status}` };
  },
};

async function post({ definition, payload, env, signal }: HookCall): Promise<Response> {
  const url = checkedUrl(definition.url);
  const headers = { 'content-type': 'application/json', ...headersOf(definition, env) };
  try {
    // A redirect would send the headers to an unconfigured address.
    return await httpFetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(payload),
      redirect: 'manual',
      signal,
    });
  } catch (thrown) {
    signal.throwIfAborted();
    const cause = thrown instanceof Error ? thrown.cause : undefined;
    throw new Error(`nothing answers at ${url.host} (${errorMessage(cause ?? thrown)})`);
  }
}

function checkedUrl(written: unknown): URL {
  const url = typeof written === 'string' && URL.canParse(written) ? new URL(written) : undefined;
  if (!url) throw new Error(`its "url" is ${JSON.stringify(written)}, which is not a URL`);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.host))) return url;
  throw new Error(`${url.origin} is not encrypted; use https, or http on this machine only`);
}

/** Headers with `$NAME` and `${NAME}` expanded, only from `allowedEnvVars` if that list exists. */
function headersOf(definition: HookCall['definition'], env: HookCall['env']): Record<string, string> {
  const { headers, allowedEnvVars } = definition;
  const allowed = Array.isArray(allowedEnvVars) ? allowedEnvVars : undefined;
  const entries = isJsonObject(headers) ? Object.entries(headers) : [];
  return Object.fromEntries(
    entries.map(([header, value]) => {
      const filled = String(value).replace(
        /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
        (_, braced?: string, plain?: string) => {
          const name = braced ?? plain ?? '';
          const found = allowed && !allowed.includes(name) ? undefined : env[name];
          if (found === undefined)
            throw new Error(`its header ${header} needs ${name}, which is not available`);
          return found;
        },
      );
      return [header, filled];
    }),
  );
}
