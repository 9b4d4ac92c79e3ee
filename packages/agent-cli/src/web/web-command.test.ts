import { join } from 'node:path';
import type { AgentError } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { webCommand } from './web-command.ts';

const fixtures = new URL('../../../agent-web/src/server/fixtures/', import.meta.url).pathname;
const pair = ['--cert', join(fixtures, 'lan-cert.pem'), '--key', join(fixtures, 'lan-key.pem')];

describe('robota web', () => {
  it.each<[name: string, words: string[], message: RegExp]>([
    ['a network without a certificate', ['--lan'], /--lan needs --cert and --key/],
    ['a network without a key', ['--lan', ...pair.slice(0, 2)], /--lan needs --cert and --key/],
    ['a certificate that is not there', ['--lan', '--cert', 'none.pem'], /--cert none\.pem cannot be read/],
    ['commands from a network', ['--lan', ...pair, '--shell'], /--shell and --lan cannot be used together/],
    [
      'a network by a socket',
      ['--lan', ...pair, '--socket', 'x'],
      /--lan and --socket cannot be used together/,
    ],
    ['a certificate without a network', pair, /--cert and --key are for --lan/],
    ...['abc', '70000', '-1', '1.5', '0x50'].map((port): [string, string[], RegExp] => [
      `port ${port}`,
      [`--port=${port}`],
      /expected a number from 0 to 65535/,
    ]),
    [
      'a socket with too long a path',
      ['--socket', `/tmp/${'x'.repeat(120)}`],
      /has 125 bytes; systems take 103/,
    ],
    [
      'a socket below a file',
      ['--socket', join(fixtures, 'lan-key.pem', 'web')],
      /The socket cannot be made/,
    ],
    [
      'a key that does not fit',
      ['--lan', ...pair.slice(0, 3), join(fixtures, 'lan-cert.pem')],
      /cannot be used/,
    ],
    ['another command', ['foo'], /foo/],
    ['another address', ['--host', '0.0.0.0'], /Unknown option --host/],
    ['words', ['serve', 'now'], /takes no "now"/],
    ['a port of devices', ['devices', '--port', '1'], /Unknown option --port/],
    ['another verb of devices', ['devices', 'rename'], /Unknown word "rename"/],
    ['a device without an id', ['devices', 'revoke'], /Missing device ID/],
  ])('refuses %s', async (_, words, message) => {
    const thrown: unknown = await (async () => webCommand(words))().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
    // The next step stands in the hint, or at the end of the sentence.
    const { hint, message: text } = thrown as AgentError;
    expect(hint !== undefined || /\b(?:See|Available)\b/.test(text)).toBe(true);
  });
});
