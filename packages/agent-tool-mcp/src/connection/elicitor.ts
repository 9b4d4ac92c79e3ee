import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import { type Answer, isJsonObject, type JsonValue, type UserInterface } from '@robota-sdk/agent-core';
import type { ElicitationAnswers } from './default-answers.ts';
import {
  chosenValue,
  type ElicitationField,
  formFields,
  questionFor,
  typedValue,
} from './elicitation-field.ts';

export interface ElicitorOptions {
  readonly server: string;
  readonly ui: UserInterface;
  openUrl?(url: string): void | Promise<void>;
  /** Called before the user is asked; the returned function is called after the answer. */
  onAsk(): () => void;
}

const maxAttempts = 5;

/** Asks the user for the values a server requests, field by field, always naming the server. */
export class Elicitor implements ElicitationAnswers {
  readonly capability = { form: { applyDefaults: true }, url: {} };
  readonly #options: ElicitorOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ElicitorOptions) {
    this.#options = options;
  }

  /** One question at a time, even if several servers ask. */
  answer(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const asked = this.#last.then(async () => {
      const answered = this.#options.onAsk();
      try {
        return 'url' in params
          ? await this.#visit(params.message, params.url, signal)
          : await this.#fill(params, signal);
      } finally {
        answered();
      }
    });
    this.#last = asked.catch(() => {});
    return asked;
  }

  async #visit(message: string, url: string, signal: AbortSignal): Promise<ElicitResult> {
    const host = hostOf(url);
    if (host === undefined) return { action: 'decline' };
    const { server, ui } = this.#options;
    const answer = await ui.ask(
      {
        kind: 'select',
        title: `The MCP server "${server}" asks you to visit a page of ${host}`,
        detail: `${message}\n${url}`,
        options: [
          { label: 'Open it', means: 'yes' },
          { label: 'Decline', means: 'no' },
        ],
      },
      signal,
    );
    const action = actionOf(answer);
    if (action === 'accept') await this.#options.openUrl?.(url);
    return { action };
  }

  async #fill(
    { message, requestedSchema }: Extract<ElicitRequestParams, { requestedSchema: unknown }>,
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    const { server, ui } = this.#options;
    const schema: unknown = requestedSchema;
    const fields = formFields(isJsonObject(schema) ? schema : {});
    const names = fields.map(({ name, schema }) => (typeof schema.title === 'string' ? schema.title : name));
    const answer = await ui.ask(
      {
        kind: 'select',
        title: `The MCP server "${server}" asks for information`,
        detail: [message, ...(names.length === 0 ? [] : [`It asks for: ${names.join(', ')}`])].join('\n'),
        options: [
          { label: fields.length === 0 ? 'Agree' : 'Answer', means: 'yes' },
          { label: 'Decline', means: 'no' },
        ],
      },
      signal,
    );
    const action = actionOf(answer);
    if (action !== 'accept') return { action };
    const content: Record<string, JsonValue> = {};
    for (const field of fields) {
      const value = await this.#ask(field, message, signal);
      if (value === 'cancelled') return { action: 'cancel' };
      if (value !== undefined) content[field.name] = value.value;
    }
    return { action: 'accept', content: content as NonNullable<ElicitResult['content']> };
  }

  /** The value of a field, nothing where it is left out; a wrong one is asked for again, with the reason. */
  async #ask(
    field: ElicitationField,
    message: string,
    signal: AbortSignal,
  ): Promise<{ readonly value: JsonValue } | undefined | 'cancelled'> {
    let about = message;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const answer = await this.#options.ui.ask(questionFor(field, about), signal);
      const taken =
        answer.kind === 'selected'
          ? chosenValue(field, answer.indexes)
          : answer.kind === 'text'
            ? typedValue(field, answer.text)
            : undefined;
      if (!taken) return 'cancelled';
      if (taken.kind === 'left-out') return undefined;
      if (taken.kind === 'value') return taken;
      about = `${taken.problem}\n${message}`;
    }
    return 'cancelled';
  }
}

function actionOf(answer: Answer): ElicitResult['action'] {
  if (answer.kind === 'confirmed') return answer.yes ? 'accept' : 'decline';
  if (answer.kind !== 'selected') return 'cancel';
  return answer.indexes[0] === 0 ? 'accept' : 'decline';
}

/** Only pages of the web are opened. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? host : undefined;
}
