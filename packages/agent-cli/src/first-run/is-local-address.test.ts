import { describe, expect, it } from 'vitest';
import { isLocalAddress } from './other-server.ts';

describe('an address without a scheme', () => {
  it.each([
    '127.0.0.1:4802',
    'localhost',
    'localhost:8080/v1',
    '[::1]:80',
    '10.0.0.2',
    '192.168.1.5:11434/v1',
    '172.20.0.3',
    'gpu.local:1234',
    'gpu-box:8000',
  ])('%s is local, and so means plain HTTP', (address) => expect(isLocalAddress(address)).toBe(true));

  it.each([
    'api.example.com',
    'models.example.com/v1',
    '8.8.8.8',
    '172.32.0.1',
    '127.0.0.1.example.com',
    '10.example.com',
    '[2001:db8::1]',
  ])('%s is not', (address) => expect(isLocalAddress(address)).toBe(false));
});
