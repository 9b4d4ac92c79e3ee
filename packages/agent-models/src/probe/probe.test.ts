import { findVendor, loadCatalogue, type Vendor } from '@robota-sdk/agent-core';
import { anthropicError, anthropicReply, openaiChatReply } from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { describe, expect, it } from 'vitest';
import { testConfig } from '../fixtures/test-config.ts';
import { probeModel } from './probe-model.ts';
import { tryKey } from './try-key.ts';

const server = modelServerPerTest();

describe('tryKey', () => {
  const trial = (key = 'secret-key') => {
    const vendor = findVendor(loadCatalogue(), 'anthropic') as Vendor;
    return tryKey({ vendor, key }, testConfig({ baseUrls: { anthropic: server.url } }));
  };

  it('accepts a key that is answered, after one small request with it', async () => {
    server.reply(anthropicReply({ text: 'ok' }));
    expect(await trial()).toEqual({ verdict: 'accepted', message: '' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      headers: { 'x-api-key': 'secret-key' },
      body: { max_tokens: 16 },
    });
  });

  it.each([
    [401, 'authentication_error', 'refused'],
    [429, 'rate_limit_error', 'accepted'],
    [404, 'not_found_error', 'accepted'],
    [400, 'invalid_request_error', 'unsure'],
  ])('judges HTTP %i (%s) as %s, and does not repeat the key', async (status, type, verdict) => {
    server.handle(() => anthropicError(status, 'what about secret-key?', { type }));
    const { message, ...rest } = await trial();
    expect(rest).toEqual({ verdict });
    expect(message).not.toContain('secret-key');
  });
});

describe('probeModel', () => {
  const probe = () => probeModel('lmstudio/tiny', testConfig({ baseUrls: { lmstudio: `${server.url}/v1` } }));

  it('finds that a model streams and calls tools', async () => {
    server.reply(
      openaiChatReply({ text: ['1 ', '2 ', '3'] }),
      openaiChatReply({ calls: [{ name: 'report_number', input: { number: 7 } }] }),
    );
    const found = await probe();
    expect(found).toMatchObject({ answer: { streams: true }, native: { kind: 'called' } });
    expect(found.baseUrl).toBe(`${server.url}/v1`);
    expect(found).not.toHaveProperty('xnl');
  });

  it('tries written calls where native ones fail, and tells what was called instead', async () => {
    server.reply(
      openaiChatReply({ text: '1 2 3' }),
      openaiChatReply({ calls: [{ name: 'report_number', input: { number: 8 } }] }),
      openaiChatReply({ text: 'The number is 7.' }),
    );
    expect(await probe()).toMatchObject({
      answer: { streams: false },
      native: { kind: 'otherwise', call: 'report_number {"number":8}' },
      xnl: { kind: 'words' },
    });
  });

  it('ends with the failure of a server that does not answer', async () => {
    await server.close();
    const found = await probe();
    expect(found.answer).toMatchObject({ failure: { code: 'network' } });
    expect(found).not.toHaveProperty('native');
  });

  it('refuses a name that no model has', async () => {
    await expect(probeModel('nothing/x', testConfig())).rejects.toMatchObject({ code: 'unknown-model' });
  });
});
