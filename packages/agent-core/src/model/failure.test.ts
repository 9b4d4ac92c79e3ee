import { describe, expect, it } from 'vitest';
import { failureOfResponse, failureOfText, failureOfThrown, isLoopback } from './failure.ts';

const origin = { vendor: 'acme', model: 'big-1', url: 'https://api.acme.test/v1/messages' };

function ofResponse(status: number, body: string, headers: Record<string, string> = {}) {
  return failureOfResponse({ ...origin, status, body, headers: new Headers(headers) });
}

describe('failureOfResponse', () => {
  it.each([
    [
      400,
      '{"error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}',
      'context-overflow',
      false,
    ],
    [
      413,
      '{"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
      'context-overflow',
      false,
    ],
    [400, '{"error":{"message":"Your credit balance is too low"}}', 'quota', false],
    [402, '', 'quota', false],
    [
      429,
      '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
      'quota',
      false,
    ],
    [401, '{"error":{"type":"authentication_error","message":"invalid x-api-key"}}', 'auth', false],
    [403, 'Forbidden', 'auth', false],
    [400, '[{"error":{"status":"INVALID_ARGUMENT","message":"API key not valid."}}]', 'auth', false],
    [404, '{"error":{"type":"not_found_error","message":"model: big-1"}}', 'model-not-found', false],
    [429, '{"error":{"type":"rate_limit_error","message":"slow down"}}', 'rate-limit', true],
    [429, '{"message":"Too many tokens, please wait before trying again."}', 'rate-limit', true],
    [529, '{"error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded', true],
    [503, '<html>Service Unavailable</html>', 'overloaded', true],
    [500, '{"error":{"type":"api_error","message":"Internal server error"}}', 'server', true],
    [408, '', 'server', true],
    [409, '', 'server', true],
    [400, '{"error":{"message":"tools.0: internal_id is unavailable here"}}', 'invalid-request', false],
    [422, '{"detail":"bad field"}', 'invalid-request', false],
  ])('takes HTTP %i %s for %s', (...[status, body, code, retryable]) => {
    expect(ofResponse(status, body)).toMatchObject({ code, retryable, status });
  });

  it.each([
    [401, 'invalid x-api-key', 'the key was refused for big-1: invalid x-api-key.'],
    [401, '', 'the key was refused for big-1.'],
    [402, 'Empty!', 'the account has no credit or quota left: Empty! Add credit, or choose another model.'],
    [
      529,
      'busy',
      'the service is overloaded: busy. Try again later, or name another model with --fallback-model.',
    ],
    [400, 'bad field', 'the request was refused: bad field.'],
  ])('says what happened with HTTP %i, why and what to do, each once', (status, message, sentences) => {
    const body = message === '' ? '' : JSON.stringify({ error: { message } });
    expect(ofResponse(status, body).message).toBe(`acme (HTTP ${status}): ${sentences}`);
  });

  it('names vendor, model and what the server said', () => {
    const { message } = ofResponse(404, '{"error":{"message":"model: big-1"}}');
    expect(message).toBe(
      'acme (HTTP 404): model big-1 not found: model: big-1. Check its name, or the base URL.',
    );
  });

  it('says how to get a model of Ollama, and how to complete a base URL without /v1', () => {
    const ofUrl = (vendor: string, url: string) =>
      failureOfResponse({ vendor, model: 'm:1', url, status: 404, body: 'Not Found', headers: new Headers() })
        .message;
    expect(ofUrl('ollama', 'http://localhost:11434/api/chat')).toContain('`ollama pull m:1`');
    for (const path of ['chat/completions', 'responses'])
      expect(ofUrl('lab', `http://localhost:8000/${path}`)).toContain('base URL http://localhost:8000/v1.');
    for (const path of ['v1/chat/completions', 'api/responses', 'v1/messages'])
      expect(ofUrl('lab', `http://localhost:8000/${path}`)).toContain('Check its name, or the base URL.');
  });

  it('reads the wait a server asks for, in seconds, milliseconds or as a date', () => {
    expect(ofResponse(429, '', { 'retry-after': '2' }).retryAfterMs).toBe(2_000);
    expect(ofResponse(429, '', { 'retry-after-ms': '150', 'retry-after': '2' }).retryAfterMs).toBe(150);
    expect(ofResponse(429, '', { 'retry-after': '-5' }).retryAfterMs).toBeUndefined();
    expect(ofResponse(429, '', { 'retry-after': 'soon' }).retryAfterMs).toBeUndefined();
    const date = new Date(Date.now() + 60_000).toUTCString();
    const wait = ofResponse(429, '', { 'retry-after': date }).retryAfterMs ?? 0;
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);
  });

  it('waits longer for a server that still loads its model, unless the server says how long', () => {
    const body = '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}';
    expect(ofResponse(503, body)).toMatchObject({
      code: 'overloaded',
      retryable: true,
      retryAfterMs: 10_000,
      message: 'acme (HTTP 503): the model is still loading: Loading model.',
    });
    expect(ofResponse(503, body, { 'retry-after': '2' }).retryAfterMs).toBe(2_000);
    expect(ofResponse(503, '').retryAfterMs).toBeUndefined();
  });

  it('suggests another form of tool calls to a model whose answers its server cannot parse', () => {
    const message = 'The model produced output that does not match the expected peg-native format';
    const failure = ofResponse(500, JSON.stringify({ error: { code: 500, message, type: 'server_error' } }));
    expect(failure).toMatchObject({ code: 'server', retryable: true });
    expect(failure.message).toContain(`the answer of ${origin.model} was malformed: ${message}. `);
    expect(failure.message).toMatch(/robota doctor --model \S+\/\S+ --fix$/);
  });

  it('survives a body that is no JSON, or no error object', () => {
    for (const body of ['', 'null', '[]', '"text"', '{"error":null}', '{"error":"plain"}', '\u0000']) {
      expect(ofResponse(500, body)).toMatchObject({ code: 'server', retryable: true });
    }
    expect(ofResponse(500, '{"error":"plain"}').message).toContain('plain');
  });
});

describe('failureOfText', () => {
  it.each([
    ['overloaded_error', 'Overloaded', 'overloaded', true],
    ['rate_limit_error', 'x', 'rate-limit', true],
    ['api_error', 'Internal server error', 'server', true],
    ['timeout_error', 'x', 'server', true],
    ['invalid_request_error', 'prompt is too long', 'context-overflow', false],
    ['invalid_request_error', 'nope', 'invalid-request', false],
  ])('classifies %s in the middle of a stream', (...[type, text, code, retryable]) => {
    expect(failureOfText({ ...origin, type, text })).toMatchObject({ code, retryable });
  });

  it('reads the error of a server behind another one, which passes it on as text', () => {
    const error = {
      code: 400,
      type: 'exceed_context_size_error',
      message: 'exceeds the available context size',
    };
    const text = JSON.stringify({ error });
    const inStream = failureOfText({ ...origin, type: 'server_error', text });
    const refused = ofResponse(400, JSON.stringify({ error: text }));
    for (const { code, message } of [inStream, refused]) {
      expect(code).toBe('context-overflow');
      expect(message).toContain(': exceeds the available context size. ');
      expect(message).not.toContain('{');
    }
    expect(failureOfText({ ...origin, type: '', text: '{not JSON' }).message).toContain('{not JSON');
  });
});

function thrown(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

describe('failureOfThrown', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'Check the clock'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SSL_CERT_FILE'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'belongs to another host'],
  ])('never retries a certificate that was not accepted (%s) and names the remedy', (code, remedy) => {
    const failure = failureOfThrown(thrown(code), origin);
    expect(failure).toMatchObject({ code: 'certificate', retryable: false });
    expect(failure.message).toContain(remedy);
    expect(failure.message).toContain(code);
  });

  it('retries a lost connection, but not a local server that is not running', () => {
    expect(failureOfThrown(thrown('ECONNRESET'), origin)).toMatchObject({ code: 'network', retryable: true });
    expect(failureOfThrown(thrown('ECONNREFUSED'), origin).retryable).toBe(true);
    const local = failureOfThrown(thrown('ECONNREFUSED'), { ...origin, url: 'http://[::1]:1234/v1' });
    expect(local).toMatchObject({ code: 'network', retryable: false });
    expect(local.message).toContain('Start the server');
  });

  it('says why a connection failed, also where the reason has no code', () => {
    const failure = failureOfThrown(
      new TypeError('failed', { cause: new Error('other side closed') }),
      origin,
    );
    expect(failure).toMatchObject({
      code: 'network',
      retryable: true,
      message: expect.stringContaining('other side closed'),
    });
    expect(failureOfThrown(new TypeError('terminated'), origin).message).toContain('terminated');
  });

  it('never retries huge headers or a server that does not speak TLS', () => {
    expect(failureOfThrown(thrown('UND_ERR_HEADERS_OVERFLOW'), origin)).toMatchObject({
      code: 'protocol',
      retryable: false,
    });
    expect(failureOfThrown(thrown('ERR_SSL_WRONG_VERSION_NUMBER'), origin)).toMatchObject({
      code: 'network',
      retryable: false,
    });
  });
});

it.each([
  ['localhost', true],
  ['localhost:80', true],
  ['app.localhost', true],
  ['127.0.0.1:8080', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['[::1]:8080', true],
  ['::1', true],
  ['::2', false],
  ['[fe80::1]:80', false],
  ['0.0.0.0', false],
  ['127.0.0.1.example.com', false],
  ['localhost.example.com', false],
  ['10.0.0.1', false],
])('knows whether %s is this machine', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
