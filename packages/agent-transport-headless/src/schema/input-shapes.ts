import {
  type AnyShape,
  anything,
  described,
  either,
  exactly,
  flag,
  list,
  nullable,
  object,
  shape,
  text,
  words,
} from '@robota-sdk/agent-core';
import { userBlock } from './output-shapes.ts';

const hookGroup = object(
  { hookCallbackIds: list(text) },
  {
    matcher: nullable(text),
    timeout: shape<number>({ type: 'number' }),
    onFailure: words('continue', 'block'),
  },
);

const wishes = {
  hooks: nullable(shape<object>({ type: 'object', additionalProperties: list(hookGroup).json })),
  agents: anything,
  systemPrompt: either(text, list(text)),
  appendSystemPrompt: text,
  sdkMcpServers: list(text),
  skills: list(text),
  plugins: list(object({ type: exactly('local'), path: text })),
  jsonSchema: anything,
  title: text,
  planModeInstructions: text,
  excludeDynamicSections: flag,
  forwardSubagentText: flag,
  agentProgressSummaries: flag,
  promptSuggestions: flag,
};

const request = either(
  object({ subtype: exactly('initialize') }, wishes),
  object({
    subtype: words(
      'end_session',
      'export_conversation',
      'get_context_usage',
      'get_hooks_listing',
      'get_plan',
      'get_session_cost',
      'get_status',
      'get_usage',
      'get_workspace_diff',
      'list_models',
      'mcp_status',
      'reload_plugins',
      'reload_skills',
      'reload_output_styles',
    ),
  }),
  object({
    subtype: exactly('set_permission_mode'),
    mode: words('plan', 'default', 'acceptEdits', 'bypassPermissions', 'dontAsk'),
  }),
  object({ subtype: exactly('set_model') }, { model: nullable(text) }),
  object({ subtype: exactly('set_max_thinking_tokens') }, { max_thinking_tokens: anything }),
  object({ subtype: exactly('rewind_files'), user_message_id: text }, { dry_run: flag }),
  object({ subtype: exactly('apply_flag_settings'), settings: anything }),
  object({ subtype: exactly('interrupt') }, { cancel_queued: flag }),
  object({ subtype: exactly('side_question'), question: text }),
  object({
    subtype: exactly('update_settings'),
    source: words('userSettings', 'localSettings'),
    settings: object({}, { effortLevel: text, outputStyle: text }),
  }),
  object({ subtype: exactly('seed_read_state'), path: text, mtime: shape<number>({ type: 'number' }) }),
  object(
    { subtype: exactly('read_file'), path: text },
    { max_bytes: shape<number>({ type: 'integer' }), encoding: words('utf-8', 'base64') },
  ),
  object({ subtype: exactly('file_suggestions'), query: text }),
  object({ subtype: words('stop_task', 'get_task_output'), task_id: text }),
  object({ subtype: exactly('register_repo_root'), directory: text }),
  object({ subtype: exactly('set_color'), color: text }),
  object({ subtype: exactly('set_cwd'), path: text }, { trust_accepted: flag, trusted_directory: text }),
  object({ subtype: exactly('set_has_subscribers'), has_subscribers: nullable(flag) }),
  object({ subtype: exactly('set_prompt_suggestions_paused'), paused: flag }),
  object({ subtype: exactly('mcp_call'), tool: text }, { arguments: anything }),
  object({
    subtype: exactly('set_mcp_permission_mode_override'),
    serverName: text,
    mode: nullable(words('default', 'auto')),
  }),
  object({ subtype: exactly('mcp_set_servers'), servers: anything }),
  object({ subtype: exactly('mcp_reconnect'), serverName: text }),
  object({ subtype: exactly('mcp_toggle'), serverName: text, enabled: flag }),
  object({ subtype: exactly('mcp_read_resource'), serverName: text, uri: text }),
  object({ subtype: exactly('mcp_message'), server_name: text, message: anything }),
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
      { uuid: text, session_id: text, priority: words('now', 'next', 'later'), client_composed: flag },
    ),
    'A prompt, or a message to the current run; with `"priority": "later"` it waits until the run ends.',
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
    'A request other than a prompt.',
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
