import {
  type AnsweredCall,
  type AssistantContent,
  type AssistantMessage,
  type Exchange,
  exchangesOf,
  isJsonObject,
  type JsonObject,
  type ModelRequest,
  type ToolMessage,
  type UserContent,
} from '@robota-sdk/agent-core';
import { readVendorData } from './vendor-data.ts';

interface GoogleContent {
  readonly role: 'user' | 'model';
  readonly parts: JsonObject[];
}

/** The signature that Google documents for a call of another model. */
const foreignCallSignature = 'skip_thought_signature_validator';

/** Turns the conversation into alternating user and model contents, with every call answered right after it. */
export function toContents(request: ModelRequest, vendor: string): readonly JsonObject[] {
  return new ContentsBuilder(request, vendor).build();
}

class ContentsBuilder {
  readonly #request: ModelRequest;
  readonly #vendor: string;
  readonly #contents: GoogleContent[] = [];
  constructor(request: ModelRequest, vendor: string) {
    this.#request = request;
    this.#vendor = vendor;
  }

  build(): readonly JsonObject[] {
    for (const exchange of exchangesOf(this.#request.messages)) this.#exchange(exchange);
    // The API wants a user first; a history cut in the middle of an answer has none.
    if (this.#contents[0]?.role === 'model') this.#contents.unshift({ role: 'user', parts: [{ text: '…' }] });
    return this.#contents.map((content) => ({ role: content.role, parts: content.parts }));
  }

  #exchange(exchange: Exchange): void {
    const { kind, message } = exchange;
    if (kind === 'user') return this.#append('user', this.#userParts(message.content));
    if (kind === 'stray-result') return this.#strayResult(message);
    const isOwn = message.model.vendor === this.#vendor && message.model.id === this.#request.model.id;
    this.#append('model', this.#assistantParts(message, isOwn));
    this.#append('user', this.#answers(exchange.calls, isOwn));
  }

  #append(role: GoogleContent['role'], parts: readonly JsonObject[]): void {
    if (parts.length === 0) return;
    const last = this.#contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else this.#contents.push({ role, parts: [...parts] });
  }

  #userParts(content: readonly UserContent[]): JsonObject[] {
    const parts: JsonObject[] = [];
    for (const block of content) {
      if (block.type === 'image') parts.push(this.#image(block));
      else if (block.text !== '') parts.push({ text: block.text });
    }
    return parts;
  }

  #image(block: Extract<UserContent, { type: 'image' }>): JsonObject {
    if (this.#request.model.images) return { inlineData: { mimeType: block.mimeType, data: block.data } };
    return { text: `[an image, ${block.mimeType}: this model can't see images]` };
  }

  #assistantParts(message: AssistantMessage, isOwn: boolean): JsonObject[] {
    const parts: JsonObject[] = [];
    for (const block of message.content) {
      const part = toPart(block, isOwn);
      if (part) parts.push(part);
    }
    const firstCall = parts.findIndex((part) => 'functionCall' in part);
    const call = parts[firstCall];
    if (call && this.#checksSignatures && !('thoughtSignature' in call)) {
      parts[firstCall] = { ...call, thoughtSignature: foreignCallSignature };
    }
    return parts;
  }

  /** From Gemini 3 on the first call of an answer must carry a signature; those are the models with levels. */
  get #checksSignatures(): boolean {
    const { thinking } = this.#request.model;
    return thinking === 'effort' || thinking === 'adaptive' || thinking === 'always';
  }

  /** The results of a message's calls in the order of the calls, then the images that don't fit into them. */
  #answers(calls: readonly AnsweredCall[], isOwn: boolean): JsonObject[] {
    const images: JsonObject[] = [];
    const answers = calls.map(({ call, result }) => {
      const id = isOwn ? readVendorData(call.vendorData).callId : undefined;
      const { response, parts } = this.#answer(result);
      if (!this.#checksSignatures) images.push(...parts);
      const nested = this.#checksSignatures && parts.length > 0 ? { parts } : {};
      return {
        functionResponse: { ...(id === undefined ? {} : { id }), name: call.name, response, ...nested },
      };
    });
    return [...answers, ...images];
  }

  #answer(result: ToolMessage | undefined): { response: JsonObject; parts: JsonObject[] } {
    if (!result) return { response: { error: 'No result: the call was interrupted.' }, parts: [] };
    const all = this.#userParts(result.content);
    const texts = all.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
    const parts = all.filter((part) => 'inlineData' in part);
    return { response: { [result.isError ? 'error' : 'output']: texts.join('\n') }, parts };
  }

  /** A result whose call is not in the conversation would be refused as a result; its text still counts. */
  #strayResult(message: ToolMessage): void {
    this.#append('user', [{ text: `Result of ${message.toolName}:` }, ...this.#userParts(message.content)]);
  }
}

function toPart(block: AssistantContent, isOwn: boolean): JsonObject | undefined {
  const vendorData = isOwn ? readVendorData(block.vendorData) : {};
  const signature = vendorData.signature === undefined ? {} : { thoughtSignature: vendorData.signature };
  switch (block.type) {
    case 'text':
      return block.text === '' && vendorData.signature === undefined
        ? undefined
        : { text: block.text, ...signature };
    case 'thinking':
      if (vendorData.signature === undefined) return undefined;
      return { text: block.text, ...(vendorData.isText ? {} : { thought: true }), ...signature };
    case 'tool-call': {
      const id = vendorData.callId === undefined ? {} : { id: vendorData.callId };
      return {
        functionCall: { ...id, name: block.name, args: isJsonObject(block.input) ? block.input : {} },
        ...signature,
      };
    }
    case 'server-tool':
      return { text: `[${block.name}: ${block.summary}]` };
  }
}
