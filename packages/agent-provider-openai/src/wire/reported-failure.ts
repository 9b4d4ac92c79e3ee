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
  return failureOfText({ ...origin, status: statusOf(fields.code), type, text, body: fields });
}

function statusOf(code: unknown): number | undefined {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : undefined;
}
