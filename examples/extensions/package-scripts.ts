// A tool: tells the model which scripts the project's package.json has.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExtensionModule } from '@robota-sdk/agent-sdk';

const extension: ExtensionModule = ({ jsonSchema, textOutput, AgentError }) => ({
  name: 'package-scripts',
  setup: (host) => {
    host.tool({
      name: 'PackageScripts',
      description: 'List the scripts of package.json whose names contain a text.',
      input: jsonSchema<{ contains?: string }>({
        type: 'object',
        properties: { contains: { type: 'string', description: 'Part of the name; all scripts without it' } },
      }),
      // The accesses of the call, used by permissions, deny rules and scheduling.
      access: (_input, { workspace }) => {
        const path = join(workspace.cwd, 'package.json');
        return [{ kind: 'read', path, real: path }];
      },
      execute: async ({ contains = '' }, { workspace }) => {
        const text = await readFile(join(workspace.cwd, 'package.json'), 'utf8').catch(() => undefined);
        if (text === undefined) throw new AgentError('tool', 'There is no package.json here.');
        const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, string> };
        const lines = Object.entries(scripts)
          .filter(([name]) => name.includes(contains))
          .map(([name, command]) => `${name}: ${command}`);
        return textOutput(lines.length === 0 ? 'none' : lines.join('\n'));
      },
    });
  },
});

export default extension;
