import {
  anyObject,
  builtInToolNames,
  checked,
  describeMismatch,
  describeProblem,
  isJsonObject,
  type JsonObject,
  list,
  mapped,
  object,
  parseJson,
  Report,
  type Shape,
  text,
} from '@robota-sdk/agent-core';
import { PluginError, type PluginInstance } from './plugin-instance.ts';

/** A tool as the plugin describes it. */
export interface PluginTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly label?: string;
  readonly brief?: string;
}

/** A command as the plugin describes it. */
export interface PluginCommand {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
}

/** The self-description of a plugin. */
export interface PluginDescription {
  readonly name: string;
  readonly tools: readonly PluginTool[];
  readonly commands: readonly PluginCommand[];
}

const maxItems = 100;
const maxText = 16_384;

/** Asks a plugin what it is, after its self-test if it has one. Throws what is wrong with the answers. */
export async function describePlugin(
  instance: PluginInstance,
  { selfTest, signal }: { readonly selfTest: boolean; readonly signal?: AbortSignal | undefined },
): Promise<PluginDescription> {
  const ask = (name: 'name' | 'tools' | 'commands' | 'selfTest') =>
    instance.call({ name, args: [] }, { signal });
  if (selfTest)
    await ask('selfTest').catch((thrown: unknown) => {
      throw thrown instanceof PluginError ? new Error(`its self-test failed: ${thrown.message}`) : thrown;
    });
  const answers = { name: await ask('name'), tools: await ask('tools'), commands: await ask('commands') };
  const report = new Report();
  const described = descriptionShape.parse(answers, report);
  const [problem] = report.problems.filter(({ kind }) => kind !== 'unknown');
  if (problem || !described)
    throw new Error(problem ? describeProblem(describeMismatch(problem)) : 'expected an object');
  const { tools, commands } = described;
  assertFew(tools, 'tools');
  assertFew(commands, 'commands');
  // The permissions of built-in tools must not apply to plugins.
  const ours = tools.find(({ name }) => builtInToolNames.some((own) => own === name));
  if (ours) throw new Error(`a tool of it is called "${ours.name}", like a built-in one`);
  return described;
}

const short = checked(text, `a string of at most ${maxText} characters`, ({ length }) => length <= maxText);
const inputSchema = mapped(
  checked(short, 'the JSON Schema of an object, as a string', (value) => isJsonObject(parseJson(value))),
  (value): JsonObject => anyObject.parse(parseJson(value)) ?? {},
);

function matching(expected: string, pattern: RegExp): Shape<string> {
  return checked(text, expected, (value) => pattern.test(value));
}

const descriptionShape: Shape<PluginDescription> = object({
  name: matching('1 to 64 letters, digits, ".", "_" and "-"', /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  tools: list(
    object(
      {
        name: matching('1 to 64 letters, digits, "_" and "-"', /^[A-Za-z0-9_-]{1,64}$/),
        description: short,
        input: inputSchema,
      },
      { label: short, brief: short },
    ),
  ),
  commands: list(
    object(
      {
        name: matching('1 to 64 letters, digits, ":", "_" and "-"', /^[A-Za-z0-9][A-Za-z0-9:_-]{0,63}$/),
        description: short,
      },
      { argumentHint: short },
    ),
  ),
});

function assertFew(items: readonly { readonly name: string }[], what: string): void {
  if (items.length > maxItems) throw new Error(`it has more than ${maxItems} ${what}`);
  const names = items.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two of its ${what} are called "${twice}"`);
}
