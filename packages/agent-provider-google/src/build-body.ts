import type { JsonObject, ModelRequest } from '@robota-sdk/agent-core';
import { toContents } from './contents.ts';
import { toFunctionDeclaration } from './function-declaration.ts';
import { thinkingConfig } from './thinking-config.ts';

/**
 * The body of a call. `contents` stands last, so that a request is a byte prefix of the next one as far as the
 * conversation is the same.
 */
export function buildBody(request: ModelRequest, vendor: string): JsonObject {
  const thinking = thinkingConfig(request.model, request.thinking);
  return {
    ...(request.system === '' ? {} : { systemInstruction: { parts: [{ text: request.system }] } }),
    ...(request.tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: request.tools.map(toFunctionDeclaration) }] }),
    generationConfig: {
      maxOutputTokens: request.maxOutput ?? request.model.maxOutput,
      ...(thinking === undefined ? {} : { thinkingConfig: thinking }),
    },
    contents: toContents(request, vendor),
  };
}
