import {
  type HookAnswer,
  type HookExecutor,
  type JsonObject,
  parseHookOutput,
} from '@robota-sdk/agent-sdk/front-end';
import type { ControlChannel } from './control-channel.ts';

/** Seconds the program may take to answer, where it does not say. */
const defaultTimeout = 60;

/** Runs hooks of the type `callback`: functions of the program, which are called by their ids over the channel. */
export function callbackHook(channel: ControlChannel): HookExecutor {
  return {
    timeout: defaultTimeout,
    run: async ({ definition, payload, signal }) => {
      const request: JsonObject = {
        subtype: 'hook_callback',
        callback_id: String(definition.callback_id),
        input: payload,
        ...(typeof payload.tool_use_id === 'string' ? { tool_use_id: payload.tool_use_id } : {}),
      };
      // The session outlives its program, which is no failure of the program's hook.
      if (payload.hook_event_name === 'SessionEnd' && !channel.isOpen) return {};
      // `SessionStart` runs while the session opens.
      await channel.opened;
      const answer = await channel.request(request, signal);
      if (answer?.ok) return answerOf(answer.response);
      const problem = answer ? answer.error : 'it did not answer in time';
      if (definition.onFailure === 'block') return { block: `a hook of the program failed: ${problem}` };
      throw new Error(problem);
    },
  };
}

/** An answer that comes later has nothing to say now. */
function answerOf(response: JsonObject): HookAnswer {
  return response.async === true ? {} : parseHookOutput(JSON.stringify(response));
}
