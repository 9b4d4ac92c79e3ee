import {
  AgentError,
  type InteractiveSession,
  isPermissionMode,
  type JsonObject,
  permissionModes,
} from '@robota-sdk/agent-sdk';

/** Does what a program asks for beside its prompts, and answers; throws what the program can act on. */
export async function runControlRequest(
  session: InteractiveSession,
  request: JsonObject,
): Promise<JsonObject> {
  switch (request.subtype) {
    case 'initialize':
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
