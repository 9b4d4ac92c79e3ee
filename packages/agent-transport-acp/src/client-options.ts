import { RequestError } from '@agentclientprotocol/sdk';
import {
  anyObject,
  count,
  describeMismatch,
  either,
  type InteractiveSessionOptions,
  lazy,
  list,
  object,
  Report,
  text,
} from '@robota-sdk/agent-sdk/front-end';

/** Fields of `_meta` that clients of Claude Code's agent send; other fields are not ours. */
const metaShape = lazy(() =>
  object(
    {},
    {
      systemPrompt: either(text, object({}, { append: text })),
      claudeCode: object({}, { options: optionsShape }),
    },
  ),
);
const optionsShape = lazy(() =>
  object(
    {},
    {
      model: text,
      maxTurns: count,
      allowedTools: list(text),
      disallowedTools: list(text),
      tools: either(list(text), anyObject),
    },
  ),
);

/** Options for a session that its client asks for beside the protocol, added to the agent's own. */
export function clientOptions(
  meta: Readonly<Record<string, unknown>> | null | undefined,
  own: InteractiveSessionOptions,
): InteractiveSessionOptions {
  const report = new Report();
  const { systemPrompt, claudeCode } = metaShape.parse(meta ?? {}, report) ?? {};
  const invalid = report.problems.find(({ kind }) => kind !== 'unknown');
  if (invalid) throw RequestError.invalidParams(undefined, `_meta: ${describeMismatch(invalid).message}`);
  const { model, maxTurns, allowedTools = [], disallowedTools = [], tools } = claudeCode?.options ?? {};
  const prompt =
    typeof systemPrompt === 'string' ? { systemPrompt } : { appendSystemPrompt: systemPrompt?.append };
  const { allow = [], deny = [], ...rules } = own.rules ?? {};
  const given = {
    ...prompt,
    model,
    maxTurns,
    tools: Array.isArray(tools) ? { ...own.tools, only: tools } : undefined,
    rules: { ...rules, allow: [...allow, ...allowedTools], deny: [...deny, ...disallowedTools] },
  };
  return { ...own, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
