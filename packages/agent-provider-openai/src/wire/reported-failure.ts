import { failureOfText, isJsonObject, type JsonObject, type ModelFailure } from '@robota-sdk/agent-core';
import { textAt } from './payload.ts';

/** Makes a failure of an error object that came inside a stream, in any of the shapes vendors use. */
export function reportedFailure(
  error: unknown,
  origin: { readonly vendor: string; readonly model: string },
): ModelFailure {
  const fields: JsonObject = isJsonObject(error) ? error : { message: String(error) };
  const type = [textAt(fields, 'type'), textAt(fields, 'code')].filter((part) => part !== '').join(' ');
  const text = textAt(fields, 'message') || (type === '' ? JSON.stringify(error).slice(0, 500) : '');
  const failure = failureOfText({ ...origin, status: statusOf(fields.code), type, text });
  const retryAfterMs = failure.retryable ? waitIn(text) : undefined;
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

function statusOf(code: unknown): number | undefined {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : undefined;
}

/** Inside a stream there are no headers: the wait stands in the sentence, as in "try again in 1.5s". */
function waitIn(text: string): number | undefined {
  const match = /try again in ([\d.]+)\s*(ms|s\b|sec)/i.exec(text);
  if (!match) return undefined;
  const amount = Number(match[1]);
  return Number.isFinite(amount) ? Math.ceil(match[2] === 'ms' ? amount : amount * 1000) : undefined;
}
