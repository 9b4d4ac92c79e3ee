import { describe, expect, it } from 'vitest';
import { builtinTools } from './builtin-tools.ts';
import * as tools from './index.ts';

describe('builtinTools', () => {
  it('R-34 lists the tools that are exported for direct use', () => {
    const exported = [
      tools.readTool,
      tools.writeTool,
      tools.editTool,
      tools.bashTool,
      tools.globTool,
      tools.grepTool,
      tools.webFetchTool,
      tools.webSearchTool,
      tools.todoWriteTool,
      tools.askUserTool,
    ];
    expect(builtinTools()).toEqual(exported);
    expect(exported.map(({ name }) => name)).toEqual([
      'Read',
      'Write',
      'Edit',
      'Bash',
      'Glob',
      'Grep',
      'WebFetch',
      'WebSearch',
      'TodoWrite',
      'AskUser',
    ]);
  });

  it('describes every tool as an object, in few bytes', () => {
    const sizes = builtinTools().map(({ name, description, input }) => {
      expect(input.json).toMatchObject({ type: 'object' });
      return Buffer.byteLength(JSON.stringify({ name, description, input_schema: input.json }));
    });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000);
  });
});
