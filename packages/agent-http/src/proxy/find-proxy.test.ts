import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Environment, findProxy, parseProxy } from './find-proxy.ts';
import { ProxyError } from './proxy-error.ts';

const labelFor = (url: string, env: Environment) => findProxy(new URL(url), env)?.label;

describe('findProxy', () => {
  it('takes the variable of the scheme, small letters first, then ALL_PROXY', () => {
    const env = { HTTPS_PROXY: 'http://a:1', http_proxy: 'b:2', HTTP_PROXY: 'http://c:3', ALL_PROXY: 'd:4' };
    expect(labelFor('https://example.com', env)).toBe('http://a:1');
    expect(labelFor('http://example.com', env)).toBe('http://b:2');
    expect(labelFor('https://example.com', { ALL_PROXY: 'd:4', https_proxy: '' })).toBe('http://d:4');
    expect(labelFor('https://example.com', { HTTP_PROXY: 'http://c:3' })).toBeUndefined();
    expect(labelFor('https://example.com', {})).toBeUndefined();
  });

  it('reaches this machine and the metadata services of clouds directly', () => {
    for (const host of [
      'localhost',
      'api.localhost',
      '127.0.0.1',
      '127.3.2.1',
      '[::1]',
      '169.254.169.254',
      '0.0.0.0',
      'metadata.google.internal',
      'metadata.goog',
      '[fd00:ec2::254]',
      '[fd00:ec2:0::23]',
    ])
      expect(labelFor(`http://${host}:11434`, { ALL_PROXY: 'p:1' })).toBeUndefined();
  });

  it.each([
    ['*', 'https://example.com', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://api.example.com', true],
    ['example.com', 'https://notexample.com', false],
    ['.example.com', 'https://api.example.com', true],
    ['*.example.com', 'https://a.b.example.com', true],
    ['EXAMPLE.com.', 'https://example.com', true],
    ['example.com:8443', 'https://example.com', false],
    ['example.com:8443', 'https://example.com:8443', true],
    ['example.com:443', 'https://example.com', true],
    ['other.com, example.com', 'https://example.com', true],
    ['other.com example.com', 'https://example.com', true],
    ['10.0.0.0/8', 'https://10.20.30.40', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/99', 'https://10.0.0.1', false],
    ['fd00::/8', 'https://[fd12::1]:444', true],
    ['fd00::/8', 'https://10.0.0.1', false],
    ['192.168.1.2', 'https://192.168.1.2', true],
    ['168.1.2', 'https://192.168.1.2', false],
    ['[fd00:0:0::1]:8443', 'https://[fd00::1]:8443', true],
    ['fd00:0::1', 'https://[fd00::1]', true],
    ['', 'https://example.com', false],
    [' , ', 'https://example.com', false],
  ])('NO_PROXY=%s at %s: direct is %s', (list, url, isDirect) => {
    const proxied = labelFor(url, { ALL_PROXY: 'http://p:1', NO_PROXY: list });
    expect(proxied === undefined).toBe(isDirect);
    expect(labelFor(url, { ALL_PROXY: 'http://p:1', no_proxy: list })).toBe(proxied);
  });

  it('never fails on a list, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), (list, url) => {
        const found = labelFor(url, { ALL_PROXY: 'http://p:1', NO_PROXY: list });
        expect(['http://p:1', undefined]).toContain(found);
      }),
    );
  });
});

describe('parseProxy', () => {
  it('reads credentials, ports and addresses', () => {
    expect(parseProxy('HTTPS_PROXY', ' https://us%40er:p%3A%25ss@proxy.corp ')).toEqual({
      protocol: 'https:',
      hostname: 'proxy.corp',
      port: 443,
      variable: 'HTTPS_PROXY',
      label: 'https://proxy.corp:443',
      login: { user: 'us@er', password: 'p:%ss' },
    });
    expect(parseProxy('HTTP_PROXY', '[fd00::1]:3128')).toMatchObject({
      hostname: 'fd00::1',
      port: 3128,
      label: 'http://[fd00::1]:3128',
    });
    expect(parseProxy('HTTP_PROXY', 'proxy').port).toBe(80);
    const label = 'socks5://[fd00::1]:1080';
    for (const scheme of ['socks', 'socks5', 'SOCKS5h'])
      expect(parseProxy('ALL_PROXY', `${scheme}://[fd00::1]`)).toMatchObject({ label, hostname: 'fd00::1' });
  });

  it.each([
    'http://',
    'http://user:hush@:80',
    'socks4://user:hush@proxy:1080',
    // The part before # or / is a user with a part of the password.
    'http://user:12#hush@proxy:1',
    'http://user:12/hush@proxy:1',
    'socks5://user:12?hush@proxy:1',
    'http://pro xy',
    '"http://me:hush@proxy:1"',
  ])('refuses %s without repeating it', (value) => {
    const read = () => parseProxy('ALL_PROXY', value);
    expect(read).toThrow(ProxyError);
    expect(read).toThrow(/^ALL_PROXY .*unset it\.$/);
    expect(read).not.toThrow(/hush/);
  });
});
