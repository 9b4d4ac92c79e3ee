import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolName } from './tool-name.ts';

describe('names of MCP tools', () => {
  it('are ones that every vendor takes, whatever a server calls them', () => {
    proves('P-139');
    expect(toolName('files', 'read_file')).toBe('mcp__files__read_file');
    expect(toolName('my server', 'läs.fil')).toBe('mcp__my_server__l_s_fil');
    fc.assert(
      fc.property(fc.string(), fc.string(), (server, tool) => {
        expect(toolName(server, tool)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });

  it('stay apart where they are too long', () => {
    proves('P-139');
    const long = 'x'.repeat(80);
    expect(toolName('s', `${long}a`)).not.toBe(toolName('s', `${long}b`));
    const server = 's'.repeat(48);
    expect(toolName(server, `${long}a`).startsWith(`mcp__${server}__`)).toBe(true);
  });
});
