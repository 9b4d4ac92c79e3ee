import {
  type AnyShape,
  anything,
  described,
  describing,
  either,
  exactly,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  shape,
  text,
  words,
} from '@robota-sdk/agent-core';
import type { ResultObject } from '../output/result-object.ts';
import { frame, problemShape, toolStatus } from './message-shapes.ts';
import { statusShapes } from './status-shapes.ts';
import { taskShapes } from './task-shapes.ts';

const usage = object({
  input_tokens: integer,
  output_tokens: integer,
  cache_read_input_tokens: integer,
  cache_creation_input_tokens: integer,
  cache_creation: object({ ephemeral_5m_input_tokens: integer, ephemeral_1h_input_tokens: integer }),
  server_tool_use: object({ web_search_requests: integer, web_fetch_requests: integer }),
  service_tier: exactly('standard'),
});

const modelUsage = object({
  inputTokens: integer,
  outputTokens: integer,
  cacheReadInputTokens: integer,
  cacheCreationInputTokens: integer,
  webSearchRequests: integer,
  costUSD: number,
  contextWindow: integer,
  maxOutputTokens: integer,
});

const denial = object(
  { tool_name: text, tool_use_id: text, tool_input: anything, reason: text },
  { would_allow: list(text) },
);

const goal = object(
  {
    text,
    proven: flag,
    checks: list(
      object({
        command: text,
        passed: flag,
        exit_code: nullable(integer),
        duration_ms: number,
        output: text,
      }),
    ),
  },
  { check: text },
);

/** The object that ends a prompt, alone in `json`. */
const { result } = describing<{ readonly result: ResultObject }>()({
  result: object(
    {
      type: exactly('result'),
      subtype: words(
        'success',
        'error',
        'error_during_execution',
        'error_max_turns',
        'error_max_budget_usd',
        'error_max_structured_output_retries',
      ),
      is_error: flag,
      result: text,
      session_id: text,
      uuid: text,
      num_turns: integer,
      duration_ms: number,
      duration_api_ms: number,
      total_cost_usd: number,
      usage,
      modelUsage: shape<ResultObject['modelUsage']>({
        type: 'object',
        additionalProperties: modelUsage.json,
      }),
      permission_denials: shape<readonly Record<string, unknown>[]>(list(denial).json),
    },
    {
      interrupted: exactly(true),
      structured_output: shape<unknown>({}),
      data: shape<unknown>({}),
      error_code: text,
      error_subtype: words(
        'error_during_execution',
        'error_max_turns',
        'error_max_budget_usd',
        'error_max_structured_output_retries',
      ),
      api_error_status: nullable(integer),
      error: text,
      errors: list(text),
      resets_at: text,
      partial_result: text,
      stop_reason: nullable(words('end_turn', 'tool_use', 'max_tokens', 'pause_turn', 'refusal')),
      model: nullable(text),
      goal,
    },
  ),
});

const compaction = object(
  {
    type: exactly('compaction'),
    kind: words('summarised', 'pruned', 'dropped', 'unchanged'),
    reason: words('manual', 'threshold', 'overflow'),
    cost_usd: number,
  },
  {
    tokens_before: integer,
    tokens_after: integer,
    notice: text,
    items: list(
      object({
        message_id: text,
        fate: words('kept', 'summarised', 'pruned', 'dropped'),
        title: text,
        tokens: integer,
      }),
    ),
  },
);

const blockDelta = either(
  object({ type: exactly('text_delta'), text }),
  object({ type: exactly('thinking_delta'), thinking: text }),
  object({ type: exactly('input_json_delta'), partial_json: text }),
);

const streamed = either(
  object({ type: exactly('content_block_delta'), delta: blockDelta }, { index: integer }),
  object({ type: exactly('message_start'), message: anything }),
  object({ type: exactly('content_block_start'), index: integer, content_block: anything }),
  object({ type: exactly('content_block_stop'), index: integer }),
  object({ type: exactly('message_delta'), delta: anything, usage: anything }),
  object({ type: exactly('message_stop') }),
  object({ type: exactly('text_restart') }),
  compaction,
  object({ type: exactly('limit_wait'), model: text, error_code: text, resets_at: text }),
  object({ type: exactly('limit_end'), model: text }),
  object({ type: exactly('background_task_event'), background_task_event: taskShapes.task }),
  object({ type: exactly('background_job_group_event'), background_job_group_event: taskShapes.group }),
);

const base64 = object({ type: exactly('base64'), media_type: text, data: text });
const textBlock = object({ type: exactly('text'), text });
/** A block of a user message. */
export const userBlock = either(
  textBlock,
  object({ type: exactly('image'), source: base64 }),
  object({ type: exactly('document'), source: base64 }, { title: text }),
  object(
    {
      type: exactly('document'),
      source: object({ type: exactly('text'), data: text }, { media_type: text }),
    },
    { title: text },
  ),
);

const assistantBlock = either(
  textBlock,
  object({ type: exactly('thinking'), thinking: text, signature: text }),
  object({ type: exactly('tool_use'), id: text, name: text, input: anything }),
  object({ type: exactly('server_tool_use'), id: text, name: text, input: object({ summary: text }) }),
  object({ type: exactly('server_tool_result'), tool_use_id: text, content: text }),
);

const toolResult = object({
  type: exactly('tool_result'),
  tool_use_id: text,
  content: either(text, list(userBlock)),
  is_error: flag,
});

/** How the call ended whose result the line brings. */
const toolEnd = object({ status: toolStatus }, { duration_ms: integer, exit_code: nullable(integer) });

const suggestion = object({
  type: exactly('addRules'),
  rules: list(object({ toolName: text }, { ruleContent: text })),
  behavior: exactly('allow'),
  destination: words('session', 'localSettings'),
});

const question = either(
  object(
    { subtype: exactly('can_use_tool'), tool_name: text, input: anything, tool_use_id: text },
    { reason: text, would_allow: list(text), permission_suggestions: list(suggestion) },
  ),
  object(
    { subtype: exactly('ask_user'), kind: words('select', 'confirm', 'text'), title: text },
    { detail: text, options: list(object({ label: text }, { description: text })), multiple: flag },
  ),
  object({ subtype: exactly('hook_callback'), callback_id: text, input: anything }, { tool_use_id: text }),
  object({ subtype: exactly('mcp_message'), server_name: text, message: anything }),
  object(
    { subtype: exactly('elicitation'), mcp_server_name: text, message: text, mode: words('form', 'url') },
    { url: text, elicitation_id: text, requested_schema: anything },
  ),
);

/** Every line of `stream-json` output by its name. */
export const outputShapes = {
  result: described(result, 'A prompt or a command has ended.'),
  'stream-event': described(
    object(
      { type: exactly('stream_event'), event: streamed, ...frame },
      { parent_tool_use_id: nullable(text) },
    ),
    'A piece of text, a compaction, a wait for a rate limit, or an event of a background task.',
  ),
  init: described(
    object({
      type: exactly('system'),
      subtype: exactly('init'),
      cwd: text,
      model: text,
      permissionMode: words('plan', 'default', 'acceptEdits', 'bypassPermissions', 'dontAsk'),
      tools: list(text),
      slash_commands: list(text),
      agents: list(text),
      skills: list(text),
      plugins: list(object({ name: text, path: text, version: text })),
      mcp_servers: list(
        object({ name: text, status: words('connected', 'failed', 'needs-auth', 'pending', 'disabled') }),
      ),
      apiKeySource: text,
      problems: list(problemShape),
      capabilities: list(text),
      output_style: text,
      robota_version: text,
      claude_code_version: text,
      ...frame,
    }),
    'The first line if complete messages are printed.',
  ),
  task: described(
    object(
      {
        type: exactly('system'),
        subtype: words('task_started', 'task_progress', 'task_notification'),
        task_id: text,
        description: text,
        task_type: words('local_agent', 'local_bash'),
        ...frame,
      },
      {
        subagent_type: text,
        is_backgrounded: flag,
        spawn_depth: integer,
        prompt: text,
        usage: object({ total_tokens: integer, tool_uses: integer, duration_ms: integer }),
        last_tool_name: text,
        summary: text,
        status: words('completed', 'failed', 'stopped'),
        output_file: text,
      },
    ),
    'A background task has started, made a call, or ended.',
  ),
  tasks: described(
    object({
      type: exactly('system'),
      subtype: exactly('background_tasks_changed'),
      tasks: list(
        object(
          { task_id: text, description: text, task_type: words('local_agent', 'local_bash') },
          { subagent_type: text },
        ),
      ),
      ...frame,
    }),
    'All background tasks that have not ended.',
  ),
  ...statusShapes,
  hook: described(
    object(
      {
        type: exactly('system'),
        subtype: words('hook_started', 'hook_response'),
        hook_id: text,
        hook_name: text,
        hook_event: text,
        ...frame,
      },
      {
        output: text,
        stdout: text,
        stderr: text,
        outcome: words('success', 'error', 'cancelled'),
      },
    ),
    'A hook of the settings runs, or has ended (`includeHookEvents`).',
  ),
  suggestion: described(
    object({ type: exactly('prompt_suggestion'), suggestion: text, ...frame }),
    'A suggested next prompt (`promptSuggestions`).',
  ),
  'request-progress': described(
    object({
      type: exactly('system'),
      subtype: exactly('control_request_progress'),
      request_id: text,
      status: exactly('started'),
      ...frame,
    }),
    'A request of the program is in progress.',
  ),
  'prompt-state': described(
    object({
      type: exactly('command_lifecycle'),
      command_uuid: text,
      state: words('queued', 'started', 'completed', 'cancelled', 'discarded'),
      ...frame,
    }),
    'The state of a prompt that has a `uuid`.',
  ),
  'input-end': described(
    object({ type: exactly('system'), subtype: exactly('input_end'), ...frame }),
    'The input has ended while a prompt is running; it is finished first.',
  ),
  assistant: described(
    object(
      {
        type: exactly('assistant'),
        message: object({
          id: text,
          type: exactly('message'),
          role: exactly('assistant'),
          model: text,
          content: list(assistantBlock),
          stop_reason: nullable(words('end_turn', 'tool_use', 'max_tokens', 'pause_turn', 'refusal')),
          stop_sequence: exactly(null),
          usage,
        }),
        parent_tool_use_id: nullable(text),
        ...frame,
      },
      { error: text, error_code: text },
    ),
    'The complete answer of the model in a turn.',
  ),
  user: described(
    object(
      {
        type: exactly('user'),
        message: object({
          role: exactly('user'),
          content: either(text, list(either(toolResult, userBlock))),
        }),
        parent_tool_use_id: nullable(text),
        ...frame,
      },
      { isReplay: exactly(true), tool_end: toolEnd },
    ),
    'The result of a call, or a message of the program (`isReplay`).',
  ),
  error: described(
    object({ type: exactly('error'), error: text, ...frame }, { line: integer }),
    'An invalid input line, with its number.',
  ),
  'control-request': described(
    object({ type: exactly('control_request'), request_id: text, request: question, ...frame }),
    'Asks the program to allow a call, answer a question, or run one of its hooks or MCP servers.',
  ),
  'control-cancel': described(
    object({ type: exactly('control_cancel_request'), request_id: text, ...frame }),
    'A question was withdrawn.',
  ),
  'control-response': described(
    object({
      type: exactly('control_response'),
      response: either(
        object(
          { subtype: exactly('success'), request_id: text, response: shape<object>({ type: 'object' }) },
          { pending_permission_requests: list(anything), pending_user_dialog_requests: list(anything) },
        ),
        object({ subtype: exactly('error'), request_id: text, error: text, error_code: text }),
      ),
    }),
    'The answer to a request of the program.',
  ),
} as const satisfies Readonly<Record<string, AnyShape>>;
