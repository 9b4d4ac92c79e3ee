import {
  anything,
  apiKinds,
  either,
  exactly,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  type Problem,
  record,
  shape,
  text,
  words,
} from '@robota-sdk/agent-core';

/** Fields of every line about a session. */
export const frame = { session_id: text, uuid: text };

/** A warning or an error as data. */
export const problemShape = shape<Problem>(
  object(
    { code: text, severity: words('error', 'warning', 'info'), message: text },
    {
      template: text,
      values: record(either(text, number)),
      subject: text,
      source: object({ file: text }, { line: integer, column: integer }),
      hint: either(text, object({ run: list(text) }, { text })),
      details: list(text),
      isInactive: flag,
    },
  ).json,
);

export const errorCode = words(
  'aborted',
  'auth',
  'blocked',
  'budget',
  'certificate',
  'config',
  'context-overflow',
  'internal',
  'invalid-request',
  'max-cost',
  'max-time',
  'max-turns',
  'model-not-found',
  'network',
  'no-progress',
  'no-provider',
  'not-event-stream',
  'outside-workspace',
  'overloaded',
  'protocol',
  'quota',
  'rate-limit',
  'refusal',
  'replay',
  'refused-url',
  'schema',
  'server',
  'session',
  'session-closed',
  'session-in-use',
  'stalled',
  'tool',
  'unknown-command',
  'unknown-model',
  'unproven',
  'usage',
);

export const usage = object(
  { input: integer, output: integer, cacheRead: integer, cacheWrite: integer },
  { reasoning: integer },
);

export const modelRef = object({
  vendor: text,
  id: text,
  api: words(...apiKinds),
});

export const stopReason = words('end', 'tool-calls', 'length', 'pause', 'refusal', 'error', 'aborted');

const failure = object({ code: errorCode, message: text });

const textContent = object({ type: exactly('text'), text }, { vendorData: anything });
const imageContent = object({ type: exactly('image'), mimeType: text, data: text });
const userContent = either(textContent, imageContent);

export const toolCall = object(
  { type: exactly('tool-call'), id: text, name: text, input: anything },
  { invalid: text, raw: text, vendorData: anything },
);

export const serverTool = object({
  type: exactly('server-tool'),
  phase: words('call', 'result'),
  id: text,
  name: text,
  summary: text,
  vendorData: anything,
});

const thinkingContent = object({ type: exactly('thinking'), text }, { redacted: flag, vendorData: anything });

const diffLine = object(
  { kind: words('added', 'removed', 'context', 'gap'), text },
  { line: integer, noNewline: exactly(true), hidden: integer },
);

/** The part of an output that was not kept. */
export const omitted = object({ lines: integer, note: text });

const display = either(
  object(
    { kind: exactly('text'), text },
    { brief: text, tokens: number, calls: integer, cost: number, matches: integer, task: text },
  ),
  object(
    { kind: exactly('diff'), path: text, lines: list(diffLine) },
    {
      change: words('edit', 'create', 'delete', 'rename'),
      from: text,
      added: integer,
      removed: integer,
      more: integer,
    },
  ),
  object({ kind: exactly('file'), path: text, text, firstLine: integer }),
  object(
    { kind: exactly('terminal'), command: text, output: text, exitCode: nullable(integer) },
    { omitted },
  ),
  object({ kind: exactly('list'), items: list(text), total: integer }),
  object({ kind: exactly('todos'), items: list(object({ text, status: text })) }),
  object(
    { kind: exactly('plan'), text },
    { outcome: words('approved', 'presented'), mode: text, comments: text },
  ),
  object({ kind: exactly('image'), mimeType: text, data: text }, { path: text }),
);

const base = { id: text, parentId: nullable(text), timestamp: number };

/** How a call ended. */
export const toolStatus = words('success', 'error', 'denied', 'aborted');

/** The decision about a call that was asked about or refused. */
const permission = either(
  object({ kind: words('once', 'session', 'project') }),
  object({ kind: exactly('declined') }, { said: text }),
  object({ kind: exactly('rule'), rule: text }),
  object({ kind: exactly('mode'), mode: exactly('plan') }),
  object({ kind: exactly('skipped') }),
);

export const toolMessage = object(
  {
    ...base,
    role: exactly('tool'),
    toolCallId: text,
    toolName: text,
    content: list(userContent),
    status: toolStatus,
    isError: flag,
  },
  {
    durationMs: integer,
    exitCode: nullable(integer),
    permission,
    ran: object({ name: text, input: anything }),
    display,
  },
);

/** A message as sessions keep it and events tell it. */
export const message = either(
  object(
    { ...base, role: exactly('user'), content: list(userContent) },
    {
      origin: words('steering', 'follow-up', 'reminder', 'summary', 'command', 'pin', 'recall'),
      shown: text,
    },
  ),
  object(
    {
      ...base,
      role: exactly('assistant'),
      content: list(either(textContent, thinkingContent, toolCall, serverTool)),
      model: modelRef,
      usage,
      cost: number,
      stopReason,
    },
    { error: failure, note: text },
  ),
  toolMessage,
);

const pathProblem = words(
  'InvalidPath',
  'IsDirectory',
  'NameTooLong',
  'NotADirectory',
  'NotARegularFile',
  'NotFound',
  'OutsideWorkspace',
  'Sandboxed',
  'SymlinkLoop',
  'TooDeep',
);

/** An access of a call. */
export const access = either(
  object({ kind: exactly('read'), path: text, real: text }, { problem: pathProblem }),
  object({ kind: exactly('write'), path: text, real: text }, { problem: pathProblem }),
  object({ kind: exactly('search'), path: text, real: text }, { problem: pathProblem }),
  object({ kind: exactly('run'), command: text, cwd: text }),
  object({ kind: exactly('fetch'), url: text }),
  object({ kind: exactly('use'), name: text }),
);
