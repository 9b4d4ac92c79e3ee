import type { ToolMessage } from '@robota-sdk/agent-core';
import { expect, it } from 'vitest';
import { resultWords } from './result-words.ts';

const message = (more: Partial<ToolMessage>): ToolMessage => ({
  role: 'tool',
  id: 'm',
  parentId: null,
  timestamp: 0,
  toolCallId: 'c',
  toolName: 'Tool',
  content: [],
  status: 'success',
  isError: more.status !== undefined && more.status !== 'success',
  ...more,
});
const display = (value: NonNullable<ToolMessage['display']>) => resultWords(message({ display: value })).note;
const denied = (permission: NonNullable<ToolMessage['permission']>) =>
  resultWords(message({ status: 'denied', permission })).end;

it('tells how much a call gave', () => {
  expect(display({ kind: 'file', path: 'a.ts', text: 'a\nb\n', firstLine: 1 })).toBe('2 lines');
  expect(display({ kind: 'list', items: ['a'], total: 1 })).toBe('1 match');
  expect(display({ kind: 'text', text: '', matches: 7 })).toBe('7 matches');
  expect(display({ kind: 'text', text: '', calls: 8 })).toBe('8 calls');
  expect(display({ kind: 'text', text: '', task: 'bash-1' })).toBe('bash-1 in the background');
  expect(display({ kind: 'text', text: 'ok' })).toBeUndefined();
});

it('tells why a call failed or did not run', () => {
  expect(denied({ kind: 'rule', rule: 'Bash(npm publish *)' })).toBe('denied by rule Bash(npm publish *)');
  expect(denied({ kind: 'mode', mode: 'plan' })).toBe('denied in plan mode');
  expect(denied({ kind: 'declined', said: 'use a file' })).toBe('denied: “use a file”');
  expect(denied({ kind: 'declined' })).toBe('denied');
  expect(resultWords(message({ status: 'error', exitCode: 3 })).end).toBe('failed, exit code 3');
  const brief = { kind: 'text', text: '', brief: 'not found' } as const;
  expect(resultWords(message({ status: 'error', display: brief })).end).toBe('failed: not found');
});
