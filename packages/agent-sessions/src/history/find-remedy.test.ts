import type { Message, ModelFailure } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { buildContext } from '../entry/build-context.ts';
import { omissionDraft } from '../entry/omit.ts';
import { assistant, call, result, user } from '../fixtures/messages.ts';
import { findRemedy } from './find-remedy.ts';

const refusal = (message: string): ModelFailure => ({ code: 'invalid-request', message, retryable: false });
const picture = (): Message => ({
  ...user('look'),
  content: [
    { type: 'text', text: 'look' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ],
});
const kindsOf = (messages: readonly Message[] = []) =>
  messages.map(({ content }) => content.map(({ type }) => type).join());

describe('findRemedy', () => {
  it('leaves out the images that came since the last answer, and older ones only if there are none', () => {
    const messages = [picture(), assistant('nice'), picture()];
    const first = findRemedy(messages, refusal('messages.2.content.1: Could not process image'));
    expect(kindsOf(first?.messages)).toEqual(['text,image', 'text', 'text,text']);
    expect(first?.notice).toMatch(/images and documents of one message were left out/);
    const paper = findRemedy(messages, refusal('The PDF specified is password protected.'));
    expect(paper?.omission.what).toBe('images');
    const older = findRemedy(
      [picture(), assistant('nice'), user('go on')],
      refusal('image exceeds 5 MB maximum'),
    );
    expect(kindsOf(older?.messages)).toEqual(['text,text', 'text', 'text']);
  });

  it('leaves out thinking whose signature is refused', () => {
    const thought = assistant([
      { type: 'thinking', text: 'hm', vendorData: 'bad' },
      { type: 'text', text: 'so' },
    ]);
    const remedy = findRemedy(
      [user('a'), thought, user('b')],
      refusal('Invalid `signature` in `thinking` block'),
    );
    expect(kindsOf(remedy?.messages)).toEqual(['text', 'text', 'text']);
  });

  it('leaves out what stands unanswered before the prompt, and never the prompt itself', () => {
    const unclear = refusal('the request was refused');
    const remedy = findRemedy([user('poison'), user('again')], unclear);
    expect(remedy?.omission).toMatchObject({ what: 'content', messageIds: [expect.any(String)] });
    expect(remedy?.messages[1]).toMatchObject({ content: [{ text: 'again' }] });
    expect(findRemedy(remedy?.messages ?? [], unclear)).toBeUndefined();
    expect(findRemedy([user('alone')], unclear)).toBeUndefined();
    const tools = findRemedy([user('a'), call('t1'), result('t1', 'poison')], unclear);
    expect(tools?.messages[2]).toMatchObject({ role: 'tool', toolCallId: 't1', content: [{ type: 'text' }] });
  });

  it('is the same when it is read back from the file', () => {
    const messages = [picture(), user('go on')];
    const remedy = findRemedy(messages, refusal('bad image'));
    const place = { parentId: null, timestamp: '' };
    const path = [
      ...messages.map((message) => ({ ...place, id: message.id, type: 'message' as const, message })),
      { ...place, id: 'o', ...omissionDraft(remedy?.omission ?? { what: 'images', messageIds: [] }) },
    ];
    expect(buildContext(path as Parameters<typeof buildContext>[0])).toEqual(remedy?.messages);
  });
});
