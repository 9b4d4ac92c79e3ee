import {
  AgentError,
  type InteractiveSession,
  isPermissionMode,
  type JsonObject,
  type JsonValue,
  permissionModes,
} from '@robota-sdk/agent-sdk';

/** Does what a program asks for beside its prompts, and answers; throws what the program can act on. */
export async function runControlRequest(
  session: InteractiveSession,
  request: JsonObject,
): Promise<JsonObject> {
  switch (request.subtype) {
    case 'initialize':
      assertHonoured(request);
      return descriptionOf(session);
    case 'interrupt':
      await session.abort();
      return {};
    case 'set_permission_mode':
      return setMode(session, request.mode);
    case 'set_model':
      return setModel(session, request.model);
    default: {
      const known = 'initialize, interrupt, set_permission_mode and set_model';
      throw new AgentError(
        'usage',
        `There is no request ${JSON.stringify(request.subtype ?? null)}; there are ${known}.`,
      );
    }
  }
}

/** What programs for Claude Code may ask for at the beginning and would rely on, and where it is told here. */
const elsewhere: readonly (readonly [field: string, place: string])[] = [
  ['hooks', 'in the settings'],
  ['sdkMcpServers', 'with --mcp-config'],
  ['agents', 'in .robota/agents'],
  ['systemPrompt', 'with --system-prompt'],
  ['appendSystemPrompt', 'with --append-system-prompt'],
];

/** A hook that would never run, or a prompt that would never be read, must not look as if it were taken. */
function assertHonoured(request: JsonObject): void {
  const asked = elsewhere.filter(([field]) => !isEmpty(request[field]));
  if (asked.length === 0) return;
  const places = asked.map(([field, place]) => `${field} ${place}`).join(', ');
  throw new AgentError(
    'usage',
    `The channel can not take this; give it where Robota looks for it: ${places}.`,
  );
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}

function setMode(session: InteractiveSession, mode: unknown): JsonObject {
  if (!isPermissionMode(mode))
    throw new AgentError(
      'usage',
      `The modes are ${permissionModes.join(', ')}, not ${JSON.stringify(mode ?? null)}.`,
    );
  session.permissions.mode = mode;
  return { mode };
}

async function setModel(session: InteractiveSession, name: unknown): Promise<JsonObject> {
  if (typeof name !== 'string') throw new AgentError('usage', 'set_model needs the name of a "model".');
  const { vendor, id } = await session.setModel(name);
  return { model: `${vendor}/${id}` };
}

function descriptionOf(session: InteractiveSession): JsonObject {
  return {
    commands: session.listCommands().map(({ name, description, argumentHint = '' }) => ({
      name,
      description,
      argumentHint,
    })),
    models: session.listModels().map(({ vendor, id, name }) => ({
      value: `${vendor}/${id}`,
      displayName: name,
      description: vendor,
    })),
    output_style: 'default',
    available_output_styles: ['default'],
  };
}
