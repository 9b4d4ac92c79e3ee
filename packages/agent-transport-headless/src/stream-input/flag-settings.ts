import { AgentError, isJsonObject, thinkingOfEffort } from '@robota-sdk/agent-sdk/front-end';
import type { ControlHandler } from './control-subject.ts';

/** Settings that can change while a session is open. */
const changeable = ['model', 'effortLevel', 'permissions', 'language'];

/** Changes settings of an open session; all of them, or none with an error. */
export const flagSettings: ControlHandler = async ({ session, first }, { settings }) => {
  if (!isJsonObject(settings)) throw new AgentError('usage', 'apply_flag_settings needs "settings".');
  const fixed = Object.keys(settings).filter((key) => !changeable.includes(key));
  if (fixed.length > 0)
    throw new AgentError(
      'usage',
      `These settings cannot change in an open session: ${fixed.join(', ')}. Available: ${changeable.join(', ')}.`,
    );
  const { model, effortLevel, ...rest } = settings;
  const level = typeof effortLevel === 'string' ? thinkingOfEffort(effortLevel) : first.thinking;
  if (level === undefined)
    throw new AgentError('usage', `Unknown effortLevel ${JSON.stringify(effortLevel)}.`);
  if (Object.keys(rest).length > 0) await session.applySettings(rest);
  if (typeof model === 'string') await session.setModel(model);
  if (model === null) session.useModel(first.model);
  if (effortLevel !== undefined) await session.setThinking(level);
  return {};
};
