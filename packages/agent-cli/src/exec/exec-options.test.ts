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

  it('means options that we have', () => {
    const argv = readExec([
      'exec',
      '--full-auto',
      '--ephemeral',
      '--ignore-user-config',
      '--yolo',
      'go',
    ])?.argv;
    expect(parseArguments(argv ?? []).words).toEqual(['go']);
  });
});
