import {
  type AccountCall,
  type CloudAccount,
  encodeBody,
  type PreparedRequest,
} from '@robota-sdk/agent-core';
import { type AccountOptions, CredentialCache, noCredentials } from '../credential/credentials.ts';
import { type EntraToken, findEntraToken } from './entra-token.ts';

/** Reaches deployments of Azure OpenAI, with a key or a token of Entra. */
export class AzureAccount implements CloudAccount {
  readonly #options: AccountOptions;
  readonly #tokens: CredentialCache<EntraToken>;

  constructor(options: AccountOptions) {
    this.#options = options;
    this.#tokens = new CredentialCache((signal) => findEntraToken({ ...options, signal }));
  }

  async prepare(call: AccountCall): Promise<PreparedRequest> {
    const { apiKey } = this.#options;
    const { authorization: _, ...headers } = call.headers;
    const credentials: Record<string, string> = apiKey
      ? { 'api-key': apiKey }
      : { authorization: `Bearer ${(await this.#tokens.get(call.signal)).token}` };
    return { url: this.#url(call), headers: { ...headers, ...credentials }, body: encodeBody(call.body) };
  }

  renew(): boolean {
    return this.#options.apiKey === undefined && this.#tokens.renew();
  }

  /** The source of the credentials, for `robota doctor`. */
  async describe(signal: AbortSignal): Promise<string> {
    const { host } = new URL(this.#base());
    const source = this.#options.apiKey ? 'a key' : (await this.#tokens.get(signal)).source;
    return `${source}, ${host}`;
  }

  /** The v1 API unless a dated version is asked for, which names the deployment in the path. */
  #url({ path, model }: AccountCall): string {
    const version = this.#options.env.AZURE_OPENAI_API_VERSION?.trim() ?? '';
    const query = version === '' ? '' : `?api-version=${encodeURIComponent(version)}`;
    const base = `${this.#base()}/openai`;
    if (!/^\d{4}-\d{2}-\d{2}/.test(version)) return `${base}/v1${path}${query}`;
    const isChat = path.endsWith('/chat/completions');
    return `${base}${isChat ? `/deployments/${encodeURIComponent(model)}` : ''}${path}${query}`;
  }

  #base(): string {
    const { baseUrl, env } = this.#options;
    const resource = env.AZURE_OPENAI_RESOURCE?.trim();
    const named = baseUrl ?? (resource ? `https://${resource}.openai.azure.com` : undefined);
    if (named) return named.replace(/(?<!\/)\/+$/, '').replace(/\/openai(?:\/v1)?$/, '');
    throw noCredentials(
      'Azure OpenAI: no endpoint is set. Set AZURE_OPENAI_ENDPOINT to https://RESOURCE.openai.azure.com.',
    );
  }
}
