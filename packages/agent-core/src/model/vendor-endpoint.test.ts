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

  it.each([
    ['localhost:8080', 'http://localhost:8080/v1'],
    ['127.0.0.1:9931/v1/', 'http://127.0.0.1:9931/v1'],
    ['[::1]:1234/custom', 'http://[::1]:1234/custom'],
    ['localhost', 'http://localhost/v1'],
    ['https://localhost:8080', 'https://localhost:8080'],
    ['example.com:8080', 'example.com:8080'],
    ['localhost.example.com/v1', 'localhost.example.com/v1'],
    ['0.0.0.0:8000', 'http://127.0.0.1:8000/v1'],
    ['http://0.0.0.0:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['[::]:8000', 'http://[::1]:8000/v1'],
    [':8000', 'http://127.0.0.1:8000/v1'],
    ['0.0.0.0.example.com:1', '0.0.0.0.example.com:1'],
    ['not an address', 'not an address'],
  ])('reads the address %s as %s', (written, baseUrl) => {
    expect(endpointOf(vendor('openai'), { baseUrl: written }).baseUrl).toBe(baseUrl);
  });

  it("speaks Ollama's own API wherever Ollama is, and the compatible one with a gateway in its place", () => {
    const ollama = vendor('ollama');
    expect(endpointOf(ollama).api).toBe('ollama');
    expect(endpointOf(ollama, { env: { OLLAMA_HOST: 'gpu-box' } }).api).toBe('ollama');
    expect(endpointOf(ollama, { baseUrl: 'http://127.0.0.1:11500/v1/' }).api).toBe('ollama');
    expect(endpointOf(ollama, { baseUrl: 'https://gateway.example/ollama/v1' }).api).toBe('openai');
    expect(endpointOf(ollama, { baseUrl: 'http://127.0.0.1:11500/v1', api: 'openai' }).api).toBe('openai');
  });
});
