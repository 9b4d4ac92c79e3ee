import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { toolOutput } from './user-content.ts';

const png = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' };

describe('results of servers', () => {
  it('are texts and images, each text on a line of its own', () => {
    proves('P-139');
    const content = [{ type: 'text' as const, text: 'a' }, { type: 'text' as const, text: 'b' }, png];
    expect(toolOutput({ content })).toEqual({ content: [{ type: 'text', text: 'a\nb' }, png] });
    expect(toolOutput({ content: [png] }).display).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      data: 'AAAA',
    });
  });

  it('say in words what no model can be shown', () => {
    proves('P-139');
    const content = [
      { type: 'audio' as const, mimeType: 'audio/wav', data: 'AAAA' },
      { type: 'image' as const, mimeType: 'image/svg+xml', data: 'AAAA' },
      { ...png, data: 'A'.repeat(8 * 1024 * 1024) },
      { type: 'resource_link' as const, uri: 'x://1', name: 'One', mimeType: 'text/plain' },
      { type: 'resource' as const, resource: { uri: 'x://2', blob: 'aGk=', mimeType: 'text/plain' } },
      { type: 'resource' as const, resource: { uri: 'x://3', text: 'three' } },
    ];
    expect(toolOutput({ content }).content).toEqual([
      {
        type: 'text',
        text: [
          '[audio of type audio/wav, 3 bytes, which cannot be shown to a model]',
          '[image, 3 bytes, which cannot be shown to a model]',
          '[image, 6291456 bytes, which cannot be shown to a model]',
          'Resource One: x://1 (text/plain)',
          'Resource x://2:\nhi',
          'Resource x://3:\nthree',
        ].join('\n'),
      },
    ]);
  });

  it('are passed on as they are where they are in no form that is known', () => {
    proves('P-139');
    const [said] = toolOutput({ foo: 1, isError: false } as never).content;
    expect(said).toEqual({ type: 'text', text: 'The server answered in its own format: {"foo":1}' });
  });

  it('have their structure said once', () => {
    proves('P-139');
    const structuredContent = { answer: 42 };
    const said = { type: 'text' as const, text: '{ "answer": 42 }' };
    expect(toolOutput({ content: [said], structuredContent }).content).toEqual([said]);
    expect(toolOutput({ content: [], structuredContent }).content).toEqual([
      { type: 'text', text: '{"answer":42}' },
    ]);
    const file = { type: 'text' as const, text: 'hello\n' };
    expect(toolOutput({ content: [file], structuredContent: { content: 'hello\n' } }).content).toEqual([
      file,
    ]);
    expect(toolOutput({ content: [png], structuredContent: { content: [png] } }).content).toEqual([png]);
    const other = { type: 'text' as const, text: 'Found 42 of them.' };
    expect(toolOutput({ content: [other], structuredContent }).content).toEqual([
      { type: 'text', text: 'Found 42 of them.\n{"answer":42}' },
    ]);
    expect(toolOutput({ content: [], isError: true })).toMatchObject({
      isError: true,
      content: [{ type: 'text' }],
    });
  });
});
