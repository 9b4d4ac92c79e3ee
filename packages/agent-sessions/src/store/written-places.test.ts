import { expect, it } from 'vitest';
import { writtenPlaces } from './written-places.ts';

it('finds lines by their bytes in the file, with headers and names around them', () => {
  const before = 'ä line that was there\n';
  const lines = [
    { id: 'a', line: '{"text":"ü"}\n' },
    { id: 'b', line: '{"text":"b"}\n' },
  ];
  const text = `{"header":"ß"}\n${lines[0]?.line}{"name":"x"}\n${lines[1]?.line}{"name":"x"}\n`;
  const file = Buffer.from(before + text);
  const places = [...writtenPlaces(text, lines, file.length)];
  expect(places.map(({ id }) => id)).toEqual(['a', 'b']);
  for (const [index, { offset }] of places.entries()) {
    const line = lines[index]?.line ?? '';
    expect(file.subarray(offset, offset + Buffer.byteLength(line)).toString()).toBe(line);
  }
});
