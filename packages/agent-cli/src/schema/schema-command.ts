import { AgentError, didYouMean, readOptions } from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Runs `robota schema`: prints the schemas of events, messages and settings. */
export async function schemaCommand(given: readonly string[]): Promise<number> {
  const options = readOptions(given, optionsOf('schema'));
  const [name, ...rest] = options.words;
  if (rest.length > 0)
    throw new AgentError('usage', 'Name one schema, or none for all.', {
      hint: { text: 'See', run: ['schema', '--help'] },
    });
  const { schemas } = await import('@robota-sdk/agent-transport-headless');
  const all = schemas();
  if (options.has('list')) {
    for (const [each, { description = '' }] of Object.entries(all))
      process.stdout.write(`${each.padEnd(24)}${String(description)}\n`);
    return 0;
  }
  const found = name === undefined ? { $defs: all } : Object.hasOwn(all, name) ? all[name] : undefined;
  if (!found) throw unknown(name ?? '', Object.keys(all));
  process.stdout.write(`${JSON.stringify({ $schema: dialect, ...found }, null, 2)}\n`);
  return 0;
}

function unknown(name: string, names: readonly string[]): AgentError {
  const hint = didYouMean(name, names) ?? { text: 'List them with', run: ['schema', '--list'] };
  return new AgentError('usage', `Unknown schema "${name}".`, { hint });
}
