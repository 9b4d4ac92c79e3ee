import { resolve } from 'node:path';
import {
  AgentError,
  errorMessage,
  type InteractiveSession,
  isPermissionMode,
  type JsonValue,
  list,
  object,
  optional,
  realDirectory,
  text,
  variants,
  words,
} from '@robota-sdk/agent-sdk/front-end';

const destination = { destination: optional(text) };
const updateShape = variants('type', {
  addRules: [
    {
      rules: list(object({ toolName: text }, { ruleContent: optional(text) })),
      behavior: words('allow', 'ask', 'deny'),
    },
    destination,
  ],
  setMode: [{ mode: text }, destination],
  addDirectories: [{ directories: list(text) }, destination],
});

/** Applies the changes of permissions in a program's answer; what cannot be applied is told. */
export function updatePermissions(
  session: InteractiveSession,
  updates: readonly JsonValue[],
  tell: (text: string) => void,
): void {
  for (const update of updates) {
    try {
      const place = apply(session, update);
      if (place !== undefined && !lastingOnlyHere.has(place))
        tell(`The permissions for "${place}" hold for this session only. Robota changes no file for them.`);
    } catch (thrown) {
      tell(`An entry of updatedPermissions has no effect. ${errorMessage(thrown)}`);
    }
  }
}

const lastingOnlyHere: ReadonlySet<string> = new Set(['session', 'cliArg']);

/** Returns where the change should have been written. */
function apply(session: InteractiveSession, written: JsonValue): string | undefined {
  const { permissions } = session;
  const update = updateShape.parse(written);
  if (!update) throw new AgentError('usage', 'Supported: addRules, setMode and addDirectories.');
  switch (update.type) {
    case 'addRules': {
      const rules = update.rules.map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
      );
      permissions.addRules({ [update.behavior]: rules });
      break;
    }
    case 'setMode':
      if (!isPermissionMode(update.mode)) throw new AgentError('usage', `Unknown mode "${update.mode}".`);
      permissions.choose(update.mode);
      break;
    case 'addDirectories':
      for (const directory of update.directories)
        permissions.addDirectory(realDirectory(resolve(session.place.cwd, directory)));
  }
  return update.destination;
}
