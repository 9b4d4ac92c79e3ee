import { describe, expect, it } from 'vitest';
import { parseArguments } from '../arguments/args.ts';
import { readExec } from './exec-options.ts';

const read = (...argv: readonly string[]) => readExec(argv)?.argv.join(' ');

describe('readExec', () => {
  it.each([
    [['exec', 'fix it'], '--print -- fix it'],
    [['e', 'fix it'], '--print -- fix it'],
    [['exec', 'resume', '--last', 'and now'], '--print --continue -- and now'],
    [['exec', '--json', 'resume', '0198', 'and now'], '--print --resume 0198 -- and now'],
    [['exec', 'fork', '0198', 'on'], '--print --resume 0198 --fork -- on'],
    [['-m', 'x', 'exec', '-'], '--print --model x --'],
    [['exec', '-mx', '--cd=sub', 'go'], '--print --model x --cwd sub -- go'],
    [
      ['exec', '-c', `mcp_servers.s.args=["a", 'b']`, '-c', 'mcp_servers.s.env={A = "b, c"}', 'go'],
      '--print --mcp-config {"mcpServers":{"s":{"args":["a","b"],"env":{"A":"b, c"}}}} -- go',
    ],
    [['exec', '-c', 'model="a b"', '--', '--json'], '--print --model a b -- --json'],
    [['exec', '--oss', '-m', 'qwen', 'go'], '--print --model ollama/qwen -- go'],
    [['exec', '--max-turns', '3', 'go'], '--print --max-turns 3 -- go'],
  ])('%j is %s', (argv, ours) => {
    expect(read(...argv)).toBe(ours);
  });

  it.each([[['-p', 'exec']], [['e']], [['fix', 'exec']], [['run', 'exec']]])('leaves %j alone', (argv) => {
    expect(readExec(argv)).toBeUndefined();
  });

  it.each([
    ['-s read-only -c sandbox_mode=workspace-write', 'plan'],
    ['-c sandbox_mode=danger-full-access --sandbox=read-only', 'plan'],
    ['-c sandbox_mode=danger-full-access -c sandbox_mode=read-only', 'plan'],
    ['-c sandbox_mode=read-only -s workspace-write', 'acceptEdits'],
  ])('prefers the stronger place of a sandbox mode: %s', (options, mode) => {
    const request = readExec(['exec', ...options.split(' '), 'go']);
    const args = parseArguments(request?.argv ?? []);
    expect(args.values('permission-mode')).toEqual([mode]);
    expect(args.has('dangerously-skip-permissions')).toBe(false);
    expect(request?.isReadOnly).toBe(mode === 'plan');
  });

  it.each(['-s read-only --full-auto', '--yolo -s read-only', '-s workspace-write -s read-only'])(
    'refuses two sandbox modes: %s',
    (options) => {
      expect(() => readExec(['exec', ...options.split(' '), 'go'])).toThrow('cannot be used together');
    },
  );

  it('means options that we have', () => {
    const argv = readExec(['exec', '--ephemeral', '--ignore-user-config', '--yolo', 'go'])?.argv;
    expect(parseArguments(argv ?? []).words).toEqual(['go']);
  });
});
