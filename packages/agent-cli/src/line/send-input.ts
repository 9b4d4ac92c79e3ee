import {
  type DispatchOptions,
  dispatchInput,
  type InputResult,
  type InteractiveSession,
  readInput,
} from '@robota-sdk/agent-sdk/front-end';
import type { TypedInput } from '../ask/pasted-text.ts';

/** Does what an input asks for. What was typed may be a command or name files; pasted lines are only told. */
export async function sendInput(
  session: InteractiveSession,
  { typed, pasted }: TypedInput,
  options: DispatchOptions = {},
): Promise<InputResult> {
  if (pasted === '') return dispatchInput(session, typed, options);
  // A shell's command has no part that is only told: who types its mark wants all of it to run.
  if (readInput(session, typed).kind === 'shell') return dispatchInput(session, typed + pasted, options);
  if (typed.trim() !== '') {
    const words = typed.trimEnd();
    return dispatchInput(session, words, { ...options, suffix: typed.slice(words.length) + pasted });
  }
  return dispatchInput(session, pasted, { ...options, pasted: [{ start: 0, end: pasted.length }] });
}
