import type {
  AgentContext,
  ClientCapabilities,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { unlessAborted } from './unless-aborted.ts';

/** The editor at the other end, as far as one session talks to it. */
export interface EditorClient {
  readonly context: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** A diagnostic log; never the protocol's channel. */
  log(text: string): void;
}

/** Messages and questions of one session to the editor. */
export class SessionChannel {
  readonly client: EditorClient;
  readonly sessionId: string;
  #redact: (text: string) => string;

  constructor(client: EditorClient, sessionId: string, redact: (text: string) => string) {
    this.client = client;
    this.sessionId = sessionId;
    this.#redact = redact;
  }

  /** Tells the editor something; one that is gone is told nothing. */
  async update(update: SessionUpdate): Promise<void> {
    const { sessionId } = this;
    const shown = redacted(update, this.#redact);
    await this.client.context.notify('session/update', { sessionId, update: shown }).catch(() => {});
  }

  async requestPermission(
    request: Omit<RequestPermissionRequest, 'sessionId'>,
    signal: AbortSignal | undefined,
  ): Promise<RequestPermissionResponse> {
    const shown = redacted(request, this.#redact);
    const params = { sessionId: this.sessionId, ...shown };
    const asked = this.client.context.request('session/request_permission', params);
    return (await unlessAborted(asked, signal)) ?? { outcome: { outcome: 'cancelled' } };
  }

  async elicit(
    request: CreateElicitationRequest,
    signal: AbortSignal | undefined,
  ): Promise<CreateElicitationResponse> {
    const shown = redacted(request, this.#redact);
    const asked = this.client.context.request('elicitation/create', shown);
    return (await unlessAborted(asked, signal)) ?? { action: 'cancel' };
  }
}

/** A value with every text in it changed; all else stays as it is. */
function redacted<T>(value: T, redact: (text: string) => string): T {
  return mapped(value, redact) as T;
}

function mapped(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, redact)]));
}
