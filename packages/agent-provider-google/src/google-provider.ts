import { type Connection, type ModelProvider, streamAnswer } from '@robota-sdk/agent-core';
import { buildBody } from './build-body.ts';
import { ReplyReader } from './reply-reader.ts';

/** Makes a provider for the Gemini API (`streamGenerateContent`) or a server that speaks the same. */
export function createGoogleProvider(connection: Connection): ModelProvider {
  return {
    vendor: connection.vendor,
    stream: (request) =>
      streamAnswer(
        {
          connection,
          request,
          path: pathOf(connection.baseUrl, request.model.id),
          headers: connection.apiKey === undefined ? {} : { 'x-goog-api-key': connection.apiKey },
          body: buildBody(request, connection.vendor),
        },
        new ReplyReader(connection.vendor, request.model.id),
      ),
  };
}

function pathOf(baseUrl: string, modelId: string): string {
  const version = /\/v\d+(?:(?:alpha|beta)\d*)?\/*$/.test(baseUrl) ? '' : '/v1beta';
  const name = modelId
    .replace(/^models\//, '')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  const collection = name.includes('/') ? '' : 'models/';
  return `${version}/${collection}${name}:streamGenerateContent?alt=sse`;
}
