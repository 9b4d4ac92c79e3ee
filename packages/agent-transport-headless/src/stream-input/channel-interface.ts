import { isDeepStrictEqual } from 'node:util';
import {
  type Answer,
  type AskedCall,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Notice,
  type Question,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import type { ControlChannel } from './control-channel.ts';
import { questionToolAnswer, questionToolRequest } from './question-tool.ts';

/** Asks the program at the other end of a channel instead of a user. While it is closed, nothing is asked. */
export class ChannelInterface implements UserInterface {
  readonly #channel: ControlChannel;
  /** Stops the run; set once there is a session to speak for. */
  interrupt: () => void = () => {};
  /** Applies what an answer changes besides the call; set with `interrupt`. */
  update: (updates: readonly JsonValue[]) => void = () => {};
  /** The program speaks as the SDKs of Claude Code do: a question is a call of AskUserQuestion, which it answers. */
  asksByTool = false;

  constructor(channel: ControlChannel) {
    this.#channel = channel;
  }

  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    const { about } = question.kind === 'select' ? question : {};
    const request = about ? permissionRequest(about) : this.#requestFor(question);
    const answer = await this.#channel.request(request, signal);
    if (!answer) return { kind: 'dismissed' };
    if (!answer.ok) return { kind: 'unavailable' };
    if (!about)
      return this.asksByTool
        ? questionToolAnswer(answer.response, question)
        : questionAnswer(answer.response);
    if (answer.response.behavior !== 'allow' && answer.response.interrupt === true) this.interrupt();
    if (answer.response.behavior === 'allow') this.update(ownUpdates(answer.response, about));
    return permissionAnswer(answer.response, about);
  }

  #requestFor(question: Question): JsonObject {
    return this.asksByTool ? questionToolRequest(question) : questionRequest(question);
  }

  notify(_notice: Notice): void {
    // Notices are events of the session, which are told on their own.
  }
}

const destinations = { session: 'session', project: 'localSettings' } as const;

function suggestionsFor({ rules, holds, sessionMode }: AskedCall): JsonObject[] {
  return (['session', 'project'] as const)
    .filter((hold) => holds.includes(hold))
    .map((hold) =>
      hold === 'session' && sessionMode !== undefined
        ? modeUpdate(sessionMode)
        : {
            type: 'addRules',
            rules: rules.map(ruleObject),
            behavior: 'allow',
            destination: destinations[hold],
          },
    );
}

function modeUpdate(mode: string): JsonObject {
  return { type: 'setMode', mode, destination: 'session' };
}

function permissionRequest(about: AskedCall): JsonObject {
  const { call, rules, reason } = about;
  return {
    subtype: 'can_use_tool',
    tool_name: call.name,
    input: call.input,
    tool_use_id: call.id,
    reason,
    would_allow: [...rules],
    permission_suggestions: suggestionsFor(about),
  };
}

function ruleObject(rule: string): JsonObject {
  const [, toolName = rule, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(rule) ?? [];
  return { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) };
}

/** Converts a program's answer about a call. */
export function permissionAnswer(response: JsonObject, about: AskedCall): Answer {
  const { call, holds } = about;
  const choose = (hold: AskedCall['holds'][number], text?: string) => {
    const index = holds.indexOf(hold);
    return {
      kind: 'selected',
      indexes: index < 0 ? [] : [index],
      ...(text === undefined ? {} : { text }),
    } as const;
  };
  if (response.behavior !== 'allow')
    return choose('deny', typeof response.message === 'string' ? response.message : undefined);
  const { updatedInput } = response;
  // Rules are about the call that was asked about, so a yes to another holds for that one alone.
  if (isJsonObject(updatedInput) && !isDeepStrictEqual(updatedInput, call.input))
    return { ...choose('once'), input: updatedInput };
  const hold = holdOf(response, about);
  return holds.includes(hold) ? choose(hold) : choose('once');
}

/** For how long a yes holds: as it says, or by the rules it gives back. */
function holdOf(
  { hold, updatedPermissions }: JsonObject,
  { rules, sessionMode }: AskedCall,
): 'once' | 'session' | 'project' {
  if (hold === 'session' || hold === 'project') return hold;
  const updates = Array.isArray(updatedPermissions) ? updatedPermissions : [];
  const suggested = rules.map(ruleObject);
  const isOurs = (update: JsonValue, destination: string) =>
    isJsonObject(update) &&
    update.type === 'addRules' &&
    update.behavior === 'allow' &&
    update.destination === destination &&
    isDeepStrictEqual(update.rules, suggested);
  if (updates.some((update) => isOurs(update, destinations.project))) return 'project';
  if (sessionMode !== undefined)
    return updates.some((update) => isDeepStrictEqual(update, modeUpdate(sessionMode))) ? 'session' : 'once';
  return updates.some((update) => isOurs(update, destinations.session)) ? 'session' : 'once';
}

/** The changes of permissions that are not among those suggested. */
function ownUpdates({ updatedPermissions }: JsonObject, about: AskedCall): readonly JsonValue[] {
  if (!Array.isArray(updatedPermissions)) return [];
  const suggested = suggestionsFor(about);
  return updatedPermissions.filter(
    (update: JsonValue) => !suggested.some((each) => isDeepStrictEqual(each, update)),
  );
}

function questionRequest(question: Question): JsonObject {
  const { kind, title, detail } = question;
  const shown = { subtype: 'ask_user', kind, title, ...(detail === undefined ? {} : { detail }) };
  if (question.kind !== 'select') return shown;
  const options = question.options.map(({ label, description }) => ({
    label,
    ...(description === undefined ? {} : { description }),
  }));
  return { ...shown, options, multiple: question.multiple ?? false };
}

function questionAnswer({ indexes, text, yes }: JsonObject): Answer {
  if (typeof yes === 'boolean') return { kind: 'confirmed', yes };
  const chosen = Array.isArray(indexes) ? indexes.filter((index) => typeof index === 'number') : undefined;
  const words = typeof text === 'string' ? { text } : {};
  if (chosen) return { kind: 'selected', indexes: chosen, ...words };
  return typeof text === 'string' ? { kind: 'text', text } : { kind: 'dismissed' };
}
