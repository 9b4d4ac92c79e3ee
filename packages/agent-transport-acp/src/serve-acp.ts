import {
  agent,
  DEFAULT_MAX_MESSAGE_BYTES,
  type LoadSessionRequest,
  methods,
  ndJsonStream,
  RequestError,
} from '@agentclientprotocol/sdk';
import { AcpAgent, type AcpAgentOptions } from './acp-agent.ts';
import { limitLines, tooLongMethod } from './limit-lines.ts';

export interface ServeAcpOptions extends AcpAgentOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Ends the connection as if the editor had gone. */
  readonly signal?: AbortSignal;
}

/** Serves one editor until it goes; then every run is stopped and everything is saved. */
export async function serveAcp(options: ServeAcpOptions): Promise<void> {
  const { input, output, signal } = options;
  const served = new AcpAgent(options);
  const { session } = methods.agent;
  const app = agent({ name: 'robota' })
    .onRequest(methods.agent.initialize, ({ params }) => served.initialize(params))
    .onRequest(methods.agent.authenticate, async ({ params }) => {
      await served.authenticate(params.methodId);
      return {};
    })
    .onRequest(methods.agent.logout, async () => {
      await served.logout();
      return {};
    })
    .onRequest(session.new, ({ params, client }) => served.create(params, client))
    .onRequest(session.load, ({ params, client }) => served.load(params, client))
    .onRequest(session.resume, ({ params, client }) => served.resume(params, client))
    .onRequest('session/fork', { parse: parseFork }, ({ params, client }) => served.fork(params, client))
    .onRequest(session.list, ({ params }) => served.list(params))
    .onRequest(session.delete, async ({ params }) => {
      await served.delete(params.sessionId);
      return {};
    })
    .onRequest(session.close, async ({ params }) => {
      await served.get(params.sessionId).close();
      return {};
    })
    .onRequest(session.setMode, ({ params }) => served.setMode(params))
    .onRequest(session.setConfigOption, ({ params }) => served.setConfigOption(params))
    .onRequest(session.prompt, ({ params }) => served.get(params.sessionId).prompt(params.prompt))
    .onNotification(session.cancel, async ({ params }) => served.get(params.sessionId).cancel())
    .onRequest(tooLongMethod, { parse: () => undefined }, refuseLong);
  const lines = input.pipeThrough(limitLines(DEFAULT_MAX_MESSAGE_BYTES));
  const connection = app.connect(ndJsonStream(output, lines));
  const close = () => connection.close();
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) close();
  await connection.closed;
  signal?.removeEventListener('abort', close);
  await served.closeAll();
}

function refuseLong(): never {
  const most = `${DEFAULT_MAX_MESSAGE_BYTES / 1024 / 1024} MB`;
  throw RequestError.invalidRequest(undefined, `a message may have at most ${most}; send less at once`);
}

/** Forks are asked for with the words of a load. */
function parseFork(params: unknown): LoadSessionRequest {
  const {
    sessionId,
    cwd,
    mcpServers = [],
    additionalDirectories = [],
    _meta,
  } = (params ?? {}) as Partial<LoadSessionRequest>;
  if (typeof sessionId !== 'string' || typeof cwd !== 'string')
    throw RequestError.invalidParams(params, 'sessionId and cwd must be texts');
  return { sessionId, cwd, mcpServers, additionalDirectories, ...(_meta ? { _meta } : {}) };
}
