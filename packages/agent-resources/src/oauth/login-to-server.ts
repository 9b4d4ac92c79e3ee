import type { HostEnvironment } from '@robota-sdk/agent-config';
import { OAuthStore } from '@robota-sdk/agent-config';
import { AgentError, endSentence, errorMessage, type UserInterface } from '@robota-sdk/agent-core';
import { type McpServer, originText } from '../source/server-definition.ts';
import { hasOwnToken } from './background-oauth.ts';
import { openLoginPage } from './open-login-page.ts';
import { StoredOAuth } from './stored-oauth.ts';
import { openWayBack, type WayBack } from './way-back.ts';

export interface LoginOptions {
  readonly host: HostEnvironment;
  readonly ui: UserInterface;
  readonly signal?: AbortSignal | undefined;
  /** Only name the address, as where the browser is on another machine. */
  readonly noBrowser?: boolean;
  /** Shows an instruction to the user. */
  say(text: string): void | Promise<void>;
}

/** Timeout of a login. */
const patienceMs = 10 * 60_000;

/** Logs in to a server: in a browser that redirects back, or by pasting the final URL. */
export async function loginToServer(server: McpServer, options: LoginOptions): Promise<void> {
  const { name, config, oauth } = server;
  const { transport } = config;
  if (!('url' in transport))
    throw new AgentError('usage', `${name} is a program on this machine, which needs no login.`);
  if (oauth?.grant !== undefined && oauth.grant !== 'authorization_code')
    throw new AgentError(
      'usage',
      `${name} needs no login: it is logged in to for the program itself (${oauth.grant}).`,
    );
  if (hasOwnToken(transport.headers))
    throw new AgentError(
      'usage',
      `${name} is sent an Authorization header (${originText(server.origin)}). Take that out to log in.`,
    );
  const store = new OAuthStore(transport.url, options.host);
  const before = await store.read();
  const wayBack = await openWayBack(oauth?.callbackPort, before.redirectUrl);
  try {
    let page: URL | undefined;
    const provider = new StoredOAuth({
      store,
      oauth,
      redirectUrl: wayBack.url,
      onRedirect: (url) => {
        page = url;
      },
    });
    const { authorize } = await import('@robota-sdk/agent-tool-mcp');
    const scope = before.scope ?? oauth?.scope;
    await authorize(provider, { transport, isFresh: true, ...(scope === undefined ? {} : { scope }) });
    // Some grants need no user: the definition contains the credentials.
    if (!page) return;
    const answer = await answerOf(page, { wayBack, state: provider.state(), ...options });
    await authorize(provider, { transport, answer });
  } catch (thrown) {
    if (AgentError.is(thrown) || options.signal?.aborted) throw thrown;
    throw new AgentError('config', `The login to ${name} failed: ${reasonOf(thrown)}`, { cause: thrown });
  } finally {
    wayBack.close();
  }
}

/** Prefers the cause: fetch only reports that it failed. */
function reasonOf(thrown: unknown): string {
  const { cause } = (thrown ?? {}) as { readonly cause?: unknown };
  const detail = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
  return endSentence(`${errorMessage(thrown)}${detail}`);
}

interface AnswerOptions extends LoginOptions {
  readonly wayBack: WayBack;
  readonly state: string;
}

interface AuthorizationAnswer {
  readonly code: string;
  readonly iss?: string;
}

/** Sends the user to the page and waits for the redirect or for a pasted URL. */
async function answerOf(page: URL, options: AnswerOptions): Promise<AuthorizationAnswer> {
  const { wayBack, state, host, ui, say } = options;
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new AgentError('config', `The login page is not a web page: ${page.protocol}//…`);
  const isOpen = !options.noBrowser && openLoginPage(page, host.env);
  await say(
    `${isOpen ? 'Log in in your browser. If it does not open:' : 'Log in at this address:'}\n${page}`,
  );
  const over = AbortSignal.timeout(patienceMs);
  const done = new AbortController();
  const signal = AbortSignal.any([over, done.signal, ...(options.signal ? [options.signal] : [])]);
  try {
    const back = await Promise.race([wayBack.arrival(state, signal), pasted(ui, wayBack.url, signal)]);
    return readAnswer(back, state);
  } catch (thrown) {
    if (!over.aborted) throw thrown;
    throw new AgentError('config', 'No login within ten minutes. Try again when you are ready.');
  } finally {
    done.abort();
  }
}

/** Over SSH the browser is elsewhere, and its way back ends at an address that can be pasted here. */
async function pasted(ui: UserInterface, wayBack: string, signal: AbortSignal): Promise<URL> {
  for (;;) {
    const answer = await ui.ask(
      {
        kind: 'text',
        title: `If the browser is on another machine, paste the address it ends at (${wayBack}?code=…)`,
      },
      signal,
    );
    if (answer.kind === 'text' && URL.canParse(answer.text.trim())) return new URL(answer.text.trim());
    if (answer.kind === 'dismissed') throw new AgentError('config', 'The login was canceled.');
    if (answer.kind !== 'text') return new Promise(() => {});
    ui.notify({ level: 'warning', text: 'Not a URL. Paste the full URL, starting with http.' });
  }
}

function readAnswer({ searchParams }: URL, state: string): AuthorizationAnswer {
  const error = searchParams.get('error');
  if (searchParams.get('state') !== state)
    throw new AgentError('config', 'The answer belongs to another login. Start again.');
  if (error !== null) {
    const why = searchParams.get('error_description') ?? error;
    throw new AgentError('config', `The server rejected the login: ${why}`);
  }
  const code = searchParams.get('code');
  if (!code) throw new AgentError('config', 'The URL contains no code. Start again.');
  const iss = searchParams.get('iss');
  return { code, ...(iss === null ? {} : { iss }) };
}
