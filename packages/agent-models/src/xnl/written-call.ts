import type { JsonValue } from '@robota-sdk/agent-core';
import { type BlockProblem, TextElement, type XnlElement } from '@robota-sdk/xnl';
import { parseCall } from './parse-call.ts';
import type { ToolRoutes } from './tool-routes.ts';

/** A call that a model wrote into its text; `invalid` tells the model why it can't run. */
export interface WrittenCall {
  /** As written; nothing where there is none that could be used. */
  readonly id?: string;
  readonly name: string;
  readonly input: JsonValue;
  readonly invalid?: string;
}

/** The name of a call that tells nothing of its tool. */
const nameless = 'tool_call';

const form =
  'Write each call as <tool_call id="c1" lang="javascript" #> Namespace.tool({ … }) </#>, between !unquote_start and !unquote_end.';

/** Makes a call of an element of a block. */
export function writtenCall(element: XnlElement, routes: ToolRoutes): WrittenCall {
  if (element.tag !== 'tool_call') return refused(`The element <${element.tag}> is no call. ${form}`);
  const { id, lang } = element.metadata;
  const named = typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? { id } : {};
  if (!(element instanceof TextElement))
    return { ...named, ...refused(`The <tool_call> has no text: "#" is missing before its ">". ${form}`) };
  if (lang !== undefined && lang !== 'javascript' && lang !== 'js')
    return { ...named, ...refused('The lang of a <tool_call> must be "javascript".') };
  return { ...named, ...callIn(element.text, routes) };
}

/** Makes of a block that can't be used a call that is answered with the reason. */
export function callForProblem(problem: BlockProblem, message: string): WrittenCall {
  const prefix = problem === 'unclosed' ? 'The block was not finished' : 'The block cannot be used';
  return refused(`${prefix}, so nothing of this part was run. ${message}. ${form}`);
}

function callIn(code: string, routes: ToolRoutes): WrittenCall {
  const call = parseCall(code);
  if (!call.ok) {
    const advice = call.path === '' ? form : 'Send the call again.';
    const route = call.path === '' ? undefined : routes.find(call.path, {});
    return {
      name: route?.ok ? route.name : call.path || nameless,
      input: {},
      invalid: `${call.error} ${advice}`,
    };
  }
  const route = routes.find(call.path, call.input);
  if (route.ok) return { name: route.name, input: route.input };
  return { name: call.path, input: call.input, invalid: route.error };
}

function refused(invalid: string): WrittenCall {
  return { name: nameless, input: {}, invalid };
}
