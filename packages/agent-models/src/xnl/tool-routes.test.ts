import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { ToolRoutes } from './tool-routes.ts';

const named = (...names: string[]) => new ToolRoutes(names.map((name) => ({ name })));

describe('ToolRoutes', () => {
  it('finds tools by every name that models have for them, with or without the namespace', () => {
    proves('E-9');
    const routes = named('Read', 'Edit', 'ReadMcpResource', 'mcp__docs__look-up', 'mcp__a__go', 'mcp__b__go');
    const file = { file_path: 'a' };
    for (const name of ['Read', 'SysBuiltIn.Read', 'Ext.Read', 'read', 'read_file', 'SysBuiltIn.read_file'])
      expect(routes.find(name, file)).toEqual({ ok: true, name: 'Read', input: file });
    for (const name of ['Mcp.docs.look-up', 'mcp__docs__look-up', 'look-up'])
      expect(routes.find(name, {})).toMatchObject({ ok: true, name: 'mcp__docs__look-up' });
    expect(routes.find('SysBuiltIn.ReadMcpResource', {})).toMatchObject({ ok: true });
    expect(routes.find('go', {})).toMatchObject({ ok: false });
  });

  it('hands the tools of servers that no request lists to McpCall, which knows them', () => {
    const routes = named('McpCall', 'Read');
    const input = { tool: 'mcp__every__get-sum', arguments: { a: 1 } };
    for (const name of ['Mcp.every.get-sum', 'mcp__every__get-sum', 'Ext.mcp__every__get-sum'])
      expect(routes.find(name, { a: 1 })).toEqual({ ok: true, name: 'McpCall', input });
    expect(named('Read').find('Mcp.every.get-sum', {})).toMatchObject({ ok: false });
  });

  it('tells a tool that is not there from one that cannot do what is asked, and keeps the list short', () => {
    const routes = named('Read', 'Edit');
    expect(routes.find('edit_text', { path: 'a', action: 'insert', insertAfter: 3 })).toEqual({
      ok: false,
      error:
        'The tool edit_text is there, but not with these arguments. Of its actions only "replace" is there, with find and replace. For "insert" and "delete_range", quote the lines at the place in find, and give what belongs there in replace, or use SysBuiltIn.Edit instead.',
    });
    expect(routes.find('fly', {})).toEqual({
      ok: false,
      error: 'The tool fly does not exist. The tools are SysBuiltIn.Read, SysBuiltIn.Edit.',
    });
    const many = named(...Array.from({ length: 30 }, (_, at) => `Tool${at}`));
    expect(many.find('fly', {})).toMatchObject({ error: expect.stringMatching(/^.{0,80}$/) });
  });
});
