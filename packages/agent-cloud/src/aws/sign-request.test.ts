import { describe, expect, it } from 'vitest';
import { signRequest } from './sign-request.ts';

describe('signRequest', () => {
  it('makes the signature of the example in the documentation of AWS', () => {
    const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
    const request = {
      method: 'GET',
      url: new URL('https://iam.amazonaws.com/?Version=2010-05-08&Action=ListUsers'),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: [],
    };
    const now = new Date('2015-08-30T12:36:00Z');
    const { authorization } = signRequest(request, keys, { region: 'us-east-1', service: 'iam', now });
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    );
  });
});
