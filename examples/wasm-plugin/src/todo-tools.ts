// A tool that finds what is left to do in granted folders. It sees no other files, has no network and no variables.
import { host, type ToolDefinition } from './robota.ts';

export const todoTools: Record<string, ToolDefinition> = {
  ListTodos: {
    description: 'Lists the TODO comments below a folder as path:line: text.',
    brief: 'Use ListTodos for TODO comments; it is faster than searching.',
    input: {
      type: 'object',
      properties: { folder: { type: 'string', description: 'A folder that was granted, such as src.' } },
      required: ['folder'],
    },
    run: ({ folder }: { folder: string }) => {
      const found = host
        .listFiles(folder)
        .filter((name) => /\.(ts|js|py|go|rs|md)$/.test(name))
        .flatMap((name) => todosOf(`${folder}/${name}`));
      return found.length > 0 ? found.join('\n') : `No TODO in ${folder}.`;
    },
  },
};

function todosOf(path: string): string[] {
  return host
    .readText(path)
    .split('\n')
    .flatMap((line, index) => {
      const at = line.indexOf('TODO');
      return at < 0 ? [] : [`${path}:${index + 1}: ${line.slice(at)}`];
    });
}
