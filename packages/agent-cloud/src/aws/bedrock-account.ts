import {
  type AccountCall,
  type CloudAccount,
  encodeBody,
  type JsonObject,
  type JsonValue,
  type PreparedRequest,
} from '@robota-sdk/agent-core';
import type { AnswerHeaders } from '@robota-sdk/agent-http';
import {
  type AccountOptions,
  CredentialCache,
  noCredentials,
  parseAddress,
} from '../credential/credentials.ts';
import { findAwsKeys, findAwsRegion } from './aws-credentials.ts';
import { EventFrames, eventFrameType } from './event-frames.ts';
import { type AwsCredentials, awsHost } from './key-search.ts';
import { ServerClock } from './server-clock.ts';
import { signRequest } from './sign-request.ts';

const bodyVersion = 'bedrock-2023-05-31';

/** Reaches Claude models by Amazon Bedrock: `InvokeModelWithResponseStream`, signed or with a Bedrock key. */
export class BedrockAccount implements CloudAccount {
  readonly #options: AccountOptions;
  readonly #keys: CredentialCache<AwsCredentials>;
  readonly #clock = new ServerClock();

  constructor(options: AccountOptions) {
    this.#options = options;
    this.#keys = new CredentialCache(async (signal) =>
      findAwsKeys({ ...options, signal, region: await this.region(), clock: this.#clock }),
    );
  }

  async prepare(call: AccountCall): Promise<PreparedRequest> {
    const { apiKey } = this.#options;
    const region = await this.region(call.model);
    const path = `model/${encodeURIComponent(call.model)}/invoke-with-response-stream`;
    const url = parseAddress(`${this.#base(region)}/${path}`, 'Amazon Bedrock');
    const body = encodeBody(bodyOf(call));
    const headers = {
      'content-type': 'application/json',
      accept: eventFrameType,
      ...ownHeaders(call.headers),
    };
    const signed = apiKey
      ? { ...headers, authorization: `Bearer ${apiKey}` }
      : signRequest({ method: 'POST', url, headers, body }, await this.#keys.get(call.signal), {
          region,
          service: 'bedrock',
          now: this.#clock.now(),
        });
    return { url: url.href, headers: signed, body, createParser: () => new EventFrames() };
  }

  renew(refusal: AnswerHeaders): boolean {
    if (this.#options.apiKey !== undefined) return false;
    return this.#clock.learn(refusal.get('date')) || this.#keys.renew();
  }

  /** The source of the keys, for `robota doctor`. */
  async describe(signal: AbortSignal): Promise<string> {
    const region = await this.region();
    if (this.#options.apiKey) return `a Bedrock key, region ${region}`;
    return `${(await this.#keys.get(signal)).source}, region ${region}`;
  }

  /** An ARN names its region itself. */
  async region(model = ''): Promise<string> {
    const named = /^arn:[^:]*:bedrock:([a-z\d-]+):/.exec(model)?.[1] ?? (await findAwsRegion(this.#options));
    if (named) return named;
    throw noCredentials(
      'Amazon Bedrock: no AWS region is set. Set AWS_REGION, or region in the AWS profile (aws configure).',
    );
  }

  #base(region: string): string {
    return (
      this.#options.baseUrl?.replace(/(?<!\/)\/+$/, '') ?? `https://${awsHost('bedrock-runtime', region)}`
    );
  }
}

/** The body of the Messages API, with the model in the path and the version and betas in the body. */
function bodyOf({ body, headers }: AccountCall): JsonObject {
  const { model: _, stream: __, tools, ...rest } = body;
  const betas = headers['anthropic-beta']?.split(',').map((beta) => beta.trim());
  const own = Array.isArray(tools) ? tools.filter((tool) => !isServerTool(tool)) : [];
  return {
    anthropic_version: bodyVersion,
    ...(betas ? { anthropic_beta: betas } : {}),
    ...(own.length > 0 ? { tools: own } : {}),
    ...rest,
  };
}

/** Tools that Anthropic's own servers run, which Bedrock refuses. */
function isServerTool(tool: JsonValue): boolean {
  const { type } = (tool ?? {}) as { readonly type?: JsonValue };
  return typeof type === 'string' && type.startsWith('web_');
}

/** Headers that the user set; those of the vendor's own API do not belong to Bedrock. */
function ownHeaders(headers: AccountCall['headers']): Record<string, string> {
  const dropped = /^(?:anthropic-.*|x-api-key|accept|content-type)$/i;
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.test(name)));
}
