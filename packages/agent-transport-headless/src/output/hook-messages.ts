import { randomUUID } from 'node:crypto';
import type { HookExecutor, HookExecutors, JsonObject } from '@robota-sdk/agent-sdk/front-end';

/** Tells of hooks that run: each has a line when it begins and one when it has ended. */
export class HookMessages {
  /** Lines of hooks that ran before there was an output, such as `SessionStart`. */
  readonly #early: JsonObject[] = [];
  #write = (line: JsonObject): void => void this.#early.push(line);

  /** Writes to a session's output from now on. */
  connect(write: (line: JsonObject) => void): void {
    this.#write = write;
    for (const line of this.#early.splice(0)) write(line);
  }

  /** The same executors, each of whose runs is told. */
  watch(executors: HookExecutors): HookExecutors {
    const entries = Object.entries(executors).map(([type, executor]) => [type, this.#watched(executor)]);
    return Object.fromEntries(entries);
  }

  #watched(executor: HookExecutor): HookExecutor {
    return {
      ...executor,
      run: async (call) => {
        const { definition, payload, signal } = call;
        const about = {
          type: 'system',
          hook_id: randomUUID(),
          hook_name: String(
            definition.command ?? definition.url ?? definition.callback_id ?? definition.type,
          ),
          hook_event: String(payload.hook_event_name ?? ''),
        };
        this.#write({ ...about, subtype: 'hook_started' });
        const end = (
          outcome: 'success' | 'error' | 'cancelled',
          [output, stderr]: readonly [string, string],
        ) =>
          this.#write({
            ...about,
            subtype: 'hook_response',
            outcome,
            output,
            stdout: output,
            stderr,
          });
        try {
          const answer = await executor.run(call);
          const { text, context, reason, block, stop } = answer;
          const refusal = block ?? stop;
          if (refusal === undefined) end('success', [text ?? context ?? reason ?? '', '']);
          else end('error', ['', refusal]);
          return answer;
        } catch (thrown) {
          const message = thrown instanceof Error ? thrown.message : String(thrown);
          end(signal.aborted ? 'cancelled' : 'error', ['', message]);
          throw thrown;
        }
      },
    };
  }
}
