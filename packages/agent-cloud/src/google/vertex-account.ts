import {
  type AccountCall,
  type CloudAccount,
  encodeBody,
  type JsonObject,
  type PreparedRequest,
} from '@robota-sdk/agent-core';
import { type AccountOptions, CredentialCache, noCredentials } from '../credential/credentials.ts';
import { findGoogleToken, type GoogleToken } from './google-token.ts';

const bodyVersion = 'vertex-2023-10-16';

/** Reaches Claude and Gemini models by Vertex AI. */
export class VertexAccount implements CloudAccount {
  readonly #options: AccountOptions;
  readonly #tokens: CredentialCache<GoogleToken>;

  constructor(options: AccountOptions) {
    this.#options = options;
    this.#tokens = new CredentialCache((signal) => findGoogleToken({ ...options, signal }));
  }

  async prepare(call: AccountCall): Promise<PreparedRequest> {
    const token = await this.#tokens.get(call.signal);
    const isClaude = /\/messages$/.test(call.path);
    const publisher = isClaude ? 'anthropic' : 'google';
    const method = isClaude ? 'streamRawPredict' : 'streamGenerateContent?alt=sse';
    const location = this.#location();
    const parent = `projects/${this.#project(token)}/locations/${location}/publishers/${publisher}`;
    const url = `${this.#base(location)}/v1/${parent}/models/${encodeURIComponent(call.model)}:${method}`;
    return {
      url: url.replace('%40', '@'),
      headers: { ...ownHeaders(call.headers), authorization: `Bearer ${token.token}` },
      body: encodeBody(isClaude ? claudeBody(call.body) : call.body),
    };
  }

  renew(): boolean {
    return this.#tokens.renew();
  }

  /** The source of the token, for `robota doctor`. */
  async describe(signal: AbortSignal): Promise<string> {
    const token = await this.#tokens.get(signal);
    return `${token.source}, project ${this.#project(token)}, location ${this.#location()}`;
  }

  #project({ project }: GoogleToken): string {
    const { GOOGLE_CLOUD_PROJECT, GCLOUD_PROJECT, ANTHROPIC_VERTEX_PROJECT_ID } = this.#options.env;
    const named = GOOGLE_CLOUD_PROJECT || GCLOUD_PROJECT || ANTHROPIC_VERTEX_PROJECT_ID || project;
    if (named) return named;
    throw noCredentials('Google Vertex AI: no project is set. Set GOOGLE_CLOUD_PROJECT.');
  }

  #location(): string {
    const { GOOGLE_CLOUD_LOCATION, CLOUD_ML_REGION } = this.#options.env;
    return GOOGLE_CLOUD_LOCATION || CLOUD_ML_REGION || 'global';
  }

  #base(location: string): string {
    const own = this.#options.baseUrl?.replace(/(?<!\/)\/+$/, '').replace(/\/v1$/, '');
    if (own) return own;
    // The multi-regions have hosts of their own kind.
    if (location === 'us' || location === 'eu') return `https://aiplatform.${location}.rep.googleapis.com`;
    return `https://${location === 'global' ? '' : `${location}-`}aiplatform.googleapis.com`;
  }
}

/** The body of the Messages API, with the model in the path and the version in the body. */
function claudeBody({ model: _, ...rest }: JsonObject): JsonObject {
  return { anthropic_version: bodyVersion, ...rest };
}

function ownHeaders(headers: AccountCall['headers']): Record<string, string> {
  const dropped = /^(?:anthropic-version|x-api-key|x-goog-api-key)$/i;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.test(name)));
}
