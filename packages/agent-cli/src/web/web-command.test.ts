import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { webCommand } from './web-command.ts';

const fixtures = new URL('../../../agent-web/src/server/fixtures/', import.meta.url).pathname;
const pair = ['--cert', join(fixtures, 'lan-cert.pem'), '--key', join(fixtures, 'lan-key.pem')];

describe('robota web', () => {
  it.each([
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
    ['a port that is none', ['--port', '70000'], /expected a number from 0 to 65535/],
    ['another address', ['--host', '0.0.0.0'], /Unknown option --host/],
    ['words', ['serve', 'now'], /takes no "now"/],
    ['a port of devices', ['devices', '--port', '1'], /Unknown option --port/],
    ['another verb of devices', ['devices', 'rename'], /Unknown word "rename"/],
    ['a device without an id', ['devices', 'revoke'], /Missing ID/],
  ])('refuses %s', async (_, words, message) => {
    await expect(async () => webCommand(words)).rejects.toThrow(message);
  });
});
