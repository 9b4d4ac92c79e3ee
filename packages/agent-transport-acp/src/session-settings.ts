import {
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk';
import {
  errorMessage,
  type InteractiveSession,
  isPermissionMode,
  type PermissionMode,
  permissionModes,
  thinkingLevels,
} from '@robota-sdk/agent-sdk/front-end';

const modeTexts: Readonly<Record<PermissionMode, readonly [name: string, description: string]>> = {
  plan: ['Plan', 'Only read'],
  default: ['Ask', 'Ask before changing files and running commands'],
  acceptEdits: ['Accept edits', 'Edit files in the workspace without asking'],
  bypassPermissions: ['Bypass permissions', 'Ask nothing'],
};

/** The permission modes, as the modes of an editor. */
export function modesOf({ permissions }: InteractiveSession): SessionModeState {
  return {
    currentModeId: permissions.mode,
    availableModes: permissionModes
      .filter((id) => id !== 'bypassPermissions' || permissions.mayBypass)
      .map((id) => ({ id, name: modeTexts[id][0], description: modeTexts[id][1] })),
  };
}

/** The choices of an editor for a session: mode, model and thinking. */
export function configOptionsOf(
  session: InteractiveSession,
  vendors: ReadonlySet<string>,
): SessionConfigOption[] {
  const { model, thinking } = session;
  const models = session
    .listModels()
    .filter(({ vendor, id }) => vendors.has(vendor) || (vendor === model.vendor && id === model.id));
  const isListed = models.some(({ vendor, id }) => vendor === model.vendor && id === model.id);
  const { currentModeId, availableModes } = modesOf(session);
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: currentModeId,
      options: availableModes.map(({ id, name, description = null }) => ({ value: id, name, description })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: `${model.vendor}/${model.id}`,
      options: (isListed ? models : [model, ...models]).map(({ vendor, id, name }) => ({
        value: `${vendor}/${id}`,
        name,
        description: vendor,
      })),
    },
    {
      type: 'select',
      id: 'thinking',
      name: 'Thinking',
      category: 'thought_level',
      currentValue: thinking,
      options: thinkingLevels.map((level) => ({ value: level, name: level })),
    },
  ];
}

/** Changes the mode of a session. */
export function setMode(session: InteractiveSession, mode: string): void {
  if (!isPermissionMode(mode))
    throw RequestError.invalidParams({ mode }, `the modes are ${permissionModes.join(', ')}`);
  try {
    session.permissions.choose(mode);
  } catch (thrown) {
    throw RequestError.invalidParams({ mode }, errorMessage(thrown));
  }
}

/** Carries out a choice of `configOptionsOf`. */
export async function setConfigOption(
  session: InteractiveSession,
  request: SetSessionConfigOptionRequest,
): Promise<void> {
  const { configId } = request;
  const value = String(request.value);
  switch (configId) {
    case 'mode':
      return setMode(session, value);
    case 'model':
      await session.setModel(value).catch((thrown: unknown) => {
        throw RequestError.invalidParams({ model: value }, errorMessage(thrown));
      });
      return;
    case 'thinking': {
      const level = thinkingLevels.find((each) => each === value);
      if (!level) throw RequestError.invalidParams({ value }, `choose one of ${thinkingLevels.join(', ')}`);
      return session.setThinking(level);
    }
    default:
      throw RequestError.invalidParams({ configId }, 'there are mode, model and thinking');
  }
}
