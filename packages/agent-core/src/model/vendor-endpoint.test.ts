import { describe, expect, it } from 'vitest';
import { findVendor, loadCatalogue, type Vendor } from './catalogue.ts';
import { endpointOf } from './vendor-endpoint.ts';

function vendor(id: string): Vendor {
  const found = findVendor(loadCatalogue(), id);
  if (!found) throw new Error(id);
  return found;
}

describe('endpointOf', () => {
  it('speaks Responses with OpenAI itself and Chat Completions with servers in its place', () => {
    const openai = vendor('openai');
    expect(endpointOf(openai)).toEqual({ baseUrl: 'https://api.openai.com/v1', api: 'openai-responses' });
    const env = { OPENAI_BASE_URL: 'http://localhost:8000/v1' };
    expect(endpointOf(openai, { env })).toEqual({ baseUrl: 'http://localhost:8000/v1', api: 'openai' });
    expect(endpointOf(openai, { env, api: 'openai-responses' }).api).toBe('openai-responses');
    expect(endpointOf(openai, { baseUrl: 'https://api.openai.com/v1/' }).api).toBe('openai-responses');
  });

  it('takes base URLs from the environment, a wish before it', () => {
    const env = { ANTHROPIC_BASE_URL: ' https://proxy.example ', GOOGLE_GEMINI_BASE_URL: '' };
    expect(endpointOf(vendor('anthropic'), { env })).toEqual({
      baseUrl: 'https://proxy.example',
      api: 'anthropic',
    });
    expect(endpointOf(vendor('anthropic'), { env, baseUrl: 'https://other.example' }).baseUrl).toBe(
      'https://other.example',
    );
    expect(endpointOf(vendor('google'), { env }).baseUrl).toBe('https://generativelanguage.googleapis.com');
  });

  it.each([
    ['192.168.1.5:11500', 'http://192.168.1.5:11500/v1'],
    ['gpu-box', 'http://gpu-box:11434/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['[::]:11434', 'http://[::1]:11434/v1'],
    [':12000', 'http://127.0.0.1:12000/v1'],
    ['https://ollama.example/', 'https://ollama.example/v1'],
    ['http://localhost:11434/v1/', 'http://localhost:11434/v1'],
    ['not a host', 'not a host'],
  ])('understands OLLAMA_HOST=%s', (value, baseUrl) => {
    expect(endpointOf(vendor('ollama'), { env: { OLLAMA_HOST: value } }).baseUrl).toBe(baseUrl);
  });
});
