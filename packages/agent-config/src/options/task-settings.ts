import type { JsonObject } from '@robota-sdk/agent-core';

/**
 * Decides calls of a background agent that no rule allows. It never has more permissions than its session.
 * `inherit-allowlist`: asks the user, or denies without one. `preapproved`: denies without a question.
 * `prompt`: like the first, in every mode. `deny`: reads only.
 */
export type TaskPermissionPolicy = (typeof taskPermissionPolicies)[number];

const taskPermissionPolicies = ['inherit-allowlist', 'preapproved', 'prompt', 'deny'] as const;

/** Limits after which a background agent counts as stuck; 0 switches a limit off. */
export interface WatchdogLimits {
  /** Maximum silence. Waiting for the user's answer does not count. */
  readonly idleTimeoutMs: number;
  readonly maxRuntimeMs: number;
  /** Bytes of text and thinking. */
  readonly outputLimitBytes: number;
  readonly maxTextDeltas: number;
  /** This many characters in a row… */
  readonly repetitionWindow: number;
  /** …that are one text again and again, at least so often. */
  readonly repetitionThreshold: number;
}

/** How work in the background is done. */
export interface TaskSettings extends WatchdogLimits {
  /** Agents at work at the same time; more wait. */
  readonly maxConcurrent: number;
  readonly permissionPolicy: TaskPermissionPolicy;
}

export const defaultTaskSettings: TaskSettings = {
  maxConcurrent: 4,
  permissionPolicy: 'inherit-allowlist',
  idleTimeoutMs: 15 * 60_000,
  maxRuntimeMs: 4 * 60 * 60_000,
  outputLimitBytes: 8 * 1024 * 1024,
  maxTextDeltas: 500_000,
  repetitionWindow: 4000,
  repetitionThreshold: 20,
};

/** Makes settings of what a file says, whose shape has been checked; the rest is as usual. */
export function taskSettingsOf(value: JsonObject): TaskSettings {
  const named = Object.entries(value).filter(([name]) => Object.hasOwn(defaultTaskSettings, name));
  return { ...defaultTaskSettings, ...Object.fromEntries(named) };
}

const limit = (description: string, name: keyof WatchdogLimits) => ({
  type: 'number',
  minimum: 0,
  description,
  default: defaultTaskSettings[name],
});

/** The schema of `tasks` in a settings file. */
export const taskSettingsSchema = {
  type: 'object',
  properties: {
    maxConcurrent: {
      type: 'integer',
      minimum: 1,
      description: 'Agents at work at the same time; more wait.',
      default: defaultTaskSettings.maxConcurrent,
    },
    permissionPolicy: {
      type: 'string',
      enum: [...taskPermissionPolicies],
      description: 'What happens to calls of an agent in the background that no rule allows.',
      default: defaultTaskSettings.permissionPolicy,
    },
    idleTimeoutMs: limit('An agent from which nothing comes for so long is stopped.', 'idleTimeoutMs'),
    maxRuntimeMs: limit('An agent that works for longer is stopped.', 'maxRuntimeMs'),
    outputLimitBytes: limit('An agent that writes more is stopped.', 'outputLimitBytes'),
    maxTextDeltas: limit('An agent that writes more pieces of text is stopped.', 'maxTextDeltas'),
    repetitionWindow: limit('Characters in which an agent must not repeat itself.', 'repetitionWindow'),
    repetitionThreshold: limit('How often it must not say the same there.', 'repetitionThreshold'),
  },
  description: 'How work in the background is done; 0 switches a limit off.',
};
