import { anything } from './message-shapes.ts';
import { userBlock } from './output-shapes.ts';
import {
  type AnyShape,
  described,
  either,
  exactly,
  flag,
  list,
  object,
  shape,
  text,
  words,
} from './shape.ts';

const request = either(
  object({ subtype: exactly('initialize') }),
  object({ subtype: exactly('interrupt') }),
  object({
    subtype: exactly('set_permission_mode'),
    mode: words('plan', 'default', 'acceptEdits', 'bypassPermissions'),
  }),
  object({ subtype: exactly('set_model'), model: text }),
);

const answer = either(
  object({ behavior: exactly('allow') }, { updatedInput: anything, updatedPermissions: list(anything) }),
  object({ behavior: exactly('deny') }, { message: text, interrupt: flag }),
  object({}, { indexes: list(shape<number>({ type: 'integer' })), text, yes: flag }),
);

/** Every line of `stream-json` input by its name. */
export const inputShapes = {
  'input-user': described(
    object(
      {
        type: exactly('user'),
        message: object({ role: exactly('user'), content: either(text, list(userBlock)) }),
      },
      { uuid: text, session_id: text, priority: words('now', 'next', 'later') },
    ),
    'A prompt, or a message to the run that is going; with `"priority": "later"` it waits for its end.',
  ),
  'input-prompt': described(object({ type: exactly('prompt'), text }, { wait: flag }), 'The same, shorter.'),
  'input-interrupt': described(object({ type: exactly('interrupt') }), 'Stops the run.'),
  'input-permission': described(
    object(
      { type: exactly('permission'), id: text, allow: either(flag, words('session', 'project')) },
      { reason: text },
    ),
    'Answers a question about a call by its `request_id`.',
  ),
  'input-control-request': described(
    object({ type: exactly('control_request'), request_id: text, request }),
    'Asks for something beside the prompts.',
  ),
  'input-control-response': described(
    object({
      type: exactly('control_response'),
      response: either(
        object({ subtype: exactly('success'), request_id: text }, { response: answer }),
        object({ subtype: exactly('error'), request_id: text, error: text }),
      ),
    }),
    'Answers a `control_request`.',
  ),
} as const satisfies Readonly<Record<string, AnyShape>>;
