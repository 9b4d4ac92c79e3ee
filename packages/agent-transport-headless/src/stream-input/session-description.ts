import { type InteractiveSession, type JsonObject, sessionInventory } from '@robota-sdk/agent-sdk/front-end';
import type { ControlSubject } from './control-subject.ts';

/** The description of a session in the answer to initialize. */
export function descriptionOf({ session, version }: Pick<ControlSubject, 'session' | 'version'>): JsonObject {
  const { agents, plugins, keySource } = sessionInventory(session);
  return {
    commands: commandsOf(session),
    models: describeModels(session),
    agents: agents.map((agent) => ({ ...agent })),
    plugins: plugins.map((plugin) => ({ ...plugin })),
    account: { apiKeySource: keySource },
    output_style: 'default',
    available_output_styles: ['default'],
    hooks_applied: true,
    hook_on_failure_supported: true,
    plugins_applied: true,
    mcp_servers_applied: true,
    robota_version: version,
    claude_code_version: version,
  };
}

export function commandsOf(session: InteractiveSession): JsonObject[] {
  return session.listCommands().map(({ name, description, argumentHint = '', aliases = [] }) => ({
    name,
    description,
    argumentHint,
    ...(aliases.length === 0 ? {} : { aliases: [...aliases] }),
  }));
}

export function describeModels(session: InteractiveSession): JsonObject[] {
  return session.listModels().map(({ vendor, id, name }) => ({
    value: `${vendor}/${id}`,
    displayName: name,
    description: vendor,
  }));
}

/** The usage of a session so far. */
export function describeUsage({ session, usage }: Pick<ControlSubject, 'session' | 'usage'>): JsonObject {
  return {
    session: {
      total_cost_usd: session.totals.cost,
      total_api_duration_ms: 0,
      total_duration_ms: Math.round(process.uptime() * 1000),
      total_lines_added: 0,
      total_lines_removed: 0,
      model_usage: Object.fromEntries(
        Object.entries(usage.models).map(([name, used]) => [name, { ...used }]),
      ),
    },
    subscription_type: null,
    rate_limits_available: false,
    rate_limits: null,
    behaviors: null,
  };
}
